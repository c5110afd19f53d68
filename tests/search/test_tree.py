"""The tree search in the kernel: its statistics, what it finds, its limits, and what it refuses."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from scipy.stats import binomtest

from ddzbot.candidates import candidates_by
from ddzbot.cards import counts, parse_hand
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.library import KernelError
from ddzbot.kernel.searching import ALL_MOVES, LESS_SPLIT, MINI_SPLIT, MOST_MOVES, Branches, NativeSearch, SearchOptions
from ddzbot.kernel.worlds import KernelWays
from ddzbot.mini_split import mini_candidates
from ddzbot.rules import BOTZONE, RULE_SETS, SOLO, Move, legal_moves
from ddzbot.search.deadline import Clock, Deadline
from ddzbot.search.limit import Limit
from ddzbot.search.tree import TreeSearch, by_corrected_mean, by_mean
from ddzbot.view import View
from tests.search.positions import endgame, middle, move_of, opening

SETTINGS = {
    "one_world": SearchOptions(worlds=1, root_margin=2, tree_margin=2, expand_at=1, exploration=4000),
    "halving": SearchOptions(1, 2, 2, 1, 4000, halving_visits=50, halving_least=4),
    "ten_worlds": SearchOptions(worlds=10, root_margin=2, tree_margin=2, expand_at=3, exploration=1500),
    "many_worlds": SearchOptions(worlds=0, root_margin=2, tree_margin=ALL_MOVES, expand_at=3, exploration=1500),
    "short_lists": SearchOptions(0, 2, 2, 3, 1500, finish=True, long_solos=3),
    "quick": SearchOptions(
        worlds=0, root_margin=2, tree_margin=1, expand_at=3, exploration=700, quick=True, noise=2000
    ),
    "quick_in_one_world": SearchOptions(1, 2, 2, 1, 4000, quick=True),
    "report": SearchOptions(1, 2, 2, 1, 2000, long_list=5, pruning=MINI_SPLIT),
    "report_in_many_worlds": SearchOptions(0, 2, 2, 3, 1500, long_list=5, pruning=MINI_SPLIT),
}
MANY = SETTINGS["many_worlds"]
LESS_OR_MINI = (MINI_SPLIT, LESS_SPLIT)
"""The other pruning."""
NAMES = sorted(RULE_SETS)


@pytest.fixture(params=sorted(SETTINGS))
def options(request: pytest.FixtureRequest) -> SearchOptions:
    return SETTINGS[request.param]


def searched(kernel: Kernel, view: View, options: SearchOptions, playouts: int = 1000, seed: int = 7) -> NativeSearch:
    search = NativeSearch(kernel, view, options, seed, nodes=20000)
    search.run(playouts)
    return search


# Statistics.


def test_the_visits_of_the_root_sum_up_to_the_simulations(kernel: Kernel, options: SearchOptions) -> None:
    arms = searched(kernel, opening("sum"), options, 999).arms()
    assert sum(arm.visits for arm in arms) == 999
    assert all(0 <= arm.wins <= arm.visits for arm in arms)


def test_the_arms_are_the_candidates(kernel: Kernel, options: SearchOptions) -> None:
    view = opening("arms")
    found = [arm.move for arm in searched(kernel, view, options, 1).arms()]
    assert found == candidates_by(options.pruning, view.rules, view.hand, view.to_beat, options.root_margin)
    other = LESS_OR_MINI[options.pruning]
    assert found != candidates_by(other, view.rules, view.hand, view.to_beat, options.root_margin)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_won_game_counts_as_won_for_each_seat(kernel: Kernel, options: SearchOptions, seat: int) -> None:
    # The rocket, and then the pair: no hand can beat either.
    hands = ["34", "56", "78"]
    hands[seat] = "99LB"
    view = endgame((hands[0], hands[1], hands[2]), seat)
    rocket = next(arm for arm in searched(kernel, view, options, 3000).arms() if arm.move == move_of("LB"))
    assert rocket.mean > 0.9


@pytest.mark.parametrize("seat", [0, 2])
def test_a_lost_game_counts_as_lost_for_each_side(kernel: Kernel, options: SearchOptions, seat: int) -> None:
    # The next seat is an enemy, and its only card beats whatever is led.
    hands = ["K", "K", "K"]
    hands[seat] = "34"
    view = endgame((hands[0], hands[1], hands[2]), seat)
    assert max(arm.mean for arm in searched(kernel, view, options, 3000).arms()) < 0.1


def test_a_peasant_wins_when_its_partner_goes_out(kernel: Kernel, options: SearchOptions) -> None:
    # landlord_up has one card, and whichever it is, it goes out with it.
    arms = {str(arm.move): arm for arm in searched(kernel, endgame(("55667", "34TJ", "2"), 1), options, 3000).arms()}
    assert arms["3"].mean > 0.9


def test_the_exploration_term_is_that_of_uct(kernel: Kernel) -> None:
    # With two moves that always win, UCT visits them alike; without exploration it stays with the first one.
    view = endgame(("LB4", "3388", "5599"), 0)
    greedy = searched(kernel, view, MANY._replace(exploration=0), 1000).arms()
    curious = searched(kernel, view, MANY._replace(exploration=1000000), 1000).arms()
    assert max(arm.visits for arm in greedy) > 900
    assert max(arm.visits for arm in curious) - min(arm.visits for arm in curious) <= 20


def test_the_field_is_halved_until_few_moves_are_left(kernel: Kernel) -> None:
    arms = searched(kernel, opening("halving"), SETTINGS["halving"], 20000).arms()
    number, given_up = len(arms), [arm.visits for arm in arms if arm.visits % 50 == 0 and arm.visits <= 400]
    assert number > 8
    assert number - len(given_up) <= 4
    assert sorted(given_up).count(50) == number // 2


def test_the_half_of_the_field_with_the_lowest_means_is_given_up(kernel: Kernel) -> None:
    view, options = opening("halving"), SETTINGS["halving"]
    number = len(searched(kernel, view, options, 1).arms())
    before = searched(kernel, view, options, 50 * number).arms()
    after = searched(kernel, view, options, 75 * number).arms()
    assert {arm.visits for arm in before} == {50}
    kept = [was.wins for was, arm in zip(before, after, strict=True) if arm.visits > 50]
    assert max(was.wins for was, arm in zip(before, after, strict=True) if arm.visits == 50) <= min(kept)
    assert max(kept) > min(kept)


# What it finds.


def test_a_win_in_one_move_is_found(kernel: Kernel, options: SearchOptions) -> None:
    view = endgame(("3334", "55667788", "9TJQK"), 0)
    assert [str(arm.move) for arm in searched(kernel, view, options, 1).arms()] == ["3334"]


def test_a_win_in_one_move_is_found_on_a_follow(kernel: Kernel, options: SearchOptions) -> None:
    view = endgame(("3J", "9", "4QK"), 0, (move_of("3"),))
    assert TreeSearch(kernel, view, options).run(Deadline(Limit(playouts=10))).move == move_of("9")


def test_a_loss_is_avoided_where_one_move_decides(kernel: Kernel, options: SearchOptions) -> None:
    # Both others hold one card that beats every solo; a pair cannot be answered, and then the 5 goes out.
    view = endgame(("577", "K", "A"), 0)
    assert TreeSearch(kernel, view, options).run(Deadline(Limit(playouts=2000))).move == move_of("77")


@pytest.mark.parametrize("name", ["many_worlds", "ten_worlds", "quick"])
def test_an_enemy_about_to_go_out_is_beaten(kernel: Kernel, name: str) -> None:
    # The landlord led a 4 and holds a Q or a 3. A lower answer than the 2, or a pass, loses if it is the Q.
    view = endgame(("4Q", "5552", "33"), 0, (move_of("4"),))
    assert TreeSearch(kernel, view, SETTINGS[name]).run(Deadline(Limit(playouts=2000))).move == move_of("2")


# Candidates inside the tree.

PRUNED = (("3345", "6789TT", "5"), "5")
"""The landlord leads the 5. landlord_down passes, or answers with the card that its chain leaves over."""


def tree_below(kernel: Kernel, options: SearchOptions, playouts: int) -> int:
    """Counts the answers in the tree after the lead of :data:`PRUNED`, whose hidden hands are known."""
    view = endgame(PRUNED[0], 0)
    table = ways(kernel, view, PRUNED[0][1])
    search = NativeSearch(kernel, view, options, 7, nodes=1000, worlds=table.address)
    search.branch(Branches([move_of(PRUNED[1])], 0, [0.0]))
    search.run(playouts)
    assert len(search.arms()) == 1
    return search.nodes - 2


@pytest.mark.parametrize(("worlds", "odd"), [(0, 1), (1, 0)])
def test_answers_in_the_tree_are_the_candidates_too(kernel: Kernel, worlds: int, odd: int) -> None:
    # Only the answers have visits enough to be in the tree, none of them to have children. Where the hand is not known
    # the first one is there whatever it is; with this seed it is no candidate.
    hand, to_beat = parse_hand(PRUNED[0][1]), move_of(PRUNED[1])
    options = SearchOptions(worlds, 2, ALL_MOVES, expand_at=200, exploration=4000)
    assert tree_below(kernel, options, 330) == len(legal_moves(BOTZONE, hand, to_beat)) == 6
    kept = mini_candidates(BOTZONE, hand, to_beat)
    assert list(map(str, kept)) == ["pass", "T"]
    assert tree_below(kernel, options._replace(pruning=MINI_SPLIT), 330) == len(kept) + odd


# Random players.


def first_moves(kernel: Kernel, options: SearchOptions, games: int = 3000) -> Counter[Move]:
    """Counts what a random player leads from 3467889TT."""
    search = NativeSearch(kernel, endgame(("3467889TT", "55", "JJ"), 0), options, 7, nodes=1000)
    return Counter(search.watch()[1][0] for _ in range(games))


@pytest.mark.parametrize(
    ("changes", "forgets"),
    [
        ({}, False),
        ({"long_solos": 6}, True),
        ({"long_solos": 7}, False),
        ({"long_list": 9}, True),
        ({"long_list": 10}, False),
        ({"long_list": 0}, True),
        ({"long_list": MOST_MOVES, "long_solos": 0}, True),
    ],
    ids=str,
)
def test_a_random_player_forgets_half_of_the_solos_of_a_long_list(
    kernel: Kernel, changes: dict[str, int], forgets: bool
) -> None:
    # Seven solos, two pairs and the chain 6789T are ten moves; three solos are forgotten.
    led = first_moves(kernel, MANY._replace(**changes))
    assert len(led) == 10
    of = 7 if forgets else 10
    for move, times in led.items():
        share = Fraction(4, 7 * of) if forgets and move.kind == SOLO else Fraction(1, of)
        assert binomtest(times, led.total(), float(share)).pvalue > 0.0005


# Determinism.


def test_slices_change_nothing(kernel: Kernel, options: SearchOptions) -> None:
    view = middle("slices", 7)
    whole = searched(kernel, view, options, 1000)
    sliced = searched(kernel, view, options, 0)
    for size in (1, 99, 400, 500):
        sliced.run(size)
    assert sliced.arms() == whole.arms()


def test_another_seed_is_another_search(kernel: Kernel, options: SearchOptions) -> None:
    view = opening("seeds")
    assert searched(kernel, view, options, seed=1).arms() != searched(kernel, view, options, seed=2).arms()


def test_a_full_tree_continues_without_new_moves(kernel: Kernel, options: SearchOptions) -> None:
    view = opening("full")
    search = NativeSearch(kernel, view, options, 7, nodes=200)
    search.run(3000)
    assert sum(arm.visits for arm in search.arms()) == 3000
    assert search.nodes <= 200


# Worlds.


def test_worlds_keep_the_bottom_cards_that_the_landlord_must_hold(kernel: Kernel) -> None:
    # The holder of the 2 decides. Where the bottom says that it is the landlord, the ace is beaten in every world.
    options = MANY._replace(expand_at=1, finish=True)
    view = endgame(("2", "A33", "Q"), 1)
    known = view._replace(bottom=parse_hand("2"))
    (surely,) = (arm for arm in searched(kernel, known, options).arms() if arm.move == move_of("A"))
    (perhaps,) = (arm for arm in searched(kernel, view, options).arms() if arm.move == move_of("A"))
    assert surely.mean == 0 < perhaps.mean


def ways(kernel: Kernel, view: View, held: str) -> KernelWays:
    """Makes a table under which the next seat's hidden hand is *held* for sure."""
    hand = parse_hand(held)
    table = [[int(cards == copies) for cards in range(5)] for copies in counts(hand)]
    return KernelWays(kernel.library, view.unseen, sum(counts(hand)), table)


