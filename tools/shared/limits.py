"""How a command line writes the limit of a decision."""

import re
from decimal import Decimal

from ddzbot.search.limit import Limit

_PART = re.compile(r"(\d+(?:\.\d+)?)(s|p)")


def parse_limit(text: str) -> Limit:
    """
    Reads a limit such as ``0.2s``, ``5000p`` (playouts) or ``0.2s,5000p``; an empty text is no limit.

    :raises ValueError: for any other text.
    """
    seconds: float | None = None
    playouts: int | None = None
    for part in filter(None, text.split(",")):
        match = _PART.fullmatch(part)
        if match and match[2] == "s" and seconds is None and float(match[1]) > 0:
            seconds = float(match[1])
        elif match and match[2] == "p" and playouts is None and match[1].isdigit() and int(match[1]) > 0:
            playouts = int(match[1])
        else:
            raise ValueError(f"limit {text!r} must be like 0.2s, 5000p or 0.2s,5000p")
    return Limit(seconds, playouts)


def limit_text(limit: Limit) -> str:
    """Writes a limit as :func:`parse_limit` reads it: ``limit_text(Limit(0.2, 5000)) == "0.2s,5000p"``."""
    seconds = "" if limit.seconds is None else f"{Decimal(repr(float(limit.seconds))).normalize():f}s"
    return ",".join(filter(None, (seconds, "" if limit.playouts is None else f"{limit.playouts}p")))
