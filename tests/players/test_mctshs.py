"""The player mctshs: legal, deterministic, within its limit, and honest about what it did."""

import time

import pytest

from ddzbot.belief.worlds import BELIEFS
from ddzbot.game import Deal, shuffled, start
from ddzbot.kernel.searching import LESS_SPLIT, MINI_SPLIT, SearchOptions
from ddzbot.mini_split import mini_candidates
from ddzbot.players.base import CannotPlay
from ddzbot.players.mctshs import SETTINGS, USUAL_PLAYOUTS, MctshsPlayer, thesis_playouts
from ddzbot.players.random_player import RandomPlayer
from ddzbot.players.registry import make_player
from ddzbot.players.rule import RulePlayer
from ddzbot.rules import BOTZONE, MINI, RULE_SETS
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View
from tests.search.positions import endgame, lay

NAMES = sorted(RULE_SETS)
Hands = tuple[str, str, str]
LITTLE = Limit(playouts=60)


def opening(seed: str) -> View:
    return View.of(start(shuffled(BOTZONE, seed)), 0)


def play_out(deal: Deal, setting: str, seat: int) -> None:
    """Plays a game, *seat* by the search and the others at random; the game refuses an illegal move."""
    game = start(deal)
    searcher, others = MctshsPlayer(1, setting=setting), RandomPlayer(2)
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
    fresh = [MctshsPlayer(3, setting=setting).choose(view, Limit(playouts=2000)) for _ in range(2)]
    assert fresh[0] == fresh[1]


@pytest.mark.usefixtures("with_kernel")
def test_an_earlier_decision_changes_no_later_one() -> None:
    player = MctshsPlayer(3)
    player.choose(opening("earlier"), LITTLE)
    assert player.choose(opening("later"), LITTLE) == MctshsPlayer(3).choose(opening("later"), LITTLE)


@pytest.mark.usefixtures("with_kernel")
def test_without_a_limit_the_number_of_playouts_is_fixed() -> None:
    debug = MctshsPlayer(3, setting="default").choose(opening("fixed"), Limit()).debug
    assert 0 < debug["playouts"] <= USUAL_PLAYOUTS


@pytest.mark.parametrize(("number", "playouts"), [(1, 50000), (16, 50000), (20, 60000), (40, 100000)])
def test_the_thesis_gives_3000_playouts_to_a_candidate_within_bounds(number: int, playouts: int) -> None:
    assert thesis_playouts(number) == playouts


@pytest.mark.usefixtures("with_kernel")
def test_the_thesis_setting_without_a_limit_has_the_budget_of_the_thesis() -> None:
    view = opening("budget")
    assert MctshsPlayer(3, setting="thesis").choose(view, Limit()).debug["playouts"] >= 50000


@pytest.mark.usefixtures("with_kernel")
@pytest.mark.parametrize("seconds", [0.05, 0.3])
def test_the_limit_of_seconds_is_kept(seconds: float) -> None:
    player = MctshsPlayer(3)
    # Of the processor: others may have it for as long as they want.
    began = time.process_time()
    player.choose(opening("seconds"), Limit(seconds=seconds))
    assert time.process_time() - began < seconds + 0.25


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
def test_without_the_kernel_it_cannot_play() -> None:
    with pytest.raises(CannotPlay, match=r"^no kernel: "):
        MctshsPlayer(3).choose(opening("twin"), LITTLE)


# Certain wins.

THESIS = (("5L", "334567QQKKA2B", "2"), ("2L", "334567QQKKA2B", "5"))
"""The example of the thesis: landlord_down cannot see which of the two has the 5, and which the 2."""


@pytest.mark.usefixtures("with_kernel")
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("hands", THESIS)
def test_the_thesis_example_is_answered_by_the_big_joker_and_a_safe_lead(hands: Hands, seed: int) -> None:
    player = MctshsPlayer(seed)
    answer = player.choose(endgame(hands, 0, (lay("L"),)), Limit(playouts=200)).move
    assert str(answer) == "B"
    landlord, own, landlord_up = hands
    after = endgame((landlord.replace("L", ""), own.replace("B", ""), landlord_up), 1)
    assert str(player.choose(after, Limit(playouts=200)).move) in {"3", "4", "2", "33", "QQ", "KK", "34567"}


@pytest.mark.usefixtures("with_kernel")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("hands", "leader", "move"),
    [
        (("99LB", "5QQ8", "78JJ"), 0, "LB"),
        (("TT56", "99LB", "78JJ"), 1, "LB"),
        (("TT56", "5QQ8", "99LB"), 2, "LB"),
        (("3AA", "5K9J", "68Q5"), 0, "AA"),
        (("3334", "55667788", "9TJQK"), 0, "3334"),
        (("9", "357", "4"), 1, "3"),
    ],
)
def test_a_certain_win_is_played_with_every_seed(hands: Hands, leader: int, move: str, seed: int) -> None:
    decision = MctshsPlayer(seed).choose(endgame(hands, leader), Limit(playouts=50))
    assert str(decision.move) == move
    assert decision.debug["search"] == "certain win"