@pytest.mark.parametrize(("held", "wins"), [("Q", False), ("2", True)])
def test_worlds_are_drawn_from_the_table_that_is_given(kernel: Kernel, held: str, wins: bool) -> None:
    view = endgame(("2", "A33", "Q"), 1)
    table = ways(kernel, view, held)
    search = NativeSearch(kernel, view, MANY._replace(expand_at=1, finish=True), 7, nodes=1000, worlds=table.address)
    search.run(500)
    (ace,) = (arm for arm in search.arms() if arm.move == move_of("A"))
    assert ace.mean == wins


def test_a_table_of_other_cards_is_refused(kernel: Kernel) -> None:
    table = ways(kernel, endgame(("2", "A33", "Q"), 1), "Q")
    with pytest.raises(KernelError, match="ddz_search_init: bad game"):
        NativeSearch(kernel, endgame(("2", "A33", "K"), 1), MANY, 7, nodes=1000, worlds=table.address)


# Limits.


class SlowClock(Clock):
    """Pretends that each look at it came so many seconds after the one before."""

    def __init__(self, step: float) -> None:
        self.looks = 0
        super().__init__(0.0, lambda: self._tick(step))

    def _tick(self, step: float) -> float:
        self.looks += 1
        return self.looks * step


def test_a_limit_of_playouts_is_kept_exactly(kernel: Kernel) -> None:
    assert (
        TreeSearch(kernel, opening("exact"), SETTINGS["one_world"], final=by_mean)
        .run(Deadline(Limit(playouts=777)))
        .playouts
        == 777
    )


