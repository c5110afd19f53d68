"""How a limit is written, as :func:`ddzbot.search.limit.parse_limit` reads it."""

from decimal import Decimal

from ddzbot.search.limit import Limit


def limit_text(limit: Limit) -> str:
    """Writes a limit: ``limit_text(Limit(0.2, 5000)) == "0.2s,5000p"``."""
    seconds = "" if limit.seconds is None else f"{Decimal(repr(float(limit.seconds))).normalize():f}s"
    return ",".join(filter(None, (seconds, "" if limit.playouts is None else f"{limit.playouts}p")))
