"""
Counts the moves of a position with open hands to a depth, as chess programs do: a number that shows a wrong rule.

A game that ends before the depth counts nothing there, as a mate does in chess.
"""

from functools import lru_cache
from typing import NamedTuple

from ddzbot.rules import Move
from ddzbot.search.endgame_position import Endgame

_KEPT = 1 << 18
"""Positions whose counts are kept, in some 140 MB. All those of a whole deal take 570 MB at depth 9."""


class Split(NamedTuple):
    """How many games of the depth begin with a move."""

    move: Move
    games: int


def perft(position: Endgame, depth: int) -> list[Split]:
    """
    Counts the sequences of *depth* moves from *position*, by first move, in the order of the legal moves.

    For example, of ``334`` against ``5`` and ``6`` there are three games of one move: 3, 33 and 4.
    """

    @lru_cache(_KEPT)
    def count(at: Endgame, left: int) -> int:
        if left == 0:
            return 1
        if at.winner is not None:
            return 0
        moves = at.legal_moves()
        return len(moves) if left == 1 else sum(count(at.played(move), left - 1) for move in moves)

    if position.winner is not None:
        return []
    return [Split(move, count(position.played(move), depth - 1)) for move in position.legal_moves()]
