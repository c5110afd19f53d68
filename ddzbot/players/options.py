"""What the options of players share."""

from copy import copy
from typing import Optional, TypeVar

from ddzbot.players.base import Player

PlayerWithSearch = TypeVar("PlayerWithSearch", bound=Player)
"""Type variable: a player that has the option ``search``."""


def number(
    player: str, name: str, given: Optional[object], most: int, unit: int = 1, least: float = 0
) -> Optional[int]:
    """
    Reads the option *name*, a number or the text of one, as a whole number of 1 / *unit*; None stays None.

    For example ``number("mcm", "c", "0.7", 1000, unit=1000) == 700``.

    :raises ValueError: for anything else than a number from *least* to *most*, or one that is no multiple.
    """
    if given is None:
        return None
    try:
        value = float(str(given))
    except ValueError:
        value = -1.0
    # Decimal fractions are not exact: 0.29 * 100 is a little less than 29.
    if not least <= value <= most or round(value * unit, 6) != round(value * unit):
        raise ValueError(f"{player}: {name}={given} is no number from {least} to {most}")
    return round(value * unit)


def with_option(label: str, option: str) -> str:
    """Adds an option to a player as one writes it. For example ``with_option("mcm:k=3", "c=1") == "mcm:k=3,c=1"``."""
    return label + ("," if "=" in label else ":") + option


def network_alone(player: PlayerWithSearch) -> Optional[PlayerWithSearch]:
    """Gets the same player with ``search=none``; None if it is that already."""
    if player.search == "none":  # type: ignore[attr-defined]
        return None
    alone = copy(player)
    alone.search = "none"  # type: ignore[attr-defined]
    alone.label = with_option(player.label, "search=none")
    return alone
