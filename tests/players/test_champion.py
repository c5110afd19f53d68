"""The player champion: legal, deterministic, within its limit, and at its best with whatever is there."""

import json
import math
from collections import Counter
from operator import attrgetter
from pathlib import Path

import pytest

from ddzbot import kernel
from ddzbot.kernel.fast_records import chance
from ddzbot.net import fast_net
from ddzbot.net.fast_features import NAME
from ddzbot.players.base import OUT_OF_TIME, CannotPlay
from ddzbot.players.champion import ChampionPlayer
from ddzbot.players.registry import make_player
from ddzbot.search.deadline import Deadline
from ddzbot.search.limit import Limit
from ddzbot.view import View
from tests.net.fast_models import random_network
from tests.net.networks import small_network
from tests.net.positions import random_views
from tests.search.positions import endgame, opening
from tools.release.weights_file import promote, write

LITTLE = Limit(playouts=40)


# Decisions.


@pytest.mark.usefixtures("with_kernel")
def test_debug_tells_the_file_the_playouts_and_the_best_moves(networks: Path) -> None:
    decision = ChampionPlayer(3).choose(opening("debug"), Limit(playouts=300))
    assert decision.debug["weights"] in {path.name for path in networks.iterdir()}
    assert 300 <= decision.debug["playouts"] < 310
    listed = decision.debug["moves"]
    assert str(decision.move) in listed
    assert len(listed) == 4
    assert all(0 <= won <= 1 and visits > 0 and 0 <= mean <= 1 for won, visits, mean in listed.values())
    assert len(json.dumps(decision.debug)) < 500


@pytest.mark.usefixtures("with_kernel", "networks")
def test_without_a_search_the_networks_best_move_is_made() -> None:
    view = opening("none")
    decision = ChampionPlayer(3, search="none").choose(view, LITTLE)
    net = fast_net.LOADER.load(kernel.native(), "botzone").net
    assert net is not None
    best = max(net.values(view), key=lambda worth: worth.win)
    assert decision.move == best.move
    assert decision.debug["moves"][str(best.move)] == [round(best.chance, 3)]
    assert "playouts" not in decision.debug


@pytest.mark.usefixtures("with_kernel", "networks")
@pytest.mark.parametrize("arms", [1, 8])
def test_the_search_chooses_among_moves_that_win_in_every_world(arms: int) -> None:
    # The partner holds two of 4 9 J J and can take the lead over a 3, 6 or 7. A proof lets it pass.
    view = endgame(("JJ", "367Q", "49"), 1)
    without, usual = (
        ChampionPlayer(3, max_moves=arms, solver=solver).choose(view, LITTLE) for solver in ("none", "exact")
    )
    assert str(usual.move) in ("3", "6", "7")
    assert usual.debug == {**without.debug, "only": "wins in all worlds"}
    if arms == 1:
        assert str(without.move) == "Q"


@pytest.mark.usefixtures("with_kernel", "networks")
def test_the_only_move_that_wins_in_every_world_is_made_at_once() -> None:
    decision = ChampionPlayer(3).choose(endgame(("T", "34577", "88"), 1), LITTLE)
    assert (str(decision.move), decision.debug["search"]) == ("77", "wins in all worlds")


@pytest.mark.usefixtures("with_kernel", "networks")
def test_a_certain_win_is_played_at_once_unless_the_search_for_it_is_off() -> None:
    view = endgame(("5", "334567QQKKA2", "2"), 1)
    assert ChampionPlayer(3).choose(view, LITTLE).debug["search"] == "certain win"
    assert ChampionPlayer(3, solver="none").choose(view, LITTLE).debug["playouts"] > 0


@pytest.mark.usefixtures("with_kernel", "networks")
def test_an_option_changes_the_search() -> None:
    view, limit = opening("options"), Limit(playouts=300)
    usual, changed = (ChampionPlayer(3, margin=1000, max_moves=arms).choose(view, limit).debug for arms in ("8", "2"))
    assert (len(usual["moves"]), len(changed["moves"])) == (4, 2)


@pytest.mark.parametrize(("logit", "expected"), [(0, 0.5), (1000, 1.0), (-1000, 0.0), (1.0986122886681098, 0.75)])
def test_a_logit_stands_for_a_chance(logit: float, expected: float) -> None:
    assert chance(logit) == pytest.approx(expected)


# A temperature.


def drawn(view: View, temperature: float, objective: str = "wp") -> Counter[str]:
    """Counts what the network alone plays with 200 seeds."""
    options = {"search": "none", "move_temperature": temperature, "objective": objective}
    return Counter(str(ChampionPlayer(seed, **options).choose(view, LITTLE).move) for seed in range(200))


