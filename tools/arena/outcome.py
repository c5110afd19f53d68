"""How one game of a match went."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ddzbot.game import Game, Scores


def fell_back(debug: Mapping[str, Any]) -> bool:
    """Checks if the notes on a decision say that the player failed: ``failed_...``, or from ``bot.py`` an ``error``."""
    return any(key == "error" or key.startswith("failed_") for key in debug)


class Asked(NamedTuple):
    """One decision that left a choice."""

    position: int
    ply: int | None
    """The number of the move from 0; None where a program decided."""
    milliseconds: float
    fallback: bool
    """The contestant's own player failed, and another one's move was laid."""
    debug: dict[str, Any]


class Outcome(NamedTuple):
    """A finished game."""

    game: Game | None
    """All moves; None if programs failed before there was a landlord."""
    landlord_position: int
    landlord_won: bool
    scores: Scores
    """By seat."""
    asked: list[Asked]
    faults: list[tuple[int, str]]
    """Positions, and TLE, RE, MLE, OLE, NJ or ILLEGAL, of programs that the referee found at fault."""
