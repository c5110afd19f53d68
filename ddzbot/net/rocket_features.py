"""
Features ``rocket-2``: what the networks of DeepRocket are shown. Frozen; a change is a new version.

The policy network sees 21 *planes* (the source's Z) of 19 rows, the kinds (Y), and 15 ranks (X, in the order of
:data:`ddzbot.cards.RANKS`), every cell 0 or 1. :data:`KIND_ROWS` has the rows. *Next* and *previous* are the seats that
play after and before the own one.

* 0 to 17: the moves of the last six rounds, as in ``mcm-1``: plane 3 * (6 - k) + 0, 1, 2 is the k-th last move of the
  own seat, next and previous. The ranks of the body are set in the row of the kind; kickers in the row of solos or of
  pairs; a shuttle in the row of bombs, and a move of unknown kind in that of solos. A pass has no cell.
* 18: what the own hand holds: the bodies of all main moves that it could lead. The rows of solos, pairs, trios and
  bombs are the counts of the hand.
* 19: the state, as :func:`_state_rows` says: unseen cards, hand sizes, the own seat, the bottom, the rounds left, whose
  move is to beat.
* 20: what brings the hand nearer to its end: of the legal main moves those after which the *rounds left*, the fewest
  moves that empty the hand, are one less; their lowest ranks, in the rows of their kinds. The network need not
  see which moves are legal: the others are struck out of its answer.

What the kicker network sees belongs to the same version: :mod:`ddzbot.net.rocket_kickers`.
"""

from functools import lru_cache
from typing import Any, List, NamedTuple, Sequence, Tuple

from ddzbot.cards import RANK_COUNT, Hand, counts, size
from ddzbot.game import SEATS
from ddzbot.less_split import fewest_after
from ddzbot.net.bitplanes import copies_of, first_cells, needed_numpy, spread_bits
from ddzbot.net.rocket_moves import OUTPUTS, MainMove, leads, playable
from ddzbot.rules import (
    BOMB,
    FOUR_TWO_PAIR,
    FOUR_TWO_SOLO,
    PAIR,
    PAIR_CHAIN,
    PASS_KIND,
    PLANE,
    PLANE_PAIR,
    PLANE_SOLO,
    ROCKET,
    SHUTTLE,
    SHUTTLE_PAIR,
    SHUTTLE_SOLO,
    SOLO,
    SOLO_CHAIN,
    TRIO,
    TRIO_PAIR,
    TRIO_SOLO,
    UNKNOWN,
    Move,
    RuleSet,
)
from ddzbot.view import View

NAME = "rocket-2"
"""The name of these features in a weights file."""

PLANES, ROWS, COLUMNS = 21, 19, RANK_COUNT
ROUNDS = 6
HISTORY = SEATS * ROUNDS
"""The number of moves with a plane of their own."""
LONGEST = 12
"""The most ranks of a body."""
HAND_PLANE, STATE_PLANE, NEARER_PLANE = 18, 19, 20

SOLO_ROW, PAIR_ROW, BOMB_ROW = 0, 1, 11
NO_ROW = 255

KIND_ROWS = {
    SOLO: SOLO_ROW,
    PAIR: PAIR_ROW,
    TRIO: 2,
    FOUR_TWO_SOLO: 3,
    PAIR_CHAIN: 4,
    SOLO_CHAIN: 5,
    TRIO_SOLO: 6,
    TRIO_PAIR: 7,
    PLANE: 10,
    BOMB: BOMB_ROW,
    ROCKET: 12,
    FOUR_TWO_PAIR: 18,
    SHUTTLE: BOMB_ROW,
    SHUTTLE_SOLO: BOMB_ROW,
    SHUTTLE_PAIR: BOMB_ROW,
    UNKNOWN: SOLO_ROW,
}
"""
The rows of the kinds, in the order of the source: solo, pair, trio, quad, pair chain, solo chain, trio with solo, trio
with pair, plane of two with solos (8) and with pairs (9), plane, bomb, rocket, plane of three with solos (13) and with
pairs (14), of four (15, 16), of five with solos (17). The source says that there are 19 and names 18. Its quad is the
quad with two solos here, and the last row the quad with two pairs.
"""
_PLANE_ROWS = {2: 8, 3: 13, 4: 15, 5: 17}
_GROUPS = {PAIR: 2, PAIR_CHAIN: 2, BOMB: 4, FOUR_TWO_SOLO: 4, FOUR_TWO_PAIR: 4}
_GROUPS.update(dict.fromkeys((TRIO, TRIO_SOLO, TRIO_PAIR, PLANE, PLANE_SOLO, PLANE_PAIR), 3))
_GROUPS.update(dict.fromkeys((SHUTTLE, SHUTTLE_SOLO, SHUTTLE_PAIR), 4))
_PAIR_KICKERS = (TRIO_PAIR, PLANE_PAIR, FOUR_TWO_PAIR, SHUTTLE_PAIR)
_CACHE = 1 << 14