def test_a_limit_that_is_over_already_still_gives_a_move(kernel: Kernel) -> None:
    result = TreeSearch(kernel, opening("over"), MANY).run(Deadline(Limit(seconds=0.0)))
    assert result.playouts > 0


def test_a_search_stops_when_the_best_move_cannot_change(kernel: Kernel) -> None:
    view = endgame(("577", "K", "A"), 0)
    early = TreeSearch(kernel, view, MANY).run(Deadline(Limit(playouts=100000)))
    assert early.playouts < 100000
    assert early.move == searched_to_the_end(kernel, view, 100000)


def searched_to_the_end(kernel: Kernel, view: View, playouts: int) -> Move:
    arms = NativeSearch(kernel, view, MANY, 0, nodes=400000)
    arms.run(playouts)
    return max(arms.arms(), key=lambda arm: arm.visits).move


@pytest.mark.parametrize("step", [0.02, 3.0])
def test_the_speed_of_the_machine_changes_no_result_of_a_limit_of_playouts(kernel: Kernel, step: float) -> None:
    # At this limit the search ends early; by how much must not depend on the slices.
    view = endgame(("577", "K", "A"), 0)
    result = TreeSearch(kernel, view, MANY, 7).run(Deadline(Limit(playouts=20000), SlowClock(step)))
    assert result == TreeSearch(kernel, view, MANY, 7).run(Deadline(Limit(playouts=20000), SlowClock(0.001)))
    assert result.playouts < 20000


