"""The player champion: legal, deterministic, within its limit, and at its best with whatever is there."""

import json
import os
import subprocess
import sys
import time
from operator import attrgetter
from pathlib import Path

import numpy as np
import pytest

from ddzbot import kernel
from ddzbot.game import Game, shuffled, start
from ddzbot.kernel.fast_records import FEATURES, HEADS, INNER, SeatParameters, chance
from ddzbot.net import fast_net
from ddzbot.net.fast_features import NAME
from ddzbot.net.fast_net import CLIPPED_ONE, SEAT_NAMES, architecture_of
from ddzbot.net.packed import Packed, Tensor
from ddzbot.net.reigning import MANIFEST
from ddzbot.players.base import CannotPlay
from ddzbot.players.champion import USUAL_PLAYOUTS, ChampionPlayer
from ddzbot.players.random_player import RandomPlayer
from ddzbot.players.registry import make_player
from ddzbot.rules import BOTZONE, RULE_SETS, RuleSet
from ddzbot.search.limit import Limit
from ddzbot.view import View
from tests.net.fast_models import random_seats
from tests.net.networks import DESCRIPTION, small_network
from tests.net.positions import random_views
from tests.search.positions import endgame
from tests.support import ROOT, find_python, kernel_path, require
from tools.release.weights_file import crown, float_tensor, integer_tensor, write

NAMES = sorted(RULE_SETS)
LITTLE = Limit(playouts=40)


def tensors_of(seat: SeatParameters) -> dict[str, Tensor]:
    scale = np.frombuffer(seat.second_scale, "f4") * np.float32(CLIPPED_ONE)
    return {
        "first": integer_tensor(np.frombuffer(seat.first, "i2").reshape(FEATURES, seat.units), "int16"),
        "first_bias": integer_tensor(np.frombuffer(seat.first_bias, "i2"), "int16"),
        "second": integer_tensor(np.frombuffer(seat.second, "i1").reshape(INNER, seat.units), "int8", scale),
        "third": float_tensor(np.frombuffer(seat.third, "f4").reshape(INNER, INNER)),
        "last": float_tensor(np.frombuffer(seat.last, "f4").reshape(HEADS, INNER)),
        **{
            name: float_tensor(np.frombuffer(getattr(seat, name), "f4"))
            for name in ("second_bias", "third_bias", "last_bias")
        },
    }


