"""A search that starts from given moves and their prior values: what competes, what counts, and what is refused."""

from collections.abc import Callable
from math import log, sqrt

import pytest

from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.codec import SEARCH_ARM
from ddzbot.kernel.library import STATUS_NAMES, KernelError, Memory
from ddzbot.kernel.searching import Arm, Branches, NativeSearch, SearchOptions
from ddzbot.rules import Move
from ddzbot.search.deadline import Deadline
from ddzbot.search.limit import Limit
from ddzbot.search.tree import TreeSearch, by_corrected_mean
from ddzbot.view import View
from tests.search.positions import endgame, move_of, opening
from tests.search.test_tree import MANY, SETTINGS

FLAT = SearchOptions(worlds=0, root_margin=2, tree_margin=2, expand_at=1 << 30, exploration=1000, finish=True)
HANDS = ("577", "K", "A")
"""The landlord leads. Both others beat any solo and go out; a pair cannot be answered, and then the 5 goes out."""


def branched(
    kernel: Kernel,
    view: View,
    branches: Branches,
    options: SearchOptions = FLAT,
    playouts: int = 0,
    nodes: int = 20000,
    seed: int = 7,
) -> NativeSearch:
    search = NativeSearch(kernel, view, options, seed, nodes)
    search.branch(branches)
    search.run(playouts)
    return search


def three(view: View) -> list[Move]:
    """Gets three moves of the view, in another order than that of the legal moves."""
    moves = view.legal_moves()
    return [moves[5], moves[2], moves[9]]


# What competes.


@pytest.mark.parametrize("name", sorted(SETTINGS))
def test_only_the_branches_compete_in_their_order(kernel: Kernel, name: str) -> None:
    view = opening("three")
    arms = branched(kernel, view, Branches(three(view), 10, [0.5] * 3), SETTINGS[name], 500).arms()
    assert [arm.move for arm in arms] == three(view)
    assert sum(arm.visits for arm in arms) == 500


def test_a_move_that_is_no_candidate_may_be_a_branch(kernel: Kernel) -> None:
    view = opening("odd")
    candidates = [arm.move for arm in NativeSearch(kernel, view, FLAT, 7, nodes=1000).arms()]
    odd = next(move for move in view.legal_moves() if move not in candidates)
    assert [arm.move for arm in branched(kernel, view, Branches([odd], 1, [0.5]), playouts=9).arms()] == [odd]


def test_the_pass_may_be_a_branch(kernel: Kernel) -> None:
    view = endgame(("4Q", "5552", "33"), 0, (move_of("4"),))
    moves = view.legal_moves()
    assert [arm.move for arm in branched(kernel, view, Branches(moves, 5, [0.5] * len(moves))).arms()] == moves


@pytest.mark.parametrize("name", sorted({*SETTINGS} - {"halving"}))
def test_all_candidates_without_a_head_start_are_the_usual_search(kernel: Kernel, name: str) -> None:
    view = opening("usual")
    usual = NativeSearch(kernel, view, SETTINGS[name], 7, nodes=20000)
    moves = [arm.move for arm in usual.arms()]
    usual.run(2000)
    branches = Branches(moves, 0, [0.0] * len(moves))
    assert branched(kernel, view, branches, SETTINGS[name], 2000).arms() == usual.arms()


def test_a_second_call_replaces_the_first_one(kernel: Kernel) -> None:
    view = opening("twice")
    search = branched(kernel, view, Branches(three(view), 1000, [0.1, 0.9, 0.1], in_turn=50))
    again = Branches(three(view)[:2], 10, [0.5, 0.4])
    search.branch(again)
    search.run(300)
    assert search.arms() == branched(kernel, view, again, playouts=300).arms()


# Head starts.


@pytest.mark.parametrize(("prior", "wins"), [(0.617, 62), (0.625, 63), (0.0, 0), (1.0, 100), (-0.2, 0), (1.3, 100)])
def test_a_prior_is_rounded_to_whole_wins_within_the_visits(prior: float, wins: int) -> None:
    assert Branches([move_of("3")], 100, [prior]).arms == [Arm(move_of("3"), 0, 0, 100, wins)]