def row_of(kind: int, length: int) -> int:
    """Gets the row of a kind; planes with kickers have one for each length."""
    if kind in (PLANE_SOLO, PLANE_PAIR):
        return _PLANE_ROWS[length] + (kind == PLANE_PAIR)
    return KIND_ROWS[kind]


class HistoryMove(NamedTuple):
    """A move as a plane of the history shows it; ranks are the bits of a number."""

    row: int
    body: int
    kicker_row: int
    kickers: int


_NOTHING = HistoryMove(NO_ROW, 0, NO_ROW, 0)


@lru_cache(maxsize=_CACHE)
def history_move(move: Move) -> HistoryMove:
    """Gets what a plane of the history shows of *move*."""
    if move.kind == PASS_KIND:
        return _NOTHING
    if move.kind in (UNKNOWN, ROCKET):
        return HistoryMove(row_of(move.kind, 1), rank_bits(counts(move.cards)), NO_ROW, 0)
    left = counts(move.cards)
    for rank in range(move.rank, move.rank + move.length):
        left[rank] -= _GROUPS.get(move.kind, 1)
    body = ((1 << move.length) - 1) << move.rank
    kickers = rank_bits(left)
    kicker_row = (PAIR_ROW if move.kind in _PAIR_KICKERS else SOLO_ROW) if kickers else NO_ROW
    return HistoryMove(row_of(move.kind, move.length), body, kicker_row, kickers)


def rank_bits(copies: Sequence[int]) -> int:
    """Gets the ranks of which there are any as the bits of a number."""
    return sum(1 << rank for rank, held in enumerate(copies) if held > 0)


class State(NamedTuple):
    """A decision in short; everything that the policy network sees follows from it."""

    rules: RuleSet
    history: List[HistoryMove]
    """The 18 moves, the oldest first."""
    hand: Hand
    unseen: Hand
    bottom: Hand
    """The bottom cards that the landlord surely still holds."""
    sizes: Tuple[int, int, int]
    """The cards that the own seat, next and previous hold."""
    seat: int
    table: int
    """The player of the move to beat: 1 next, 2 previous; 0 on a lead."""
    can: List[MainMove]
    """The main moves that the hand could lead."""
    legal: List[MainMove]
    """The legal main moves."""


def state_of(view: View) -> State:
    """Gets the state of a decision."""
    can = leads(view.rules, view.hand)
    recent = [history_move(move) for move in view.plays[-HISTORY:]]
    owner = view.table_seat
    sizes = (size(view.hand), view.cards_left((view.seat + 1) % SEATS), view.cards_left((view.seat + 2) % SEATS))
    return State(
        rules=view.rules,
        history=[_NOTHING] * (HISTORY - len(recent)) + recent,
        hand=view.hand,
        unseen=view.unseen,
        bottom=view.bottom_left,
        sizes=sizes,
        seat=view.seat,
        table=0 if owner is None else (owner - view.seat) % SEATS,
        can=can,
        legal=playable(view.rules, can, view.to_beat),
    )


def rounds_left(state: State) -> Tuple[int, List[MainMove]]:
    """
    Counts the fewest moves that empty the hand, and lists the legal main moves after which it takes one less.

    Of several kickers each is taken for its own sake, so that a move that takes more than one may be missing.
    """
    rounds, *after = fewest_after(state.rules, state.hand, [0, *(main.body for main in state.legal)])
    for index, main in enumerate(state.legal):
        if main.kickers:
            after[index] = _with_kickers(state, main)
    return rounds, [main for main, rounds_then in zip(state.legal, after) if rounds_then < rounds]


def _with_kickers(state: State, main: MainMove) -> int:
    """Counts the fewest moves that are left after *main* with kickers that are chosen one at a time."""
    left, choice, rounds = state.hand - main.body, main.choice(state.hand), 0
    for _ in range(main.kickers):
        rounds, best = best_kickers(state.rules, left, choice)
        left -= best[0]
        choice.remove(best[0])
    return rounds


def best_kickers(rules: RuleSet, left: Hand, choice: Sequence[Hand]) -> Tuple[int, List[Hand]]:
    """Lists those of *choice* after which the rest of *left* takes the fewest moves, lowest first, and counts these."""
    different = sorted(set(choice))
    rounds = fewest_after(rules, left, different)
    least = min(rounds)
    return least, [kicker for kicker, rounds_then in zip(different, rounds) if rounds_then == least]


