"""The checks that the options of players share."""

from copy import copy
from typing import Any, Collection, Dict, Iterable, Optional, Sequence, Type, TypeVar

from ddzbot.players.base import Player

FORMER = {"drawn": "oversample"}
"""Names of options in kept results files (results/champion), and what they are today."""
PlayerWithSearch = TypeVar("PlayerWithSearch", bound=Player)
"""Type variable: a player whose ``options`` have ``search``."""


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
        parsed = float(str(given))
    except ValueError:
        parsed = -1.0
    # Decimal fractions are not exact: 0.29 * 100 is a little less than 29.
    if not least <= parsed <= most or round(parsed * unit, 6) != round(parsed * unit):
        raise ValueError(f"{player}: {name}={given} is not a number from {least} to {most}")
    return round(parsed * unit)


def unknown_option(given: Iterable[str], known: Sequence[str]) -> Optional[str]:
    """Says which of the options is not *known*, and which are; None if all are."""
    for option in given:
        if option not in known and FORMER.get(option) not in known:
            have = "there are " + ", ".join(known) if known else "it has none"
            return f"the option {option!r:.60} is unknown; {have}"
    return None


def read_options(player: str, kind: Type[Any], given: Dict[str, Any]) -> Any:
    """
    Makes the options of a player, a NamedTuple of this *kind*, of those that were *given*; None is the default.

    :raises ValueError: for an unknown option, or for one under its former name and its present one.
    """
    given = _renamed(player, kind, given)
    problem = unknown_option(given, kind._fields)
    if problem:
        raise ValueError(f"{player}: {problem}")
    return kind(**{option: setting for option, setting in given.items() if setting is not None})


def _renamed(player: str, kind: Type[Any], given: Dict[str, Any]) -> Dict[str, Any]:
    renamed: Dict[str, Any] = {}
    for option, setting in given.items():
        now = FORMER.get(option, option)
        if now not in kind._fields or option in kind._fields:
            now = option
        if now in renamed:
            raise ValueError(f"{player}: {option} is another name of {now}; give one of them")
        renamed[now] = setting
    return renamed


def checked_word(player: str, name: str, given: Any, known: Collection[Any]) -> None:
    """
    Checks an option that is one of a few words.

    :raises ValueError: for any other.
    """
    if given not in known:
        *others, final = [word for word in known if word is not None]
        raise ValueError(
            "{}: {}={} is unknown; there are {} and {}".format(player, name, given, ", ".join(others), final)
        )


def with_option(label: str, option: str) -> str:
    """Adds an option to a player as one writes it. For example ``with_option("mcm:k=3", "c=1") == "mcm:k=3,c=1"``."""
    return label + ("," if "=" in label else ":") + option


def network_alone(player: PlayerWithSearch) -> Optional[PlayerWithSearch]:
    """Gets the same player with ``search=none`` among its options; None if it is that already."""
    options: Any = player.options  # type: ignore[attr-defined]
    if options.search == "none":
        return None
    alone = copy(player)
    alone.options = options._replace(search="none")  # type: ignore[attr-defined]
    alone.label = with_option(player.label, "search=none")
    return alone