def test_a_head_start_is_counted_apart_from_simulations(kernel: Kernel) -> None:
    view = opening("apart")
    arms = branched(kernel, view, Branches(three(view), 1000, [0.5, 0.4, 0.6]), playouts=600).arms()
    assert [(arm.head_visits, arm.head_wins) for arm in arms] == [(1000, 500), (1000, 400), (1000, 600)]
    assert sum(arm.visits for arm in arms) == 600
    assert all(arm.wins <= arm.visits for arm in arms)


def test_the_corrected_mean_counts_the_head_start() -> None:
    assert Arm(move_of("3"), 300, 60, 100, 90).corrected_mean == 0.375
    assert Arm(move_of("3"), 0, 0).corrected_mean == 0


def uct_value(arm: Arm, total: int, points: int, exploration: float) -> float:
    visits = arm.visits + arm.head_visits
    return 2 * points * arm.corrected_mean + exploration * sqrt(2 * log(total) / visits)


@pytest.mark.parametrize(("seat", "points"), [(0, 2), (1, 1)])
def test_uct_counts_simulations_and_head_starts_together(kernel: Kernel, seat: int, points: int) -> None:
    hands = ("34579JQ", "68TKA", "446T2") if seat == 0 else ("68TKA", "34579JQ", "446T2")
    view = endgame(hands, seat)
    moves = [move_of("7"), move_of("4"), move_of("J")]
    search = branched(kernel, view, Branches(moves, 20, [0.55, 0.6, 0.5]))
    switches = 0
    before = search.arms()
    for run in range(400):
        search.run(1)
        after = search.arms()
        (index,) = (at for at in range(3) if after[at].visits > before[at].visits)
        values = [uct_value(arm, 60 + run, points, 1.0) for arm in before]
        assert values[index] > max(values) - 0.02  # the curves have steps of 2^-6
        switches += values.index(max(values)) != 1
        before = after
    assert 10 < switches < 390


def test_a_heavy_prior_is_believed_and_a_light_one_corrected(kernel: Kernel) -> None:
    wrong = [0.9, 0.2]
    moves = [move_of("5"), move_of("77")]
    heavy = branched(kernel, endgame(HANDS, 0), Branches(moves, 1 << 20, wrong), playouts=2000).arms()
    light = branched(kernel, endgame(HANDS, 0), Branches(moves, 50, wrong), playouts=2000).arms()
    assert heavy[0].visits > 1900
    assert light[1].visits > 1500


def test_a_node_is_expanded_by_its_simulations_alone(kernel: Kernel) -> None:
    options = MANY._replace(expand_at=50)
    search = branched(kernel, opening("ripe"), Branches(three(opening("ripe")), 1000, [0.5] * 3, 50), options, 150)
    assert (len(search.arms()), search.nodes) == (3, 4)


# In turn.


def test_every_branch_gets_its_first_simulations_in_turn(kernel: Kernel) -> None:
    view = opening("turn")
    search = branched(kernel, view, Branches(three(view), 1000, [0.0, 1.0, 0.0], in_turn=100))
    for done in range(0, 300, 50):
        search.run(50)
        visits = [arm.visits for arm in search.arms()]
        assert (sum(visits), max(visits) - min(visits) <= 1) == (done + 50, True)
    search.run(300)
    assert [arm.visits for arm in search.arms()] == [100, 400, 100]


def test_in_turn_every_branch_meets_every_world(kernel: Kernel) -> None:
    # The holder of the 2 decides whether the ace wins; with two worlds and two branches, each must see both.
    view, options = endgame(("2", "A33", "Q"), 1), FLAT._replace(worlds=2)
    branches = Branches([move_of("A"), move_of("33")], 1, [0.5, 0.5], in_turn=100)
    means = {branched(kernel, view, branches, options, 200, seed=seed).arms()[0].mean for seed in range(12)}
    assert means == {0.0, 0.5, 1.0}


def test_slices_change_nothing(kernel: Kernel) -> None:
    view = opening("slices")
    branches = Branches(three(view), 30, [0.5, 0.6, 0.4], in_turn=60)
    sliced = branched(kernel, view, branches, SETTINGS["quick"])
    for size in (1, 99, 400, 500):
        sliced.run(size)
    assert sliced.arms() == branched(kernel, view, branches, SETTINGS["quick"], 1000).arms()


def test_a_search_in_slices_ranks_by_simulations_and_priors(kernel: Kernel) -> None:
    moves = [move_of("5"), move_of("77")]
    view = endgame(HANDS, 0)
    for head_visits, best in ((50, moves[1]), (1 << 20, moves[0])):
        branches = Branches(moves, head_visits, [0.9, 0.2], in_turn=1000)
        result = TreeSearch(kernel, view, FLAT, 7, by_corrected_mean, branches=branches).run(
            Deadline(Limit(playouts=2000))
        )
        assert (result.move, result.playouts) == (best, 2000)


