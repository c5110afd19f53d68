"""The limit of a decision: seconds, playouts, or both."""

import re
from typing import NamedTuple, Optional

from ddzbot.readable import described

_PART = re.compile(r"(\d+(?:\.\d+)?)(s|p)")


@described(
    seconds="Wall-clock seconds from the moment the player is asked, above 0.",
    playouts="Playouts, 1 or more, which give the same answer on every machine; for the endgame solver, positions.",
)
class Limit(NamedTuple):
    """A budget for one decision; a field that is None does not limit."""

    seconds: Optional[float] = None
    playouts: Optional[int] = None


NO_LIMIT = Limit()
"""Nothing limits the decision."""


def parse_limit(text: str) -> Limit:
    """
    Reads a limit such as ``0.2s``, ``5000p`` (playouts) or ``0.2s,5000p``; an empty text is no limit.

    :raises ValueError: for any other text.
    """
    seconds: Optional[float] = None
    playouts: Optional[int] = None
    for part in filter(None, text.split(",")):
        match = _PART.fullmatch(part)
        amount, unit = match.groups() if match else ("0", "")
        if unit == "s" and seconds is None and float(amount) > 0:
            seconds = float(amount)
        elif unit == "p" and playouts is None and amount.isdigit() and int(amount) > 0:
            playouts = int(amount)
        else:
            raise ValueError(f"limit {text!r} must be like 0.2s, 5000p or 0.2s,5000p")
    return Limit(seconds, playouts)
