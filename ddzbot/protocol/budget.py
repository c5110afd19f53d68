"""
The time of a turn.

The plan keeps a wide margin below what the platform is known to allow a Python bot: 6 s for a first or one-shot
turn, 4 s for a later turn of a kept process. Losing on time is a bug; a quarter of the time is a cheap insurance
against a loaded judge.
"""

import math
import sys
import time
from typing import Any, NamedTuple, Optional

from ddzbot.protocol.start import FIRST_TURN

KEPT_TURN = 3.0
SHARE_OF_LIMIT = 0.75
"""The part of an announced time limit that is used."""

LONGEST_TURN = 3600.0
"""Whatever a judge announces, no turn takes longer."""

_SHARE_FOR_PLAYER = 0.95
_WAY_OUT = 0.1
"""Seconds of a turn that the player never has, unless the turn is shorter than twice that."""
_WORK_ON_WAY_OUT, _LEAST_SHARE = 0.02, 0.01
"""Seconds of a processor that the way out may take, to end a slice and to write; and the least share of one."""
_MILLISECONDS_FROM = 100.0
"""An announced limit of this or more is in milliseconds: no judge gives a bot 100 s a turn."""


class Budget(NamedTuple):
    """Seconds a turn may take, counted from the start of the process or from the arrival of the line."""

    first: float = FIRST_TURN
    """For the first turn of a process, imports included."""
    later: float = KEPT_TURN
    trusts_time_limit: bool = False
    """A ``time_limit`` in the envelope may raise the plan, and not only lower it."""

    def planned(self, message: Any, first_turn: bool) -> float:
        """Gets the seconds for a turn of the match whose latest envelope is *message*."""
        planned = self.first if first_turn else self.later
        announced = _announced(message)
        if announced is None:
            return planned
        allowed = min(SHARE_OF_LIMIT * announced, LONGEST_TURN)
        return allowed if self.trusts_time_limit else min(planned, allowed)

    def for_player(self, seconds_left: float, share: float = 1.0) -> float:
        """
        Gets the part of *seconds_left* that the player may use; the rest covers the way out.

        That is a twentieth, and at least a tenth of a second: a slice of a search that another program interrupts is
        late by some hundredths, however short the turn is. It is more for a process that has only a *share* of a
        processor. Of the shortest turns the player has half.
        """
        left = max(0.0, seconds_left)
        way_out = max(_WAY_OUT, _WORK_ON_WAY_OUT / max(share, _LEAST_SHARE))
        return min(_SHARE_FOR_PLAYER * left, max(left - way_out, left / 2))


def processor_seconds() -> float:
    """Gets the seconds of processor time after which the system ends this process; infinity where there is no limit."""
    if sys.platform == "win32":
        return math.inf
    else:
        try:
            import resource  # not every other system has it

            limit = resource.getrlimit(resource.RLIMIT_CPU)[0]
        except (ImportError, OSError, ValueError):
            return math.inf
        if limit == resource.RLIM_INFINITY:
            return math.inf
        return max(0.0, limit - time.process_time())


def _announced(message: Any) -> Optional[float]:
    """Reads ``time_limit``: seconds or milliseconds, a number or its text; anything else is no limit."""
    value = message.get("time_limit") if isinstance(message, dict) else None
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        limit = float(value)
    except (ValueError, OverflowError):
        return None
    if not math.isfinite(limit) or limit <= 0:
        return None
    return limit / 1000 if limit >= _MILLISECONDS_FROM else limit