# Several trees.


def test_several_trees_share_the_playouts_and_their_visits_and_wins_are_added_up(kernel: Kernel) -> None:
    view = opening("trees")
    result = TreeSearch(kernel, view, MANY, 7, nodes=60000, trees=3).run(Deadline(Limit(playouts=1000)))
    each = [searched(kernel, view, MANY, playouts, 7 + tree) for tree, playouts in enumerate((334, 333, 333))]
    expected = {
        arms[0].move: (sum(arm.visits for arm in arms), sum(arm.wins for arm in arms))
        for arms in zip(*(search.arms() for search in each), strict=True)
    }
    assert {one.move: (one.visits, one.wins) for one in result.moves} == expected
    assert result.playouts == 1000
    assert result.nodes == sum(search.nodes for search in each)


@pytest.mark.parametrize("step", [0.02, 3.0])
def test_the_speed_of_the_machine_does_not_divide_playouts_among_trees(kernel: Kernel, step: float) -> None:
    view = opening("slices of trees")
    result = TreeSearch(kernel, view, MANY, 7, trees=8).run(Deadline(Limit(playouts=1999), SlowClock(step)))
    assert result == TreeSearch(kernel, view, MANY, 7, trees=8).run(Deadline(Limit(playouts=1999), SlowClock(0.001)))