class StateArrays(NamedTuple):
    """Many states as arrays of numpy, a row each."""

    rows: Any
    """(n, 18) of uint8, as are *kicker_rows*; :data:`NO_ROW` where there is nothing."""
    bodies: Any
    """(n, 18) of uint16, as are *kickers*."""
    kicker_rows: Any
    kickers: Any
    hand: Any
    """(n,) of uint64, as are *unseen* and *bottom*."""
    unseen: Any
    bottom: Any
    sizes: Any
    """(n, 3) of uint8."""
    seat: Any
    """(n,) of uint8, as are *table* and *rounds*."""
    table: Any
    rounds: Any
    can: Any
    """(n, 309) of 0 and 1, uint8, as are *legal* and *nearer*."""
    legal: Any
    nearer: Any


def state_arrays(states: Sequence[State]) -> StateArrays:
    """
    Gets some states as arrays.

    :raises ImportError: without numpy.
    """
    np = needed_numpy()
    histories = [list(zip(*state.history)) for state in states]
    rows, bodies, kicker_rows, kickers = ([history[field] for history in histories] for field in range(4))
    rounds, nearer = zip(*map(rounds_left, states)) if states else ((), ())
    masks = []
    for moves in ([state.can for state in states], [state.legal for state in states], nearer):
        mask = np.zeros((len(states), len(OUTPUTS)), "u1")
        for index, mains in enumerate(moves):
            mask[index, [main.output for main in mains]] = 1
        masks.append(mask)
    hands = [np.array([getattr(state, key) for state in states], "u8") for key in ("hand", "unseen", "bottom")]
    numbers = [*([getattr(state, key) for state in states] for key in ("sizes", "seat", "table")), rounds]
    small = [np.array(column, "u1") for column in numbers]
    return StateArrays(
        np.array(rows, "u1"),
        np.array(bodies, "u2"),
        np.array(kicker_rows, "u1"),
        np.array(kickers, "u2"),
        *hands,
        *small,
        *masks,
    )


def planes(columns: StateArrays) -> Any:
    """
    Gets the cells of many states: shape (n, 21, 19, 15), uint8.

    :raises ImportError: without numpy.
    """
    np = needed_numpy()
    count = len(columns.seat)
    cells = np.zeros((count, PLANES, ROWS, COLUMNS), "u1")
    for rows, ranks in ((columns.rows, columns.bodies), (columns.kicker_rows, columns.kickers)):
        where = np.nonzero(rows != NO_ROW)
        cells[where[0], where[1], rows[where]] |= spread_bits(ranks[where])
    bodies, lowest = _main_cells()
    for plane, mask, places in ((HAND_PLANE, columns.can, bodies), (NEARER_PLANE, columns.nearer, lowest)):
        state, output = np.nonzero(mask)
        flat = np.zeros((count, ROWS * COLUMNS + 1), "u1")
        flat[state[:, None], places[output]] = 1
        cells[:, plane] = flat[:, :-1].reshape(count, ROWS, COLUMNS)
    cells[:, STATE_PLANE] = _state_rows(columns)
    return cells


def _state_rows(columns: StateArrays) -> Any:
    """
    Makes the plane of the state, its rows from 0 on.

    0 to 3: the k-th copy of each rank among the unseen cards; 4 and 5, 6 and 7, 8 and 9: the cards that the own seat,
    next and previous hold, as many cells as cards, 15 in the first row; 10 to 12: the own seat, a whole row; 13 to 15:
    the k-th copy of each rank of the bottom that the landlord surely still holds; 16: the rounds left, as many cells;
    17 and 18: the move to beat is next's or previous'; both are 0 on a lead.
    """
    np = needed_numpy()
    plane = np.zeros((len(columns.seat), ROWS, COLUMNS), "u1")
    plane[:, 0:4] = copies_of(columns.unseen, 4)
    for seat in range(SEATS):
        plane[:, 4 + 2 * seat] = first_cells(columns.sizes[:, seat])
        plane[:, 5 + 2 * seat] = first_cells(np.maximum(columns.sizes[:, seat], COLUMNS) - COLUMNS)
    plane[:, 10:13] = (columns.seat[:, None] == np.arange(SEATS))[:, :, None]
    plane[:, 13:16] = copies_of(columns.bottom, 3)
    plane[:, 16] = first_cells(columns.rounds)
    plane[:, 17:19] = (columns.table[:, None] == np.arange(1, SEATS))[:, :, None]
    return plane


@lru_cache(maxsize=1)
def _main_cells() -> Tuple[Any, Any]:
    """Makes two tables from outputs to the numbers of their cells: the ranks of the body, and the lowest alone."""
    np = needed_numpy()
    # The cell after the last one belongs to no rank: it fills up the lists of short bodies, and is that of the pass.
    bodies = np.full((len(OUTPUTS), LONGEST), ROWS * COLUMNS)
    for output, (kind, rank, length) in enumerate(OUTPUTS):
        if kind != PASS_KIND:
            ranks = length + (kind == ROCKET)
            bodies[output, :ranks] = row_of(kind, length) * COLUMNS + np.arange(rank, rank + ranks)
    return bodies, bodies[:, :1]
