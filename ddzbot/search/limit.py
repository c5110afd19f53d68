"""How long a player may think: seconds, playouts, or both."""

from typing import NamedTuple, Optional


class Limit(NamedTuple):
    """A budget for one decision; a field that is None does not limit."""

    seconds: Optional[float] = None
    """Wall-clock seconds from the moment the player is asked."""
    playouts: Optional[int] = None
    """Playouts, the measure that gives the same answer on every machine."""


NO_LIMIT = Limit()
"""Nothing limits the decision."""