def test_the_head_starts_of_a_branch_are_added_up_too(kernel: Kernel) -> None:
    view = opening("heads")
    branches = Branches(view.legal_moves()[:2], 100, [0.25, 0.75])
    search = TreeSearch(kernel, view, MANY, final=by_corrected_mean, branches=branches, trees=2)
    better, worse = search.result().moves
    assert (better.move, worse.move) == (branches.moves[1], branches.moves[0])
    result = search.run(Deadline(Limit(playouts=300)))
    heads = {branches.moves[0]: 50, branches.moves[1]: 150}
    corrected = [(one.wins + heads[one.move]) / (one.visits + 200) for one in result.moves]
    assert corrected == sorted(corrected, reverse=True)


# Every rule set, and bad input.


@pytest.mark.parametrize("name", NAMES)
def test_every_arm_is_legal_in_every_rule_set(kernel: Kernel, options: SearchOptions, name: str) -> None:
    for plies in range(0, 40, 10):
        view = middle(f"legal/{plies}", plies, name)
        legal = view.legal_moves()
        assert all(arm.move in legal for arm in searched(kernel, view, options, 200).arms())


@pytest.mark.parametrize(
    "changes",
    [
        {"worlds": 257},
        {"root_margin": 256},
        {"tree_margin": 256},
        {"expand_at": 0},
        {"exploration": 1000001},
        {"halving_least": 0},
        {"finish": 2},
        {"long_solos": 256},
        {"quick": 2},
        {"noise": 1000001},
        {"long_list": 65537},
        {"pruning": 2},
    ],
    ids=str,
)
def test_options_out_of_range_are_refused(kernel: Kernel, changes: dict[str, Any]) -> None:
    with pytest.raises(KernelError, match="ddz_search_init: bad index"):
        NativeSearch(kernel, opening("bad"), MANY._replace(**changes), 7, nodes=1000)


def spoilt(change: Callable[[View], View]) -> View:
    return change(middle("spoilt", 10))


@pytest.mark.parametrize(
    "change",
    [
        lambda view: view._replace(hand=view.hand - (view.hand & -view.hand)),
        lambda view: view._replace(plays=()),
        lambda view: view._replace(bottom=view.hand),
    ],
    ids=["own hand", "plays", "bottom"],
)
def test_views_that_contradict_themselves_are_refused(kernel: Kernel, change: Callable[[View], View]) -> None:
    with pytest.raises(KernelError, match="ddz_search_init: bad"):
        NativeSearch(kernel, spoilt(change), MANY, 7, nodes=1000)


def test_a_tree_without_room_for_the_root_is_refused(kernel: Kernel) -> None:
    with pytest.raises(KernelError, match="ddz_search_init: short buffer"):
        NativeSearch(kernel, opening("small"), MANY, 7, nodes=3)
