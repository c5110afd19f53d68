"""
Who chose in whose place, by what a program or a player said of its decision.

The bot and the engine say it in ``debug``: ``player`` chose, and each ``failed_NAME`` was asked before and says why it
did not (:mod:`ddzbot.engine`); ``error`` alone says that nobody chose in time.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from ddzbot.engine import FAILED
from ddzbot.game import SEATS
from ddzbot.players.base import Failure

from ..shared.message import Message, joined
from .record import GameRecord

UNNAMED = "nobody"
"""Who chose where no player is named, as where the time was up."""

LONGEST_FALLBACK = 60
"""Characters of a name that a program says, which may be of any length."""


def failures_of(debug: Mapping[str, Any]) -> list[Failure]:
    """
    Lists who was asked and did not choose, in that order. For example, of ``{"player": "rule", "failed_champion": "no
    network"}`` it is champion.
    """
    named = [Failure(key[len(FAILED) :], str(why)) for key, why in debug.items() if key.startswith(FAILED)]
    return named or ([Failure("", str(debug["error"]))] if "error" in debug else [])


def fallback_of(debug: Mapping[str, Any]) -> str:
    """Gets who chose in another's place: ``rule`` in the example above; an empty text if nobody did."""
    return f"{debug.get('player', UNNAMED)!s:.{LONGEST_FALLBACK}}" if failures_of(debug) else ""


def fallbacks_of(record: GameRecord) -> dict[int, Counter[str]]:
    """Counts, for each position that has any, the moves that another player chose, by that player's name."""
    found: dict[int, Counter[str]] = {}
    for ply, move in enumerate(record.moves):
        name = fallback_of(move.note.debug or {})
        if name:
            found.setdefault(record.position_of(ply % SEATS), Counter())[name] += 1
    return found


def fallback_lines(record: GameRecord) -> list[str]:
    """Says for each position in one line who chose in its player's place; nothing where every player chose."""
    return [
        Message(
            "{name} (position {number}) did not choose itself: {chose} of its moves",
            name=record.names[position],
            number=position,
            chose=joined(Message("{name} chose {count}", name=name, count=n) for name, n in sorted(names.items())),
        )
        for position, names in sorted(fallbacks_of(record).items())
    ]