def network() -> Packed:
    tensors = {
        f"{name}.{field}": tensor
        for name, seat in zip(SEAT_NAMES, random_seats(), strict=True)
        for field, tensor in tensors_of(seat).items()
    }
    return Packed(NAME, "botzone", architecture_of(256), tensors, DESCRIPTION)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of weights in which one network reigns under every rule set."""
    folder = tmp_path_factory.mktemp("weights")
    path = write(folder, "fast", network())
    for name in NAMES:
        crown(path, name)
    return folder


def use(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setenv("DDZ_WEIGHTS", str(folder))


def opening(seed: str, rules: RuleSet = BOTZONE) -> View:
    return View.of(start(shuffled(rules, seed)), 0)


def late(seed: str) -> View:
    """A view of a few cards, where plain Python is quick."""
    game = start(shuffled(RULE_SETS["mini"], seed))
    while len(game.plays) < 12:
        game = game.play(RandomPlayer(1).choose(View.of(game, game.seat), LITTLE).move)
    return View.of(game, game.seat)


def played_out(name: str, seat: int, player: ChampionPlayer, limit: Limit) -> Game:
    """Plays a game, *seat* by the player and the others at random; the game refuses an illegal move."""
    game, others = start(shuffled(RULE_SETS[name], f"whole/{seat}")), RandomPlayer(2)
    while not game.finished:
        mover = player if game.seat == seat else others
        game = game.play(mover.choose(View.of(game, game.seat), limit).move)
    return game


# Whole games.


@pytest.mark.usefixtures("with_kernel", "reigns")
@pytest.mark.parametrize("options", [{}, {"search": "none"}, {"drawn": 2}], ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_no_move_is_illegal_over_whole_games(name: str, options: dict[str, str]) -> None:
    for seat in range(3):
        assert played_out(name, seat, ChampionPlayer(1, **options), LITTLE).finished


@pytest.mark.usefixtures("without_kernel", "reigns")
def test_no_move_is_illegal_without_a_kernel_over_a_whole_game() -> None:
    assert played_out("mini", 1, ChampionPlayer(1, search="none"), LITTLE).finished


# Decisions.


@pytest.mark.usefixtures("with_kernel")
def test_debug_tells_the_file_the_playouts_and_the_best_moves(reigns: Path) -> None:
    decision = ChampionPlayer(3).choose(opening("debug"), Limit(playouts=300))
    assert decision.debug["weights"] in {path.name for path in reigns.iterdir()}
    assert 300 <= decision.debug["playouts"] < 310
    told = decision.debug["moves"]
    assert str(decision.move) in told
    assert len(told) == 4
    assert all(0 <= won <= 1 and visits > 0 and 0 <= mean <= 1 for won, visits, mean in told.values())
    assert len(json.dumps(decision.debug)) < 500


@pytest.mark.usefixtures("with_kernel", "reigns")
def test_an_earlier_decision_changes_no_later_one() -> None:
    player = ChampionPlayer(3)
    player.choose(opening("earlier"), LITTLE)
    assert player.choose(opening("later"), LITTLE) == ChampionPlayer(3).choose(opening("later"), LITTLE)


@pytest.mark.usefixtures("with_kernel", "reigns")
def test_without_a_limit_the_number_of_playouts_is_fixed() -> None:
    debug = ChampionPlayer(3, sure=0).choose(opening("fixed"), Limit()).debug
    assert USUAL_PLAYOUTS <= debug["playouts"] < USUAL_PLAYOUTS + 8


@pytest.mark.usefixtures("with_kernel", "reigns")
@pytest.mark.parametrize("seconds", [0.05, 0.3])
def test_the_limit_of_seconds_is_kept(seconds: float) -> None:
    # Of the processor: others may have it for as long as they want.
    began = time.process_time()
    ChampionPlayer(3, sure=0).choose(opening("seconds"), Limit(seconds=seconds))
    assert time.process_time() - began < seconds + 0.25


@pytest.mark.usefixtures("with_kernel", "reigns")
@pytest.mark.parametrize("search", ["rollout", "none"])
def test_the_best_move_so_far_is_the_decision_in_the_end(search: str) -> None:
    player = ChampionPlayer(3, search=search)
    assert player.choose(opening("best"), Limit(playouts=500)).move == player.best_so_far


@pytest.mark.usefixtures("with_kernel", "reigns")
def test_without_a_search_the_networks_best_move_is_made() -> None:
    view = opening("none")
    decision = ChampionPlayer(3, search="none").choose(view, LITTLE)
    net = fast_net.reigning_net(kernel.native(), "botzone").net
    assert net is not None
    best = max(net.values(view), key=lambda worth: worth.win)
    assert decision.move == best.move
    assert decision.debug["moves"][str(best.move)] == [round(best.chance, 3)]
    assert "playouts" not in decision.debug


@pytest.mark.usefixtures("with_kernel", "reigns")
def test_a_move_that_goes_out_is_made() -> None:
    decision = ChampionPlayer(3).choose(endgame(("3334", "55667788", "9TJQK"), 0), LITTLE)
    assert str(decision.move) == "3334"


@pytest.mark.usefixtures("with_kernel", "reigns")
@pytest.mark.parametrize("arms", [1, 8])
def test_the_search_chooses_among_moves_that_win_in_every_world(arms: int) -> None:
    # The partner holds two of 4 9 J J and can take the lead over a 3, 6 or 7. A proof lets it pass.
    view = endgame(("JJ", "367Q", "49"), 1)
    without, usual = (ChampionPlayer(3, arms=arms, solver=solver).choose(view, LITTLE) for solver in ("none", "exact"))
    assert str(usual.move) in ("3", "6", "7")
    assert usual.debug == without.debug
    if arms == 1:
        assert str(without.move) == "Q"


@pytest.mark.usefixtures("with_kernel", "reigns")
def test_the_only_move_that_wins_in_every_world_is_made_at_once() -> None:
    decision = ChampionPlayer(3).choose(endgame(("T", "34577", "88"), 1), LITTLE)
    assert (str(decision.move), decision.debug["search"]) == ("77", "wins in all worlds")


@pytest.mark.usefixtures("with_kernel", "reigns")
def test_a_certain_win_is_made_at_once_unless_nobody_looks_for_it() -> None:
    view = endgame(("5", "334567QQKKA2", "2"), 1)
    assert ChampionPlayer(3).choose(view, LITTLE).debug["search"] == "certain win"
    assert ChampionPlayer(3, solver="none").choose(view, LITTLE).debug["playouts"] > 0


@pytest.mark.usefixtures("with_kernel", "reigns")
def test_an_option_changes_the_search() -> None:
    view, limit = opening("options"), Limit(playouts=300)
    usual, changed = (ChampionPlayer(3, near=1000, arms=arms).choose(view, limit).debug for arms in ("8", "2"))
    assert (len(usual["moves"]), len(changed["moves"])) == (4, 2)


@pytest.mark.parametrize(("logit", "expected"), [(0, 0.5), (1000, 1.0), (-1000, 0.0), (1.0986122886681098, 0.75)])
def test_a_logit_stands_for_a_chance(logit: float, expected: float) -> None:
    assert chance(logit) == pytest.approx(expected)


# The same in every process.

PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
from ddzbot.game import shuffled, start
from ddzbot.players.registry import make_player
from ddzbot.rules import RULE_SETS
from ddzbot.search.limit import Limit
from ddzbot.view import View
view = View.of(start(shuffled(RULE_SETS[sys.argv[2]], "same")), 0)
decision = make_player("champion", 3, search=sys.argv[3]).choose(view, Limit(playouts=int(sys.argv[4])))
print(json.dumps([str(decision.move), decision.debug]))
"""