@pytest.mark.usefixtures("with_kernel")
def test_a_proof_is_charged_to_the_limit_of_playouts() -> None:
    debug = MctshsPlayer(3).choose(opening("charged"), Limit(playouts=700)).debug
    assert 350 <= debug["playouts"] < 700


@pytest.mark.usefixtures("with_kernel")
@pytest.mark.parametrize("setting", ["thesis", "report"])
def test_the_settings_of_others_prove_nothing(setting: str) -> None:
    decision = MctshsPlayer(3, setting=setting).choose(endgame(("3AA", "5K9J", "68Q5"), 0), Limit(playouts=50))
    assert "search" not in decision.debug


# The bot of the report.


def test_the_report_is_one_tree_over_one_guess_of_pruned_moves_and_random_games() -> None:
    report = SETTINGS["report"]
    options = report.options
    assert (report.belief, report.playouts(30)) == ("report", USUAL_PLAYOUTS)
    assert (options.worlds, options.ripe, options.pruning) == (1, 1, MINI_SPLIT)
    assert (options.long_list, options.quick, options.finish, options.field_visits) == (5, False, False, 0)


@pytest.mark.usefixtures("with_kernel")
def test_the_report_plays_the_most_visited_of_its_candidates() -> None:
    view = View.of(start(shuffled(MINI, "candidates")), 0)
    decision = MctshsPlayer(3, setting="report").choose(view, Limit(playouts=3000))
    kept = mini_candidates(MINI, view.hand)
    assert 1 < len(kept) < len(view.legal_moves())
    visits = [told[0] for told in decision.debug["moves"].values()]
    assert visits == sorted(visits, reverse=True)
    assert str(decision.move) == next(iter(decision.debug["moves"]))
    assert {*decision.debug["moves"]} <= {*map(str, kept)}


@pytest.mark.usefixtures("with_kernel")
def test_other_candidates_can_be_asked_for() -> None:
    view = View.of(start(shuffled(MINI, "candidates")), 0)
    kept = {*map(str, mini_candidates(MINI, view.hand))}
    few = MctshsPlayer(3, candidates="mini").choose(view, Limit(playouts=3000)).debug["moves"]
    all_moves = MctshsPlayer(3, setting="thesis", k=255).choose(view, Limit(playouts=3000)).debug["moves"]
    assert {*few} <= kept
    assert not {*all_moves} <= kept


# Options.


@pytest.mark.usefixtures("with_kernel")
@pytest.mark.parametrize("belief", sorted(BELIEFS))
def test_every_belief_gives_a_move_and_the_same_one_again(belief: str) -> None:
    game = start(shuffled(BOTZONE, "belief"))
    for _ in range(10):
        game = game.play(RulePlayer(1).choose(View.of(game, game.seat), LITTLE).move)
    view = View.of(game, game.seat)
    decision = MctshsPlayer(3, belief=belief).choose(view, Limit(playouts=500))
    assert decision.move in view.legal_moves()
    assert decision == MctshsPlayer(3, belief=belief).choose(view, Limit(playouts=500))


def test_it_bids_as_every_player_does() -> None:
    view = BidView(RULE_SETS["botzone2"], start(shuffled(RULE_SETS["botzone2"], "bid")).hands[1], ())
    assert MctshsPlayer(3).bid(view) == RulePlayer(3).bid(view)


def test_options_change_one_thing_of_the_setting() -> None:
    default, report = SETTINGS["default"].options, SETTINGS["report"].options
    changes: list[tuple[dict[str, object], SearchOptions]] = [
        ({"worlds": "8", "k": "1", "c": "0.5"}, default._replace(worlds=8, root_margin=1, exploration=500)),
        ({"candidates": "mini"}, default._replace(pruning=MINI_SPLIT)),
        ({"setting": "report", "candidates": "less_split", "k": 0}, report._replace(pruning=LESS_SPLIT, root_margin=0)),
        ({"setting": "report", "long_list": "65536"}, report._replace(long_list=65536)),
    ]
    for given, wanted in changes:
        changed = make_player("mctshs", 3, **given)
        assert isinstance(changed, MctshsPlayer)
        assert changed.setting.options == wanted


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"setting": "best"}, "setting=best is unknown; there are thesis, default and report"),
        ({"belief": "strong"}, "belief 'strong' is unknown; there are "),
        ({"candidates": "all"}, "mctshs: candidates=all is unknown; there are less_split and mini"),
        ({"candidates": "mini", "k": "2"}, "mctshs: k=2 is a margin of candidates=less_split alone"),
        ({"setting": "report", "k": "2"}, "mctshs: k=2 is a margin of candidates=less_split alone"),
        ({"long_list": "65537"}, "long_list=65537 is not a number from 0 to 65536"),
        ({"worlds": "300"}, "worlds=300 is not a number from 0 to 256"),
        ({"k": "1.5"}, "k=1.5 is not a number from 0 to 255"),
        ({"c": "much"}, "c=much is not a number from 0 to 1000"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_player("mctshs", 3, **options)
