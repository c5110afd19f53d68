"""Features ``rocket-2``: what the kicker network of DeepRocket is shown of a question. Frozen."""

from typing import Any, NamedTuple, Sequence, Tuple

from ddzbot.cards import ACE, Hand, counts
from ddzbot.game import SEATS
from ddzbot.net.bitplanes import copies_of, first_cells, needed_numpy, spread_bits
from ddzbot.net.rocket_features import COLUMNS, State, best_kickers, rank_bits
from ddzbot.net.rocket_moves import MainMove

KICKER_PLANES, KICKER_ROWS = 3, 9


class KickerColumns(NamedTuple):
    """Many questions for kickers as arrays of numpy, a row each."""

    pairs: Any
    """(n,): 1 where the kicker is a pair. This and all others of small numbers are uint8."""
    seat: Any
    left: Any
    """(n,) of uint64, as are *unseen* and *bottom*: the hand less the body and the kickers that were chosen."""
    choice: Any
    """(n,) of uint16, the ranks that may be chosen as bits, as are *best*, *body* and *chosen*."""
    best: Any
    """Those of *choice* after which the rest takes the fewest moves."""
    body: Any
    chosen: Any
    length: Any
    to_go: Any
    """Kickers that are still to be chosen, with this one."""
    rounds: Any
    """These fewest moves."""
    following: Any
    """Cards that next holds."""
    previous: Any
    lead: Any
    unseen: Any
    bottom: Any


KICKER_TYPES = ("u1", "u1", "u8", "u2", "u2", "u2", "u2", "u1", "u1", "u1", "u1", "u1", "u1", "u8", "u8")
"""The types of the columns."""


def kicker_question(state: State, main: MainMove, choice: Sequence[Hand], chosen: Sequence[Hand]) -> Tuple[int, ...]:
    """Gets the row of one question: *choice* are the kickers that may be taken now, *chosen* those that were."""
    left = state.hand - main.body - sum(chosen)
    rounds, best = best_kickers(state.rules, left, choice)
    return (
        int(main.takes_pairs),
        state.seat,
        left,
        rank_bits(counts(sum(set(choice)))),
        rank_bits(counts(sum(best))),
        rank_bits(counts(main.body)),
        rank_bits(counts(sum(set(chosen)))),
        main.length,
        main.kickers - len(chosen),
        rounds,
        state.sizes[1],
        state.sizes[2],
        int(state.table == 0),
        state.unseen,
        state.bottom,
    )


def kicker_columns(questions: Sequence[Tuple[int, ...]]) -> KickerColumns:
    """
    Gets some questions as arrays.

    :raises ImportError: without numpy.
    """
    np = needed_numpy()
    return KickerColumns(*(np.array(column, kind) for column, kind in zip(zip(*questions), KICKER_TYPES)))


def kicker_planes(columns: KickerColumns) -> Any:
    """
    Gets the cells of many questions: shape (n, 3, 9, 15), uint8.

    * Plane 0, the kicker and the hand: row 0 a pair, 2 to 4 the own seat (whole rows); 1 the ranks after which the
      rest takes the fewest moves; 5 to 8 the k-th copy of each rank of the hand that is left.
    * Plane 1, the move and the game: 0 the ranks that may be chosen, 1 the body, 2 its length, 3 the kickers still to
      be chosen, 4 the chosen ones; 5 the rounds left, which are these fewest moves; 6 and 7 the cards of next and
      previous; 8 a lead. Lengths and numbers set as many cells, 15 at most.
    * Plane 2, the rest: 0 to 3 the k-th copy of each rank among the unseen cards; of what is left of the hand 4 the
      ranks of its solo chains, 5 of its pair chains, 6 of its planes; 7 the ranks above every unseen card; 8 the bottom
      that the landlord surely still holds.

    :raises ImportError: without numpy.
    """
    np = needed_numpy()
    cells = np.zeros((len(columns.seat), KICKER_PLANES, KICKER_ROWS, COLUMNS), "u1")
    cells[:, 0, 0] = columns.pairs[:, None]
    cells[:, 0, 1] = spread_bits(columns.best)
    cells[:, 0, 2:5] = (columns.seat[:, None] == np.arange(SEATS))[:, :, None]
    cells[:, 0, 5:9] = held = copies_of(columns.left, 4)
    for row, ranks in ((0, columns.choice), (1, columns.body), (4, columns.chosen)):
        cells[:, 1, row] = spread_bits(ranks)
    numbers = (columns.length, columns.to_go, columns.rounds, columns.following, columns.previous)
    for row, amounts in zip((2, 3, 5, 6, 7), numbers):
        cells[:, 1, row] = first_cells(amounts)
    cells[:, 1, 8] = columns.lead[:, None]
    cells[:, 2, 0:4] = unseen = copies_of(columns.unseen, 4)
    for row, (copies, shortest) in zip((4, 5, 6), ((0, 5), (1, 3), (2, 2))):
        cells[:, 2, row] = _in_runs(held[:, copies], shortest)
    # Summed from the highest rank down: nothing unseen at this rank or above it.
    cells[:, 2, 7] = unseen[:, 0, ::-1].cumsum(axis=1)[:, ::-1] == 0
    cells[:, 2, 8] = copies_of(columns.bottom, 1)[:, 0]
    return cells


def _in_runs(held: Any, shortest: int) -> Any:
    """Keeps the ranks that lie in a run of at least so many, up to the ace."""
    np = needed_numpy()
    in_run = np.zeros_like(held)
    for rank in range(ACE - shortest + 2):
        whole = held[:, rank : rank + shortest].min(axis=1)
        in_run[:, rank : rank + shortest] |= whole[:, None]
    return in_run
