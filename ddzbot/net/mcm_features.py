"""
Features ``mcm-1``: what the network of MCM is shown of a view and a move. Frozen; a change is a new version.

The input of patent CN 111729300 A: 29 *layers* (the patent's Z) of 15 rows (Y) and 15 ranks (X, in the order of
:data:`ddzbot.cards.RANKS`), every cell 0 or 1. A layer shows one set of cards:

* rows 0 to 3: the cell of the row ``count - 1`` is set; no card, no cell;
* rows 4 to 13: what kind of move the cards of the rank take part in, as :data:`KIND_ROWS` says;
* row 14: all 15 cells are set if the landlord made the move.

The layers, where *next* and *previous* are the seats that play after and before the own one:

* 0, 1, 2: all cards that the own seat, next and previous played before their last 8 turns; counts only, so that rows 4
  to 14 are empty;
* 3 + 3 * (8 - k) + 0, 1, 2, for k from 8 to 1: the k-th last move of the own seat, next and previous. A pass has no
  cards, but it has row 14; a move before the first of the game is empty;
* 27: the move that is being valued, made by the own seat;
* 28: the own hand before that move; counts only.

So layer 26 is what previous has just played, and layer 24 the own last move.

A record is therefore three rows of 29 numbers, :class:`Layers`, and everything else follows from them.
"""

from typing import Any, Dict, List, NamedTuple, Tuple

from ddzbot.cards import Hand
from ddzbot.game import SEATS
from ddzbot.rules import (
    BOMB,
    FOUR_TWO_PAIR,
    FOUR_TWO_SOLO,
    KIND_NAMES,
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
    Move,
)
from ddzbot.view import View

NAME = "mcm-1"
"""The name of these features in a weights file."""

LAYERS, ROWS, COLUMNS = 29, 15, 15
CELLS = LAYERS * ROWS * COLUMNS
ROUNDS = 8
"""The number of moves of each seat with a layer of their own."""
FIRST_MOVE_LAYER = 3
VALUED_LAYER = 27
HAND_LAYER = 28
FIRST_KIND_ROW = 4
LANDLORD_ROW = 14

KIND_ROWS: Dict[int, Tuple[int, ...]] = {
    SOLO: (4,),
    PAIR: (5,),
    TRIO: (6,),
    TRIO_SOLO: (7,),
    TRIO_PAIR: (8,),
    SOLO_CHAIN: (9,),
    PAIR_CHAIN: (10,),
    PLANE: (11,),
    BOMB: (12,),
    ROCKET: (13,),
    PLANE_SOLO: (7, 11),
    PLANE_PAIR: (8, 11),
    FOUR_TWO_SOLO: (7,),
    FOUR_TWO_PAIR: (8,),
    SHUTTLE: (11,),
    SHUTTLE_SOLO: (7, 11),
    SHUTTLE_PAIR: (8, 11),
}
"""
The rows of each kind, set for every rank of the move, kickers included, as the patent does with a trio and its kicker.

The patent has ten kinds, one a row: solo, pair, trio, trio_solo, trio_pair, solo_chain, pair_chain, plane, bomb and
rocket. The others are put together from these: row 7 says that a move has solo kickers, row 8 pair kickers, row 11
that its body is a chain of trios or quads. Rows 0 to 3 tell quads from trios, and the body from its kickers. A quad
with kickers is no bomb and has no row 12. The pass and moves of unknown kind have no row.
"""


class Layers(NamedTuple):
    """One record in short: for each of the 29 layers its cards, the kind of the move, and whose move it was."""

    words: List[Hand]
    kinds: List[int]
    """Kinds of move; ``PASS_KIND`` where a layer is counts only."""
    landlord: List[int]
    """1 where the landlord made the move, else 0."""

    def valuing(self, move: Move) -> "Layers":
        """Gets the same record with another move that is being valued."""
        cards, kinds = list(self.words), list(self.kinds)
        cards[VALUED_LAYER], kinds[VALUED_LAYER] = move.cards, move.kind
        return Layers(cards, kinds, self.landlord)


def layers(view: View, move: Move) -> Layers:
    """
    Shows *move*, played in *view*.

    For example, the landlord's first lead has cards in two layers, 27 and 28, and row 14 only in layer 27.
    """
    cards, kinds, landlord = [0] * LAYERS, [PASS_KIND] * LAYERS, [0] * LAYERS
    recent = SEATS * ROUNDS
    begin = len(view.plays) - recent
    for ply in range(max(begin, 0)):
        cards[(ply - begin) % SEATS] += view.plays[ply].cards
    for ply in range(max(begin, 0), len(view.plays)):
        layer = FIRST_MOVE_LAYER + ply - begin
        cards[layer], kinds[layer] = view.plays[ply].cards, view.plays[ply].kind
        landlord[layer] = int(ply % SEATS == 0)
    cards[HAND_LAYER] = view.hand
    landlord[VALUED_LAYER] = int(view.seat == 0)
    return Layers(cards, kinds, landlord).valuing(move)


def planes(words: Any, kinds: Any, landlord: Any) -> Any:
    """
    Gets the cells of many records at once, with numpy: shape (n, 29, 15, 15) by layer, row and rank, uint8.

    The three are arrays of shape (n, 29), the words as uint64, kinds and landlord as uint8. Fewer columns show as many
    layers.

    :raises ImportError: without numpy.
    """
    try:
        import numpy
    except ImportError as error:
        raise ImportError("planes of many records at once take numpy") from error
    shifts = 4 * numpy.arange(COLUMNS, dtype=numpy.uint64)
    copies = ((words[:, :, None] >> shifts) & numpy.uint64(15)).astype(numpy.uint8)[:, :, None, :]
    table = numpy.zeros((len(KIND_NAMES), LANDLORD_ROW - FIRST_KIND_ROW), numpy.uint8)
    for kind, rows in KIND_ROWS.items():
        for row in rows:
            table[kind, row - FIRST_KIND_ROW] = 1
    cells = numpy.empty((*words.shape, ROWS, COLUMNS), numpy.uint8)
    cells[:, :, :FIRST_KIND_ROW] = copies == numpy.arange(1, FIRST_KIND_ROW + 1, dtype=numpy.uint8)[:, None]
    cells[:, :, FIRST_KIND_ROW:LANDLORD_ROW] = table[kinds][:, :, :, None] * (copies > 0)
    cells[:, :, LANDLORD_ROW] = landlord[:, :, None]
    return cells
