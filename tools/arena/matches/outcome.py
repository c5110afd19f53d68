"""How one game of a match went."""

from typing import Any, NamedTuple

from ddzbot.game import Game, Scores
from ddzbot.players.base import Decision, Failure

from ...records.fallbacks import failures_of, fallback_in


class Asked(NamedTuple):
    """One decision that left a choice, or one turn of a program."""

    position: int
    ply: int | None
    """The number of the move from 0; None for a program's bid."""
    milliseconds: float
    debug: dict[str, Any]
    """The player's comment on it."""
    fallback: str = ""
    """The fallback that chose in the named player's place; empty if the player itself chose."""
    failures: tuple[Failure, ...] = ()
    """The players that were asked before, in this order."""

    @classmethod
    def of_decision(cls, position: int, ply: int, milliseconds: float, decision: Decision) -> "Asked":
        """Notes what an engine decided."""
        fallback = decision.player if decision.failures else ""
        return cls(position, ply, milliseconds, decision.debug, fallback, decision.failures)

    @classmethod
    def of_program(cls, position: int, ply: int | None, milliseconds: float, debug: dict[str, Any]) -> "Asked":
        """Notes an answer of a program, which may name a fallback that chose, as ``bot.py`` does."""
        return cls(position, ply, milliseconds, debug, fallback_in(debug), tuple(failures_of(debug)))


class Fault(NamedTuple):
    """What the referee found wrong with a program."""

    position: int
    verdict: str
    """TLE, RE, MLE, OLE, NJ or ILLEGAL."""
    sentence: str
    """The player and its fault, with the last line on standard error or the exit status where it crashed."""


class GameOutcome(NamedTuple):
    """A finished game."""

    game: Game | None
    """All moves; None if programs failed before there was a landlord."""
    landlord_position: int
    landlord_won: bool
    scores: Scores
    """By seat."""
    asked: list[Asked]
    faults: list[Fault]
    """Of programs, in turn."""
    bids: tuple[int, ...] = ()
    """By position."""
