"""The player mcm: legal, deterministic, within its limit, and honest about what decided."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from ddzbot import kernel
from ddzbot.candidates import candidates_by
from ddzbot.kernel.searching import MINI_SPLIT
from ddzbot.net.mcm_cnn import McmNetwork
from ddzbot.players.base import CannotPlay
from ddzbot.players.mcm import SETTINGS, McmPlayer, Setting, share_of
from ddzbot.players.mctshs import USUAL_PLAYOUTS
from ddzbot.players.registry import make_player
from ddzbot.search.limit import Limit
from ddzbot.search.slices import Search
from ddzbot.view import View
from tests.net.models import random_network
from tests.search.positions import endgame, opening
from tools.release.weights_file import promote, write

LITTLE = Limit(playouts=60)
WIDE: dict[str, Any] = {"margin": 4}
"""Random weights value moves farther apart than trained ones do; so several are still searched."""
DEFAULT = SETTINGS["default"]


def of_seat(seat: int) -> View:
    """Gets a view of a seat that leads and has several candidates."""
    hands = ["3457799TJJQ22", "3466889TTQKA2", "3557788JQKKAA"]
    return endgame((hands[seat], hands[(seat + 1) % 3], hands[(seat + 2) % 3]), seat)


def leading(view: View, move: str, folder: Path) -> str:
    """Writes the first of the random networks that values *move* highest, and names its file."""
    for seed in range(50):
        network = random_network(seed)
        values = McmNetwork(network, kernel.native()).values(view, view.legal_moves())
        if str(view.legal_moves()[values.index(max(values))]) == move:
            return str(write(folder, "mcm", network))
    raise AssertionError(f"no network leads {move}")


# The network.


@pytest.mark.usefixtures("with_kernel", "networks")
@pytest.mark.parametrize("seat", range(3))
def test_without_search_the_best_candidate_of_the_network_is_played(seat: int) -> None:
    view = of_seat(seat)
    decision = McmPlayer(3, search="none", setting="default").choose(view, LITTLE)
    listed = list(decision.debug["moves"].items())
    assert decision.debug["search"] == "none"
    assert listed[0][0] == str(decision.move)
    assert [value for _, (value,) in listed] == sorted((value for _, (value,) in listed), reverse=True)
    values = McmNetwork(random_network(), kernel.native()).values(view, [decision.move])
    assert listed[0][1] == [round(values[0], 3)]


@pytest.mark.usefixtures("with_kernel", "networks")
@pytest.mark.parametrize("search", ["tree", "none"])
@pytest.mark.parametrize("setting", sorted(SETTINGS))
def test_it_goes_out_when_it_can(setting: str, search: str) -> None:
    view = endgame(("3334", "55667788", "9TJQK"), 0)
    player = McmPlayer(3, setting=setting, search=search)
    decision = player.choose(view, LITTLE)
    assert (str(decision.move), decision.debug["search"]) == ("3334", "goes out")
    assert player.best_so_far == decision.move


@pytest.mark.usefixtures("with_kernel", "networks")
def test_a_single_candidate_is_played_at_once() -> None:
    view = endgame(("22", "3455", "33"), 0, (endgame(("22", "3455", "33"), 0).legal_moves()[-1],))
    decision = McmPlayer(3).choose(view, LITTLE)
    assert (str(decision.move), decision.debug["search"]) == ("pass", "one candidate")


@pytest.mark.parametrize(
    ("seat", "payoff", "share"), [(0, 2.0, 1.0), (0, 1.0, 0.75), (0, -2.0, 0.0), (1, 1.0, 1.0), (2, 0.5, 0.75)]
)
def test_a_payoff_is_a_share_of_games_won(seat: int, payoff: float, share: float) -> None:
    assert share_of(seat, payoff) == share


# The search.


@pytest.mark.whole
@pytest.mark.usefixtures("with_kernel", "networks")
def test_a_limit_of_seconds_alone_ends_where_more_playouts_change_no_move(monkeypatch: pytest.MonkeyPatch) -> None:
    # A search that does not end there should not take ten minutes to fail.
    monkeypatch.setattr(Search, "watch", lambda search: search.playouts > 4 * USUAL_PLAYOUTS)
    player, view, more = McmPlayer(3, **WIDE), opening("enough"), 3 * USUAL_PLAYOUTS
    timed, endless, longer = (player.choose(view, limit) for limit in (Limit(600.0), Limit(), Limit(600.0, more)))
    assert timed == endless
    assert timed.debug["playouts"] <= USUAL_PLAYOUTS < longer.debug["playouts"]


def searched_moves(**options: Any) -> dict[str, Any]:
    decision = McmPlayer(3, **options).choose(opening("searched"), Limit(playouts=3000))
    listed: dict[str, Any] = decision.debug["moves"]
    return listed


@pytest.mark.usefixtures("with_kernel", "networks")
def test_only_the_best_moves_of_the_network_are_searched() -> None:
    best = list(searched_moves(search="none"))
    assert set(searched_moves(branches=3, **WIDE)) == set(best[:3])


@pytest.mark.usefixtures("networks")
@pytest.mark.parametrize("native", ["with_kernel", "without_kernel"])
@pytest.mark.parametrize(
    ("options", "strategy", "margin"), [({"candidates": "mini"}, MINI_SPLIT, 0), ({"k": 0}, 0, 0), ({"k": "3"}, 0, 3)]
)
def test_the_network_values_the_candidates_alone(
    request: pytest.FixtureRequest, options: dict[str, Any], strategy: int, margin: int, native: str
) -> None:
    request.getfixturevalue(native)
    for seed in range(5):
        view = opening(f"candidates/{seed}", "mini")
        moves = candidates_by(strategy, view.rules, view.hand, view.to_beat, margin)
        values = McmNetwork(random_network(), kernel.native()).values(view, moves)
        decision = McmPlayer(3, search="none", **options).choose(view, LITTLE)
        assert decision.move == moves[values.index(max(values))]


@pytest.mark.usefixtures("with_kernel", "networks")
def test_only_moves_near_the_best_one_are_searched() -> None:
    values = searched_moves(search="none")
    (first,), (second,), (third,) = list(values.values())[:3]
    near = round(first - second + (second - third) / 2, 3)
    assert set(searched_moves(margin=near)) == set(list(values)[:2])


@pytest.mark.usefixtures("with_kernel", "networks")
def test_one_branch_needs_no_search() -> None:
    decision = McmPlayer(3, margin=0).choose(opening("searched"), LITTLE)
    assert decision.debug["search"] == "one branch"
    assert decision.move == McmPlayer(3, search="none").choose(opening("searched"), LITTLE).move


@pytest.mark.usefixtures("with_kernel", "networks")
def test_debug_tells_the_file_the_playouts_and_the_branches(networks: Path) -> None:
    decision = McmPlayer(3, **WIDE).choose(opening("debug"), Limit(playouts=900))
    assert decision.debug["weights"] in {f"{path.name}, kernel" for path in networks.iterdir()}
    assert 0 < decision.debug["playouts"] <= 900
    first, (_, visits, mean) = next(iter(decision.debug["moves"].items()))
    assert first == str(decision.move)
    assert 0 < visits <= decision.debug["playouts"]
    assert 0 <= mean <= 1
    assert len(json.dumps(decision.debug)) < 500


@pytest.mark.usefixtures("with_kernel")
def test_each_setting_plays_with_the_network_of_its_own_teacher(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DDZ_WEIGHTS", str(tmp_path))
    usual, own = (write(tmp_path, "mcm", random_network(seed)) for seed in (1, 2))
    promote(usual, "botzone")
    promote(own, "botzone", "thesis")
    for player, path in (("mcm", usual), ("mcm:setting=thesis", own), ("mcm:setting=thesis,search=none", own)):
        assert make_player(player).choose(of_seat(1), LITTLE).debug["weights"] == f"{path.name}, kernel"


@pytest.mark.usefixtures("with_kernel", "networks")
def test_a_heavy_prior_leaves_the_move_to_the_network() -> None:
    view = of_seat(1)
    heavy = McmPlayer(3, setting="thesis", prior=1 << 24, turns=0, c=0, **WIDE)
    assert heavy.choose(view, Limit(playouts=500)).move == McmPlayer(3, search="none").choose(view, LITTLE).move


@pytest.mark.usefixtures("with_kernel", "networks")
def test_the_search_overrides_a_network_that_loses(tmp_path: Path) -> None:
    # Both others beat any solo and go out; only the pair wins.
    view = endgame(("577", "K", "A"), 0)
    path = leading(view, "5", tmp_path)
    assert str(McmPlayer(3, search="none", weights=path).choose(view, LITTLE).move) == "5"
    player = McmPlayer(3, setting="thesis", prior=10, weights=path, **WIDE)
    assert str(player.choose(view, Limit(playouts=2000)).move) == "77"


@pytest.mark.usefixtures("with_kernel", "networks")
@pytest.mark.parametrize(("seat", "search"), [(0, "not for this seat"), (1, "not for this seat"), (2, None)])
def test_as_logged_landlord_up_alone_corrects(seat: int, search: str | None) -> None:
    view = of_seat(seat)
    debug = McmPlayer(3, setting="thesis", corrects="logged", **WIDE).choose(view, LITTLE).debug
    assert debug.get("search") == search
    assert "playouts" in McmPlayer(3, setting="thesis", **WIDE).choose(view, LITTLE).debug


@pytest.mark.usefixtures("with_kernel", "networks")
def test_default_plays_certain_wins_and_thesis_does_not() -> None:
    view = endgame(("3AA", "5K9J", "68Q5"), 0)
    assert McmPlayer(3).choose(view, LITTLE).debug["search"] == "certain win"
    assert McmPlayer(3, setting="thesis", **WIDE).choose(view, LITTLE).debug["playouts"] > 0


# Limits and determinism.


@pytest.mark.usefixtures("with_kernel", "networks")
@pytest.mark.parametrize("limit", [Limit(), Limit(playouts=200000), Limit(seconds=60.0)])
def test_the_thesis_makes_at_most_100000_simulations(limit: Limit) -> None:
    view = endgame(("577", "K", "A"), 0)
    debug = McmPlayer(3, setting="thesis", **WIDE).choose(view, limit).debug
    assert debug["playouts"] == 100000


@pytest.mark.usefixtures("with_kernel", "networks")
def test_the_limit_of_seconds_counts_the_network_too(monkeypatch: pytest.MonkeyPatch) -> None:
    values, asked = McmNetwork.values, list[float]()

    def slow(self: McmNetwork, *arguments: Any) -> Any:
        asked.append(time.monotonic())
        time.sleep(0.2)
        return values(self, *arguments)

    monkeypatch.setattr(McmNetwork, "values", slow)
    debug = McmPlayer(3, **WIDE).choose(opening("seconds"), Limit(seconds=0.2)).debug
    assert len(asked) == 1
    assert debug["playouts"] == 200  # the first slice, which every search makes


# Without this or that.


@pytest.mark.usefixtures("without_kernel", "networks")
def test_without_the_kernel_the_network_alone_does_with_numpy() -> None:
    view = of_seat(1)
    with pytest.raises(CannotPlay, match="no kernel"):
        McmPlayer(3).choose(view, LITTLE)
    alone = make_player("mcm", 3, setting="thesis").without_search()
    assert isinstance(alone, McmPlayer)
    assert (alone.label, alone.setting, alone.without_search()) == (
        "mcm:setting=thesis,search=none",
        SETTINGS["thesis"],
        None,
    )
    decision = alone.choose(view, LITTLE)
    assert decision.debug["weights"].endswith(", numpy")
    assert str(decision.move) == next(iter(decision.debug["moves"]))


# Options.


def test_the_thesis_constants_are_those_of_its_logs() -> None:
    thesis = SETTINGS["thesis"]
    assert (thesis.branches, thesis.margin, thesis.head_visits, thesis.in_turn) == (5, 200, 1000, 10000)
    assert (thesis.options.exploration, thesis.most_playouts, thesis.corrects) == (1000, 100000, "all")


def test_options_change_one_thing_of_the_setting() -> None:
    changes: list[tuple[dict[str, object], Setting]] = [
        ({"corrects": "logged"}, DEFAULT._replace(corrects="logged")),
        ({"branches": "3"}, DEFAULT._replace(branches=3)),
        ({"margin": "0.5"}, DEFAULT._replace(margin=500)),
        ({"prior": "7"}, DEFAULT._replace(head_visits=7)),
        ({"turns": 9}, DEFAULT._replace(in_turn=9)),
        ({"c": "0.29"}, DEFAULT._replace(options=DEFAULT.options._replace(exploration=290))),
        ({"belief": "mini"}, DEFAULT._replace(belief="mini")),
        ({"belief": "report"}, DEFAULT._replace(belief="report")),
        ({"k": "3"}, DEFAULT._replace(options=DEFAULT.options._replace(root_margin=3))),
        ({"candidates": "mini"}, DEFAULT._replace(options=DEFAULT.options._replace(pruning=MINI_SPLIT))),
        ({"k": 0, "c": 1}, DEFAULT._replace(options=DEFAULT.options._replace(root_margin=0, exploration=1000))),
    ]
    for options, wanted in changes:
        changed = make_player("mcm", 3, **options)
        assert isinstance(changed, McmPlayer)
        assert changed.setting == wanted