def decided(python: str, folder: Path, rules: str = "botzone", search: str = "rollout", **environment: str) -> str:
    command = [python, "-B", "-S", "-c", PROGRAM, str(ROOT), rules, search, "200"]
    given = {**os.environ, "DDZ_WEIGHTS": str(folder), **environment}
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=given, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.usefixtures("with_kernel", "reigns")
def test_a_fresh_process_decides_the_same(folder: Path) -> None:
    decision = ChampionPlayer(3, drawn=2).choose(opening("same"), Limit(playouts=200))
    path = require(kernel_path(), "a C compiler")
    found = json.loads(decided(sys.executable, folder, DDZ_KERNEL=path))
    assert found == [str(decision.move), json.loads(json.dumps(decision.debug))]


@pytest.mark.parametrize("version", ["3.6", "3.13"])
def test_every_python_decides_the_same(folder: Path, version: str) -> None:
    python, path = require(find_python(version), f"CPython {version}"), require(kernel_path(), "a C compiler")
    assert decided(python, folder, DDZ_KERNEL=path) == decided(sys.executable, folder, DDZ_KERNEL=path)


def test_every_python_decides_the_same_without_a_kernel_in_python_3_6(folder: Path) -> None:
    python = require(find_python("3.6"), "CPython 3.6")
    found = decided(python, folder, "mini", "none", DDZ_NO_KERNEL="1")
    assert found == decided(sys.executable, folder, "mini", "none", DDZ_NO_KERNEL="1")
    assert "playouts" not in json.loads(found)[1]


# Without what is missing.


@pytest.mark.usefixtures("reigns")
def test_without_a_search_the_kernel_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    view, found = late("alone"), []
    path = require(kernel_path(), "a C compiler")
    for environment in ({"DDZ_NO_KERNEL": "1"}, {"DDZ_KERNEL": path}):
        monkeypatch.setattr(kernel, "_choice", kernel.choose(environment))
        found.append(ChampionPlayer(3, search="none").choose(view, LITTLE))
    assert found[0] == found[1]
    assert found[0].debug["weights"].startswith("fast-")


@pytest.mark.usefixtures("without_kernel", "reigns")
def test_without_the_kernel_there_is_no_search() -> None:
    with pytest.raises(CannotPlay, match="no kernel"):
        ChampionPlayer(3).choose(late("alone"), LITTLE)


def test_the_network_alone_is_the_same_player_without_its_search() -> None:
    player = make_player("champion", 3, aims="score")
    alone = player.without_search()
    assert isinstance(alone, ChampionPlayer)
    assert (alone.label, alone.options.search, alone.options.aims, alone.seed) == (
        "champion:aims=score,search=none",
        "none",
        "score",
        3,
    )
    assert alone.without_search() is None
    assert isinstance(player, ChampionPlayer) and player.options.search == "rollout"


def spoil(folder: Path, how: str) -> None:
    """Fills a folder with weights that cannot be used."""
    if how == "nothing":
        return
    path = write(folder, "fast", network() if how != "other" else small_network(features=NAME))
    crown(path, "botzone")
    if how == "cut":
        path.write_bytes(path.read_bytes()[:-100])
    elif how == "manifest":
        (folder / MANIFEST).write_text("{")
    elif how == "gone":
        path.unlink()


SPOILT = {
    "nothing": "no network: there is no ",
    "cut": "no network: .*the file is cut short",
    "manifest": "no network: .*cannot be read",
    "gone": "no network: .*cannot be read",
    "other": "no network: .*the architecture is test-1",
}


@pytest.mark.usefixtures("with_kernel")
@pytest.mark.parametrize("how", SPOILT)
def test_without_sound_weights_it_cannot_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    spoil(tmp_path, how)
    use(monkeypatch, tmp_path)
    with pytest.raises(CannotPlay, match=SPOILT[how]):
        ChampionPlayer(3).choose(opening("spoilt"), LITTLE)