@pytest.mark.usefixtures("with_kernel")
@pytest.mark.parametrize(("objective", "head", "unit"), [("wp", "win", 1.0), ("adp", "score", 2.0)])
def test_moves_are_drawn_as_often_as_the_temperature_says(
    objective: str, head: str, unit: float, networks: Path
) -> None:
    net = fast_net.LOADER.load(kernel.native(), "botzone", folder=str(networks)).net
    assert net is not None
    view = opening("drawn")
    worths = sorted(net.values(view), key=attrgetter(head), reverse=True)
    best, behind = worths[0], getattr(worths[0], head) - getattr(worths[-1], head)
    assert drawn(view, 0, objective) == {str(best.move): 200}
    hot = behind / unit  # at which the worst move comes 1/e times as often as the best one
    weights = [math.exp((getattr(one, head) - getattr(best, head)) / behind) for one in worths]
    found = drawn(view, round(hot, 3), objective)
    for half in (slice(0, len(worths) // 2), slice(len(worths) // 2, None)):
        share = sum(weights[half]) / sum(weights)
        assert abs(sum(found[str(one.move)] for one in worths[half]) / 200 - share) < 0.15
    assert len(found) > len(worths) / 3


@pytest.mark.usefixtures("with_kernel", "networks")
def test_last_cards_are_played_at_any_temperature() -> None:
    assert drawn(endgame(("3334", "55667788", "9TJQK"), 0), 100) == {"3334": 200}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("champion:move_temperature=1", "champion: move_temperature needs search=none, since a search"),
        ("champion:search=none,move_temperature=101", "champion: move_temperature=101 is not a number from 0 to 100"),
        ("champion:search=none,move_temperature=-1", "champion: move_temperature=-1 is not a number from 0 to 100"),
    ],
)
def test_a_temperature_of_a_search_or_out_of_range_is_refused(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        make_player(text)


# Without what is missing.


def test_the_network_alone_is_the_same_player_without_its_search() -> None:
    player = make_player("champion", 3, objective="adp")
    alone = player.without_search()
    assert isinstance(alone, ChampionPlayer)
    assert (alone.label, alone.options.search, alone.options.objective, alone.seed) == (
        "champion:objective=adp,search=none",
        "none",
        "adp",
        3,
    )
    assert alone.without_search() is None
    assert isinstance(player, ChampionPlayer) and player.options.search == "rollout"


@pytest.mark.usefixtures("with_kernel")
def test_a_network_of_other_rules_or_another_architecture_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DDZ_WEIGHTS", str(tmp_path))
    promote(write(tmp_path, "fast", random_network()), "icga")
    with pytest.raises(CannotPlay, match=f"no network: none is current for {NAME} under botzone"):
        ChampionPlayer(3).choose(opening("networks"), LITTLE)
    promote(write(tmp_path, "other", small_network(features=NAME)), "botzone")
    fast_net.LOADER.forget()
    with pytest.raises(CannotPlay, match=r"no network: .*the architecture is test-1"):
        ChampionPlayer(3).choose(opening("spoilt"), LITTLE)


# Options.


@pytest.mark.usefixtures("with_kernel")
def test_a_kernel_without_the_network_cannot_play(networks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise ValueError("this kernel has no fast network")

    monkeypatch.setattr("ddzbot.kernel.fast_net.FastNet", refuse)
    fast_net.LOADER.forget()
    for options in ({}, {"weights": str(next(networks.glob("fast-*.ddzw")))}):
        with pytest.raises(CannotPlay, match=r"^no network: this kernel has no fast network$"):
            ChampionPlayer(3, **options).choose(opening("old"), LITTLE)
    fast_net.LOADER.forget()


# Points.


@pytest.mark.usefixtures("with_kernel")
@pytest.mark.parametrize(("name", "decides", "other"), [("botzone", "wp", "adp"), ("botzone2", "adp", "wp")])
def test_points_decide_where_there_is_an_auction(name: str, decides: str, other: str, networks: Path) -> None:
    net = fast_net.LOADER.load(kernel.native(), name, folder=str(networks)).net
    assert net is not None
    differ = 0
    for view in random_views(60, name)[::3]:
        heads = {"wp": "win", "adp": "score"}
        best = {name: max(net.values(view), key=attrgetter(head)).move for name, head in heads.items()}
        usual = ChampionPlayer(search="none").choose(view, LITTLE)
        assert usual.move == best[decides]
        assert usual.debug.get("objective", "wp") == decides
        assert ChampionPlayer(search="none", objective=other).choose(view, LITTLE).move == best[other]
        differ += best["wp"] != best["adp"]
    assert differ


def test_an_option_is_read_by_the_name_that_kept_results_have() -> None:
    assert make_player("champion", 3, drawn="1").options == make_player("champion", 3, oversample="1").options
    with pytest.raises(ValueError, match="drawn is another name of oversample"):
        make_player("champion", 3, oversample="1", drawn="2")
    with pytest.raises(ValueError, match="the option 'drawn' is unknown"):
        make_player("mctshs", 3, drawn="1")


@pytest.mark.usefixtures("with_kernel", "networks")
def test_a_search_for_points_says_so_and_tells_shares_of_wins() -> None:
    debug = ChampionPlayer(margin=50).choose(opening("points", "botzone2"), LITTLE).debug
    assert debug["objective"] == "adp"
    assert all(0 <= won <= 1 and 0 <= share <= 1 for won, _, share in debug["moves"].values())


@pytest.mark.usefixtures("with_kernel")
def test_a_search_that_would_not_begin_in_time_is_not_loaded(networks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ChampionPlayer, "search_of", lambda *given: pytest.fail("it was"))
    monkeypatch.setattr(Deadline, "leaves", lambda deadline, times: times < 2)
    view = opening("hurried")
    decision, alone = ChampionPlayer(3).choose(view, LITTLE), make_player("champion:search=none").choose(view, LITTLE)
    assert (decision.move, decision.debug["search"]) == (alone.move, OUT_OF_TIME)
    assert {**decision.debug, "search": None} == {**alone.debug, "search": None}