# Bad input.


@pytest.mark.parametrize(
    ("change", "status"),
    [
        (lambda moves: Branches([], 10, []), "bad index"),
        (lambda moves: Branches([*moves] * 22, 10, [0.5] * 66), "bad index"),
        (lambda moves: Branches(moves, (1 << 24) + 1, [0.5] * 3), "bad index"),
        (lambda moves: Branches(moves, 10, [0.5] * 3, in_turn=(1 << 24) + 1), "bad index"),
        (lambda moves: Branches([moves[0], moves[1], moves[0]], 10, [0.5] * 3), "bad move"),
        (lambda moves: Branches([moves[0], move_of("2222")], 10, [0.5] * 2), "bad move"),
        (lambda moves: Branches([moves[0], move_of("pass")], 10, [0.5] * 2), "bad move"),
    ],
    ids=["none", "too many", "too heavy", "too long in turn", "twice", "cards not held", "a pass on a lead"],
)
def test_bad_branches_are_refused_and_change_nothing(
    kernel: Kernel, change: Callable[[list[Move]], Branches], status: str
) -> None:
    view = opening("bad branches")
    assert move_of("2222") not in view.legal_moves()
    search, other = (NativeSearch(kernel, view, FLAT, 7, nodes=1000) for _ in range(2))
    with pytest.raises(KernelError, match=f"ddz_search_branches: {status}"):
        search.branch(change(three(view)))
    for each in (search, other):
        each.run(500)
    assert search.arms() == other.arms()


def test_branches_are_refused_after_a_run(kernel: Kernel) -> None:
    view = opening("late")
    search = NativeSearch(kernel, view, FLAT, 7, nodes=1000)
    search.run(1)
    with pytest.raises(KernelError, match="ddz_search_branches: bad game"):
        search.branch(Branches(three(view), 10, [0.5] * 3))


def test_branches_need_room_in_the_tree(kernel: Kernel) -> None:
    view = endgame(HANDS, 0)
    moves = view.legal_moves()
    assert len(moves) == 3
    room = 4
    branched(kernel, view, Branches(moves, 1, [0.5] * 3), nodes=room, playouts=50)
    narrow = NativeSearch(kernel, view, FLAT._replace(root_margin=0), 7, nodes=room - 1)
    with pytest.raises(KernelError, match="ddz_search_branches: short buffer"):
        narrow.branch(Branches(moves, 1, [0.5] * 3))


@pytest.mark.parametrize(
    ("spoil", "status"),
    [
        (lambda arguments: [0, *arguments[1:]], "bad pointer"),
        (lambda arguments: [arguments[0] + 4, *arguments[1:]], "bad pointer"),
        (lambda arguments: [arguments[0], 0, *arguments[2:]], "bad pointer"),
        (lambda arguments: [arguments[0], arguments[1] + 4, *arguments[2:]], "bad pointer"),
        (lambda arguments: [arguments[1], *arguments[1:]], "bad game"),
        (lambda arguments: arguments, "bad index"),
    ],
    ids=["no search", "crooked search", "no branches", "crooked branches", "never set up", "more wins than visits"],
)
def test_bad_arguments_get_a_status(kernel: Kernel, spoil: Callable[[list[int]], list[int]], status: str) -> None:
    view = opening("arguments")
    search = NativeSearch(kernel, view, FLAT, 7, nodes=1000)
    memory = Memory(SEARCH_ARM.size)
    SEARCH_ARM.pack_into(memory.bytes, 0, *view.legal_moves()[0], 10, 11)
    given = spoil([search.address, memory.address, 1, 0])
    assert STATUS_NAMES[search._library.status("ddz_search_branches", *given)] == status


def test_head_starts_leave_less_room_for_simulations(kernel: Kernel) -> None:
    # Visits are 32 bits; what would not fit is refused at once.
    moves = endgame(HANDS, 0).legal_moves()
    search = branched(kernel, endgame(HANDS, 0), Branches(moves, 1 << 24, [0.5] * 3))
    with pytest.raises(KernelError, match="ddz_search_run: bad index"):
        search.run((1 << 32) - (3 << 24) - 1)
