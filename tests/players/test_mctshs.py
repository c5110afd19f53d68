"""The player mctshs: legal, deterministic, within its limit, and honest about what it did."""

import time

import pytest

from ddzbot import kernel
from ddzbot.game import Deal, shuffled, start
from ddzbot.players.mctshs import SETTINGS, USUAL_PLAYOUTS, MctshsPlayer, thesis_playouts
from ddzbot.players.random_player import RandomPlayer
from ddzbot.players.registry import make_player
from ddzbot.players.rule import RulePlayer
from ddzbot.rules import BOTZONE, RULE_SETS
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View
from tests.support import kernel_path, require

NAMES = sorted(RULE_SETS)
LITTLE = Limit(playouts=60)


@pytest.fixture
def with_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    path = require(kernel_path(), "a C compiler")
    monkeypatch.setattr(kernel, "_choice", kernel.choose({"DDZ_KERNEL": path}))


@pytest.fixture
def without_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "_choice", kernel.choose({"DDZ_NO_KERNEL": "1"}))


def opening(seed: str) -> View:
    return View.of(start(shuffled(BOTZONE, seed)), 0)


def play_out(deal: Deal, setting: str, seat: int) -> None:
    """Plays a game, *seat* by the search and the others at random; the game refuses an illegal move."""
    game = start(deal)
    searcher, others = MctshsPlayer(1, setting), RandomPlayer(2)
    while not game.finished:
        player = searcher if game.seat == seat else others
        game = game.play(player.choose(View.of(game, game.seat), LITTLE).move)


@pytest.mark.usefixtures("with_kernel")
@pytest.mark.parametrize("setting", sorted(SETTINGS))
@pytest.mark.parametrize("name", NAMES)
def test_no_move_is_illegal_over_whole_games(name: str, setting: str) -> None:
    for number in range(9):
        play_out(shuffled(RULE_SETS[name], f"whole/{number}"), setting, number % 3)


@pytest.mark.usefixtures("with_kernel")
@pytest.mark.parametrize("setting", sorted(SETTINGS))
def test_the_same_view_and_seed_give_the_same_decision(setting: str) -> None:
    view = opening("same")
    fresh = [MctshsPlayer(3, setting).choose(view, Limit(playouts=2000)) for _ in range(2)]
    assert fresh[0] == fresh[1]


@pytest.mark.usefixtures("with_kernel")
def test_an_earlier_decision_changes_no_later_one() -> None:
    player = MctshsPlayer(3)
    player.choose(opening("earlier"), LITTLE)
    assert player.choose(opening("later"), LITTLE) == MctshsPlayer(3).choose(opening("later"), LITTLE)


@pytest.mark.usefixtures("with_kernel")
def test_without_a_limit_the_number_of_playouts_is_fixed() -> None:
    debug = MctshsPlayer(3, "default").choose(opening("fixed"), Limit()).debug
    assert 0 < debug["playouts"] <= USUAL_PLAYOUTS


@pytest.mark.parametrize(("number", "playouts"), [(1, 50000), (16, 50000), (20, 60000), (40, 100000)])
def test_the_thesis_gives_3000_playouts_to_a_candidate_within_bounds(number: int, playouts: int) -> None:
    assert thesis_playouts(number) == playouts


@pytest.mark.usefixtures("with_kernel")
def test_the_thesis_setting_without_a_limit_has_the_budget_of_the_thesis() -> None:
    view = opening("budget")
    assert MctshsPlayer(3, "thesis").choose(view, Limit()).debug["playouts"] >= 50000


@pytest.mark.usefixtures("with_kernel")
@pytest.mark.parametrize("seconds", [0.05, 0.3])
def test_the_limit_of_seconds_is_kept(seconds: float) -> None:
    player = MctshsPlayer(3)
    began = time.monotonic()
    player.choose(opening("seconds"), Limit(seconds=seconds))
    assert time.monotonic() - began < seconds + 0.25


@pytest.mark.usefixtures("with_kernel")
def test_the_best_move_so_far_is_the_decision_in_the_end() -> None:
    player = MctshsPlayer(3)
    assert player.choose(opening("best"), Limit(playouts=3000)).move == player.best_so_far


@pytest.mark.usefixtures("with_kernel")
def test_debug_tells_the_best_moves_with_visits_and_share_of_wins() -> None:
    decision = MctshsPlayer(3).choose(opening("debug"), Limit(playouts=1500))
    first, (visits, mean) = next(iter(decision.debug["moves"].items()))
    assert first == str(decision.move)
    assert decision.debug["nodes"] > 1
    assert 0 < visits <= decision.debug["playouts"]
    assert 0 <= mean <= 1


@pytest.mark.usefixtures("without_kernel")
def test_without_the_kernel_the_rule_player_decides_and_debug_says_so() -> None:
    decision = MctshsPlayer(3).choose(opening("twin"), LITTLE)
    assert decision.move == RulePlayer(3).choose(opening("twin"), LITTLE).move
    assert decision.debug["search"] == "no kernel"


def test_it_bids_as_every_player_does() -> None:
    view = BidView(RULE_SETS["botzone2"], start(shuffled(RULE_SETS["botzone2"], "bid")).hands[1], ())
    assert MctshsPlayer(3).bid(view) == RulePlayer(3).bid(view)


def test_options_change_one_thing_of_the_setting() -> None:
    changed = make_player("mctshs", 3, worlds="8", k="1", c="0.5")
    assert isinstance(changed, MctshsPlayer)
    wanted = SETTINGS["default"].options._replace(worlds=8, root_margin=1, exploration=500)
    assert changed.setting.options == wanted


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"setting": "best"}, "setting 'best' is unknown; there are thesis, default"),
        ({"worlds": "300"}, "worlds=300 is no number from 0 to 256"),
        ({"k": "1.5"}, "k=1.5 is no number from 0 to 255"),
        ({"c": "much"}, "c=much is no number from 0 to 1000"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_player("mctshs", 3, **options)
