"""The table of a match as CSV, which a spreadsheet reads: one line a contestant, and its WP against each other one."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ...shared.bounds import unwritable
from ...shared.errors import InputError
from ...shared.kept.whole_file import put_table
from ...shared.plain import plain
from ..files.results_file import Entry
from ..played.faults import faults_by_name
from ..sums.estimates import Estimate
from .results import Results
from .standings import Standing, standings

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a text begins with that a spreadsheet would reckon."""


def write_sheet(path: Path, results: Results, entries: Iterable[Entry] = ()) -> None:
    """
    Writes the table, the best first, or by seat; names of strangers are texts there, too.

    Those *entries* of a field that do not play stand last, with why.

    :raises InputError: if it cannot be written.
    """
    lines = list(_of_seats(results) if results.seats else _of_standings(results))
    empty = dict.fromkeys(lines[0], "")
    lines += [{**empty, "name": one.name, "faults": f"does not play: {one.problem}"} for one in entries if one.problem]
    try:
        put_table(path, [_cell(column) for column in lines[0]], (map(_cell, line.values()) for line in lines))
    except OSError as error:
        raise InputError(unwritable(path, error)) from None


def _of_standings(results: Results) -> Iterator[dict[str, Any]]:
    found = results.standings or standings(results.plan, results.rows)
    faults = faults_by_name(results.plan, results.rows)
    for rank, one in enumerate(found.players, 1):
        meetings = {other.name: found.meetings.get((one.name, other.name)) for other in found.players}
        yield {
            "rank": rank,
            "name": one.name,
            **_ends("elo", one.elo, 1),
            "sets": one.sets,
            **_ends("wp", one.wp, 100),
            **_ends("adp", one.adp, 1),
            "first sets": one.first,
            **_counts(one),
            "faults": "; ".join(kind.line for kind in faults[one.name]),
            **{f"wp against {name}": _number(met.wp.value if met else None, 100) for name, met in meetings.items()},
        }


def _counts(one: Standing) -> dict[str, Any]:
    counts, times = one.counts, one.milliseconds
    names = ("failures", "illegal", "timeouts", "fallbacks")
    median, most = (round(time, 1) for time in times) if times else ("", "")
    return {
        "decisions": counts.searched,
        "ms median": median,
        "ms 95 %": most,
        **{name: getattr(counts, name) for name in names},
    }


def _of_seats(results: Results) -> Iterator[dict[str, Any]]:
    faults = faults_by_name(results.plan, results.rows)
    for letter, one in zip(results.plan.letters, results.seats, strict=True):
        yield {
            "seat": letter,
            "name": one.name,
            "games": len(results.rows[0]),
            "landlord": one.as_landlord,
            "out": one.out,
            **_ends("wp", one.wp, 100),
            "points": _number(one.points, 1),
            **_ends("adp", one.adp, 1),
            "faults": "; ".join(kind.line for kind in faults[one.name]),
        }


def _ends(name: str, estimate: Estimate | None, factor: int) -> dict[str, Any]:
    value, low, high = estimate or [None] * 3
    return {name: _number(value, factor), f"{name} low": _number(low, factor), f"{name} high": _number(high, factor)}


def _number(value: float | None, factor: int) -> float | str:
    return "" if value is None or not abs(value) < float("inf") else round(factor * value, 3)


def _cell(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return plain(f"'{value}" if value.startswith(_FORMULA) else value)