@pytest.mark.usefixtures("with_kernel")
def test_it_cannot_play_under_rules_in_which_no_network_reigns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crown(write(tmp_path, "fast", network()), "icga")
    use(monkeypatch, tmp_path)
    with pytest.raises(CannotPlay, match=f"no network: none reigns for {NAME} under botzone"):
        ChampionPlayer(3).choose(opening("reigns"), LITTLE)


# Options.


@pytest.mark.usefixtures("with_kernel")
def test_a_file_can_be_named(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, tmp_path)
    path = str(next(folder.glob("*.ddzw")))
    assert ChampionPlayer(3, weights=path).choose(opening("named"), LITTLE).debug["weights"] == path
    with pytest.raises(
        CannotPlay, match=r"^no network: none\.ddzw: the file cannot be read: No such file or directory$"
    ):
        ChampionPlayer(3, weights="none.ddzw").choose(opening("named"), LITTLE)


@pytest.mark.usefixtures("with_kernel")
def test_a_kernel_without_the_network_cannot_play(reigns: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise ValueError("this kernel has no fast network")

    monkeypatch.setattr("ddzbot.kernel.fast_net.FastNet", refuse)
    fast_net.forget()
    for options in ({}, {"weights": str(next(reigns.glob("*.ddzw")))}):
        with pytest.raises(CannotPlay, match=r"^no network: this kernel has no fast network$"):
            ChampionPlayer(3, **options).choose(opening("old"), LITTLE)
    fast_net.forget()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"search": "deep"}, "search=deep is unknown; there are rollout and none"),
        ({"solver": "fast"}, "solver=fast is unknown; there are exact and none"),
        ({"bids": "high"}, "bids=high is unknown; there are points and hand"),
        ({"arms": "0"}, "arms=0 is not a number from 1 to 16"),
        ({"arms": 17}, "arms=17 is not a number from 1 to 16"),
        ({"arms": "1.5"}, "arms=1.5 is not a number"),
        ({"near": "-1"}, "near=-1 is not a number from 0 to 1000"),
        ({"near": "0.0001"}, "near=0.0001 is not a number"),
        ({"prior": 100001}, "prior=100001 is not a number from 0 to 100000"),
        ({"sure": "many"}, "sure=many is not a number from 0 to 100"),
        ({"drawn": "17"}, "drawn=17 is not a number from 0 to 16"),
        ({"heat": "0"}, "heat=0 is not a number from 0.001 to 1000"),
        ({"heat": "nan"}, "heat=nan is not a number"),
        ({"blend": "101"}, "blend=101 is not a number from 0 to 100"),
        ({"belief": "strong"}, "model 'strong' is unknown; there are "),
        ({"color": "red"}, "player 'champion:color=red': the option 'color' is unknown; there are search, weights, "),
    ],
)
def test_bad_options_get_one_sentence(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_player("champion", 0, **options)


@pytest.mark.usefixtures("with_kernel", "reigns")
@pytest.mark.parametrize(
    "options",
    [{"arms": 16, "near": 1000, "prior": 0, "sure": 0}, {"drawn": 16, "heat": 0.001}, {"blend": 100}],
)
def test_options_at_the_ends_of_their_ranges_are_taken(options: dict[str, object]) -> None:
    view = opening("ends")
    assert make_player("champion", 0, **options).choose(view, Limit(playouts=20)).move in view.legal_moves()


# Points.


@pytest.mark.usefixtures("with_kernel")
@pytest.mark.parametrize(("name", "decides", "other"), [("botzone", "win", "score"), ("botzone2", "score", "win")])
def test_points_decide_where_there_is_an_auction(name: str, decides: str, other: str, reigns: Path) -> None:
    net = fast_net.reigning_net(kernel.native(), name, str(reigns)).net
    assert net is not None
    differ = 0
    for view in random_views(60, name)[::3]:
        best = {head: max(net.values(view), key=attrgetter(head)).move for head in ("win", "score")}
        usual = ChampionPlayer(search="none").choose(view, LITTLE)
        assert usual.move == best[decides]
        assert usual.debug.get("aims", "win") == decides
        assert ChampionPlayer(search="none", aims=other).choose(view, LITTLE).move == best[other]
        differ += best["win"] != best["score"]
    assert differ


@pytest.mark.usefixtures("with_kernel", "reigns")
def test_a_search_for_points_says_so_and_tells_shares_of_wins() -> None:
    debug = ChampionPlayer(near=50).choose(opening("points", RULE_SETS["botzone2"]), LITTLE).debug
    assert debug["aims"] == "score"
    assert all(0 <= won <= 1 and 0 <= share <= 1 for won, _, share in debug["moves"].values())


def test_an_unknown_aim_is_refused() -> None:
    with pytest.raises(ValueError, match="champion: aims=money is unknown; there are win and score"):
        ChampionPlayer(aims="money")
