"""
The two lists of moves that naive networks choose from.

That of *abstract* moves has the 396 bodies (kind, rank, length) of all rule sets, the rocket and the pass; the papers
have some three hundred. Of the moves with one body the one is meant whose kickers break the fewest ranks, then the
lowest ones.

That of *whole* moves has all moves under ``botzone`` with their kickers, and the pass. The papers count 13,527 such
moves in their program, which has no shuttles with kickers.
"""

from collections.abc import Sequence
from functools import cache

from ddzbot.cards import FULL_DECK, Hand, count, counts
from ddzbot.rules import BOTZONE, LOOSEST, PASS, PASS_KIND, ROCKET, RULE_SETS, Move, Shape, legal_moves

Body = tuple[int, int, int]
"""Type alias: kind, rank and length of a move."""
_MOST_CARDS = 20


def _bodies() -> list[Body]:
    shapes = {shape for rules in RULE_SETS.values() for shape in rules.legal}
    bodies = {
        (shape.kind, rank, length) for shape in shapes for length in _lengths(shape) for rank in _ranks(shape, length)
    }
    return [(PASS_KIND, -1, 0), *sorted(bodies), (ROCKET, 13, 1)]


def _lengths(shape: Shape) -> range:
    return range(shape.min_length, min(shape.max_length, _MOST_CARDS // shape.cards_per_rank) + 1)


def _ranks(shape: Shape, length: int) -> range:
    return range(shape.top_rank - length + 2)


BODIES = _bodies()
"""The abstract moves, in their frozen order."""
PLACES = {body: place for place, body in enumerate(BODIES)}
WHOLE = 21_422
"""The number of whole moves."""
_KICKED = {shape.kind for shape in LOOSEST if shape.kicker}


def choices_among(hand: Hand, legal: Sequence[Move]) -> dict[int, Move]:
    """
    Gets the moves that the list of abstract moves offers, by their places in it.

    For example, ``3334455`` offers ``33344`` and ``33355`` as one, which is ``33344``.
    """
    choices: dict[int, Move] = {}
    for move in legal:
        index = PLACES[(PASS_KIND, -1, 0) if move.is_pass else (move.kind, move.rank, move.length)]
        rival = choices.get(index)
        if rival is None or (move.kind in _KICKED and _waste(hand, move) < _waste(hand, rival)):
            choices[index] = move
    return choices


def _waste(hand: Hand, move: Move) -> tuple[int, int]:
    """Gets how many ranks a move breaks, and how high its cards are."""
    played = counts(move.cards)
    broken = sum(0 < cards < count(hand, rank) for rank, cards in enumerate(played))
    return broken, sum(rank * cards for rank, cards in enumerate(played))


@cache
def whole_places() -> dict[Hand, int]:
    """Gets the place of each whole move by its cards; no cards are the pass."""
    moves = [PASS, *legal_moves(BOTZONE, FULL_DECK)]
    return {cards: index for index, cards in enumerate(sorted(move.cards for move in moves))}


def listed_among(_hand: Hand, legal: Sequence[Move]) -> dict[int, Move]:
    """
    Gets the moves that the list of whole moves has, by their places.

    It lacks moves of other rule sets, but no solo and no pass: one of the legal moves is always there.
    """
    places = whole_places()
    return {places[move.cards]: move for move in legal if move.cards in places}
