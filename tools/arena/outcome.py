"""How one game of a match went."""

from typing import Any, NamedTuple

from ddzbot.game import Game, Scores


class Asked(NamedTuple):
    """One decision that left a choice, or one turn of a program."""

    position: int
    ply: int | None
    """The number of the move from 0; None where a program decided."""
    milliseconds: float
    debug: dict[str, Any]
    """What the player says of it."""

    @property
    def fallback(self) -> bool:
        """The player failed, and another one's move was laid: ``failed_...``, or from ``bot.py`` an ``error``."""
        return any(key == "error" or key.startswith("failed_") for key in self.debug)


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
