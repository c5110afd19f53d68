"""
The flat list of moves of the naive DQN: all moves under ``botzone``, with their kickers, and the pass.

The papers count 13,527 such moves in their program, which has no shuttles with kickers.
"""

from collections.abc import Sequence
from functools import cache

from ddzbot.cards import FULL_DECK, Hand
from ddzbot.rules import BOTZONE, PASS, Move, legal_moves

WHOLE = 21_422
"""The number of moves in the list."""


@cache
def places() -> dict[Hand, int]:
    """Gets the place of each move by its cards; no cards are the pass."""
    moves = [PASS, *legal_moves(BOTZONE, FULL_DECK)]
    return {cards: index for index, cards in enumerate(sorted(move.cards for move in moves))}


def listed_among(_hand: Hand, legal: Sequence[Move]) -> dict[int, Move]:
    """
    Gets the moves that the list has, by their places.

    It lacks moves of other rule sets, but no solo and no pass: one of the legal moves is always there.
    """
    listed = places()
    return {listed[move.cards]: move for move in legal if move.cards in listed}
