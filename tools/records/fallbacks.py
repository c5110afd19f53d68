"""
The fallbacks that chose moves, from the debug output of programs and players.

The bot and the engine say it in ``debug``: ``player`` chose, and each ``failed_NAME`` was asked before and says why it
did not (:mod:`ddzbot.engine`); ``error`` alone says that no player chose in time.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from ddzbot.engine import FAILED
from ddzbot.game import SEATS
from ddzbot.players.base import Failure

from ..shared.message import Message, joined
from .record import GameRecord

UNNAMED = "none"
"""The name where no player chose, for example because the time was up."""

LONGEST_FALLBACK = 60
"""Characters of a name that a program says, which may be of any length."""


def failures_of(debug: Mapping[str, Any]) -> list[Failure]:
    """
    Lists the players that were asked and did not choose, in that order. For example, of ``{"player": "rule",
    "failed_champion": "no network"}`` it is champion.
    """
    named = [Failure(key[len(FAILED) :], str(why)) for key, why in debug.items() if key.startswith(FAILED)]
    return named or ([Failure("", str(debug["error"]))] if "error" in debug else [])


def fallback_in(debug: Mapping[str, Any]) -> str:
    """Gets the fallback that chose: ``rule`` in the example above; an empty text without one."""
    return f"{debug.get('player', UNNAMED)!s:.{LONGEST_FALLBACK}}" if failures_of(debug) else ""


def fallbacks_of(record: GameRecord) -> dict[int, Counter[str]]:
    """Counts, for each position that has any, the moves that another player chose, by that player's name."""
    counts: dict[int, Counter[str]] = {}
    for ply, move in enumerate(record.moves):
        fallback = fallback_in(move.note.debug or {})
        if fallback:
            counts.setdefault(record.position_of(ply % SEATS), Counter())[fallback] += 1
    return counts


def fallback_lines(record: GameRecord) -> list[str]:
    """Makes a line for each position with moves of fallbacks, with their names and counts; empty without any."""
    return [
        Message(
            "{name} (position {number}) did not choose itself: {chose} of its moves",
            name=record.names[position],
            number=position,
            chose=joined(
                Message("{name} chose {count}", name=fallback, count=n) for fallback, n in sorted(names.items())
            ),
        )
        for position, names in sorted(fallbacks_of(record).items())
    ]
