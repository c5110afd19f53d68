"""What the JSON of a results file must look like: the first thing that is wrong is named, with the way to it."""

from collections.abc import Iterable, Sequence
from typing import Any

from ..shared.deals_file import DealsFile
from ..shared.json_text import finite_number
from .faults import FIELDS
from .plan import LETTERS, Plan
from .sets import COUNTED, Row, statistics_of

__all__ = ["ShapeError", "check_row", "fields", "items", "plan_of", "text", "truth", "whole"]

PLAN = ("rules", "contestants", "sets", "seed", "namespace", "limit", "gauntlet", "sprt", "version")
"""What a results file says about the match, in order."""
_GAME = ("seating", "bids", "landlord", "landlord_won", "scores", "moves")


class ShapeError(ValueError):
    """Raised for JSON of another shape; the message is the end of a sentence on the file."""


def _wrong(where: str, value: Any, wanted: str) -> ShapeError:
    return ShapeError(f"{where} is {value!r:.40}, which is not {wanted}")


def fields(value: Any, where: str, names: Iterable[str], optional: Sequence[str] = ()) -> dict[str, Any]:
    """Takes an object with exactly these fields; those of *optional* may be missing."""
    if not isinstance(value, dict):
        raise _wrong(where, value, "an object")
    names = tuple(names)
    for name in names:
        if name not in value:
            raise ShapeError(f"{where} lacks {name!r}")
    for name in value:
        if name not in names and name not in optional:
            raise ShapeError(f"{where} has {name!r:.40}, which is unknown")
    return value


def items(value: Any, where: str, count: int | None = None) -> list[Any]:
    """Takes a list, of so many items."""
    if not isinstance(value, list) or count not in (None, len(value)):
        raise _wrong(where, value, "a list" if count is None else f"a list of {count}")
    return value


def text(value: Any, where: str) -> str:
    """Takes a text."""
    if not isinstance(value, str):
        raise _wrong(where, value, "a text")
    return value


def truth(value: Any, where: str) -> bool:
    """Takes true or false."""
    if not isinstance(value, bool):
        raise _wrong(where, value, "true or false")
    return value


def whole(value: Any, where: str, least: int = 0, below: int | None = None) -> int:
    """Takes a whole number from *least* on and below *below*."""
    if type(value) is not int or value < least or (below is not None and value >= below):
        wanted = f"from {least} to {below - 1}" if below is not None else f"of at least {least}"
        raise _wrong(where, value, f"a whole number {wanted}")
    return value


def _number(value: Any, where: str) -> float:
    try:
        return finite_number(value)
    except ValueError:
        raise _wrong(where, value, "a number") from None


def plan_of(head: dict[str, Any]) -> Plan:
    """
    Reads what a file says about its match. Its contestants are not looked for: they may be of another time.

    :raises ShapeError: if it says too little, too much, or what no match can be.
    """
    fields(head, "the match", PLAN, ("deals",))
    contestants = items(head["contestants"], "contestants")
    names = [_name(one, f"contestants[{number}]") for number, one in enumerate(contestants)]
    sprt = head["sprt"]
    plan = Plan(
        text(head["rules"], "rules"),
        tuple(names),
        whole(head["sets"], "sets", 1),
        whole(head["seed"], "seed"),
        text(head["namespace"], "namespace"),
        text(head["limit"], "limit"),
        truth(head["gauntlet"], "gauntlet"),
        None if sprt is None else tuple(_number(one, "sprt") for one in items(sprt, "sprt", 4)),  # type: ignore[arg-type]
        _deals(head["deals"]) if "deals" in head else None,
    )
    try:
        assert plan.seatings
        one_test = plan.test is None or len(plan.pairings) == 1
    except (ValueError, KeyError) as error:
        raise ShapeError(f"the match cannot be: {error}") from None
    if not plan.pairings or not one_test:
        raise ShapeError(f"the match cannot be of {len(names)} contestants")
    return plan


def _deals(value: Any) -> DealsFile:
    fields(value, "deals", ("file", "sha256"))
    return DealsFile(text(value["file"], "deals.file"), text(value["sha256"], "deals.sha256"))


def _name(contestant: Any, where: str) -> str:
    fields(contestant, where, ("name", "kind", "version"))
    return text(contestant["name"], f"{where}.name")


def check_row(plan: Plan, row: Any, where: str) -> Row:
    """
    Takes a row as a set of *plan*.

    :raises ShapeError: if it has another shape, or is no such set.
    """
    fields(row, where, ("set", "games", "counts", "ms"), ("stand_ins", "faults"))
    whole(row["set"], f"{where}.set", 0, plan.sets)
    games = items(row["games"], f"{where}.games", len(plan.seatings))
    for number, (game, seating) in enumerate(zip(games, plan.seatings, strict=True)):
        _check_game(game, seating, f"{where}.games[{number}]")
    for letter, counts in fields(row["counts"], f"{where}.counts", LETTERS).items():
        for name, count in fields(counts, f"{where}.counts.{letter}", COUNTED).items():
            whole(count, f"{where}.counts.{letter}.{name}")
    for letter, times in fields(row["ms"], f"{where}.ms", LETTERS).items():
        for time in items(times, f"{where}.ms.{letter}"):
            _number(time, f"{where}.ms.{letter}")
    for letter, chose in fields(row.get("stand_ins", {}), f"{where}.stand_ins", (), LETTERS).items():
        if not isinstance(chose, dict):
            raise _wrong(f"{where}.stand_ins.{letter}", chose, "an object")
        for name, count in chose.items():
            whole(count, f"{where}.stand_ins.{letter}[{name!r:.40}]")
    for number, fault in enumerate(items(row.get("faults", []), f"{where}.faults")):
        _check_fault(fault, len(plan.seatings), f"{where}.faults[{number}]")
    try:
        statistics_of(row)
    except ValueError as error:
        raise ShapeError(f"{where} is not a set: {error}") from None
    return dict(row)


def _check_fault(fault: Any, games: int, where: str) -> None:
    fields(fault, where, FIELDS)
    whole(fault["game"], f"{where}.game", 0, games)
    if fault["by"] not in tuple(LETTERS):
        raise _wrong(f"{where}.by", fault["by"], "A or B")
    for name in ("verdict", "sentence"):
        text(fault[name], f"{where}.{name}")


def _check_game(game: Any, seating: str, where: str) -> None:
    fields(game, where, _GAME)
    if game["seating"] != seating:
        raise _wrong(f"{where}.seating", game["seating"], f"{seating}, the seating of that game")
    for bid in items(game["bids"], f"{where}.bids"):
        whole(bid, f"{where}.bids")
    whole(game["landlord"], f"{where}.landlord", 0, len(seating))
    truth(game["landlord_won"], f"{where}.landlord_won")
    for score in items(game["scores"], f"{where}.scores", len(seating)):
        _number(score, f"{where}.scores")
    whole(game["moves"], f"{where}.moves")
