"""How a limit is written, as :func:`ddzbot.search.limit.parse_limit` reads it."""

from decimal import Decimal

from ddzbot.search.limit import Limit, parse_limit

from .message import Message


def typed_limit(text: str) -> Limit:
    """
    Reads a limit that a user typed.

    :raises ValueError: for any other text, with a message.
    """
    try:
        return parse_limit(text)
    except ValueError:
        raise ValueError(Message("limit {limit} must be like 0.2s, 5000p or 0.2s,5000p", limit=repr(text))) from None


def limit_text(limit: Limit) -> str:
    """Writes a limit: ``limit_text(Limit(0.2, 5000)) == "0.2s,5000p"``."""
    seconds = "" if limit.seconds is None else f"{Decimal(repr(float(limit.seconds))).normalize():f}s"
    return ",".join(filter(None, (seconds, "" if limit.playouts is None else f"{limit.playouts}p")))
