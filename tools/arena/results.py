"""
The results file of a match: what was played, every set, and the numbers that follow from the sets.

Names that other programs may rely on: ``pairings[i].summary`` (and ``summary``, that of the first pairing) with ``wp``,
``wp95``, ``adp``, ``adp95``, and the same under ``landlord`` and ``peasants``. WP is in percent, an interval is
``[low, high]``, and null stands where nothing is known. Measured times are the only thing in the file that differs
when the same match is played again.
"""

import math
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tools.arena.plan import Plan
from tools.arena.sets import COUNTED, LETTERS, Row, statistics_of
from tools.arena.sprt import Sprt, SprtTest
from tools.arena.stats import Estimate, SetStats, SideSums
from tools.json_text import json_text, parse_json

FORMAT = "ddzbot-match/1"
PERCENTILES = {"p50": 50, "p95": 95, "max": 100}


def results_of(plan: Plan, rows: Sequence[Sequence[Row]], finished: bool) -> dict[str, Any]:
    """Builds the results file from the *rows* of each pairing; the order in which they were played leaves no trace."""
    pairings = [
        _pairing(plan, pairing, sorted(rows[number], key=lambda row: row["set"]))
        for number, pairing in enumerate(plan.pairings)
    ]
    return {
        "format": FORMAT,
        **plan.as_json(),
        "finished": finished,
        "summary": pairings[0]["summary"],
        "pairings": pairings,
    }


def _pairing(plan: Plan, pairing: tuple[int, int], rows: list[Row]) -> dict[str, Any]:
    counted, sequential = counted_rows(plan.test, rows)
    a, b = pairing
    return {
        "a": plan.contestants[a],
        "b": plan.contestants[b],
        "summary": summary_of(counted),
        "sprt": sequential,
        "times": times_of(counted),
        "rows": counted,
    }


def counted_rows(test: SprtTest | None, rows: list[Row]) -> tuple[list[Row], dict[str, Any] | None]:
    """Gets the rows that count, all in seed order, or up to where a sequential test stopped; and how it stands."""
    if test is None:
        return rows, None
    sprt = Sprt(test)
    for row in rows:
        sprt.update(statistics_of(row))
    counted = [row for row in rows if row["set"] < sprt.next_index]
    low, high = test.llr_bounds
    standing = {"llr": sprt.llr, "bounds": [low, high], "verdict": sprt.verdict.value, "sets": sprt.stats.sets}
    return counted if sprt.verdict.value != "running" else rows, standing


def summary_of(rows: Iterable[Row]) -> dict[str, Any]:
    """Sums up A's result over rows of one pairing."""
    rows = list(rows)
    stats = SetStats.of(map(statistics_of, rows))
    elo = stats.elo()
    return {
        "sets": stats.sets,
        "sets_lost_tied_won": list(stats.histogram),
        **_measures(stats.wp(), stats.adp()),
        "landlord": _side(stats.a.landlord),
        "peasants": _side(stats.a.peasants),
        "landlord_rate": _finite(100 * stats.a.landlord_rate().value),
        "elo": _finite(elo.value),
        "elo95": [_finite(elo.low), _finite(elo.high)],
        "los": stats.los(),
        "counts": {
            letter: {name: sum(row["counts"][letter][name] for row in rows) for name in COUNTED} for letter in LETTERS
        },
        **_stand_ins(rows),
    }


def _stand_ins(rows: Sequence[Row]) -> dict[str, Any]:
    """Sums up who chose in a contestant's place; nothing where every contestant played itself."""
    found = {letter: Counter[str]() for letter in LETTERS}
    for row in rows:
        for letter, names in row.get("stand_ins", {}).items():
            found[letter].update(names)
    return (
        {"stand_ins": {letter: dict(sorted(found[letter].items())) for letter in LETTERS}}
        if any(found.values())
        else {}
    )


def _side(sums: SideSums) -> dict[str, Any]:
    if not sums.wins.weight:
        return {"wp": None, "wp95": [None, None], "adp": None, "adp95": [None, None]}
    return _measures(sums.wp(), sums.adp())


def _measures(wp: Estimate, adp: Estimate) -> dict[str, Any]:
    return {
        "wp": _finite(100 * wp.value),
        "wp95": [_finite(100 * wp.low), _finite(100 * wp.high)],
        "adp": _finite(adp.value),
        "adp95": [_finite(adp.low), _finite(adp.high)],
    }


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def times_of(rows: Iterable[Row]) -> dict[str, dict[str, float]]:
    """Gets percentiles of the milliseconds of the searched decisions, by contestant."""
    measured: dict[str, list[float]] = {letter: [] for letter in LETTERS}
    for row in rows:
        for letter in LETTERS:
            measured[letter] += row["ms"][letter]
    return {
        letter: {name: round(float(np.percentile(times, share)), 2) for name, share in PERCENTILES.items()}
        for letter, times in measured.items()
        if times
    }


def save(path: Path, results: dict[str, Any]) -> None:
    """Writes a results file in one step: a reader sees the old one or the new one, never a half."""
    fresh = path.with_name(path.name + ".part")
    fresh.write_text(json_text(results, ascii_only=True) + "\n", encoding="utf-8")
    os.replace(fresh, path)


def load(path: Path) -> dict[str, Any]:
    """
    Reads a results file.

    :raises ValueError: if it is none, with one sentence that names the file.
    """
    try:
        results = parse_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"results file {path}: it cannot be read ({error})") from error
    if not isinstance(results, dict) or results.get("format") != FORMAT:
        raise ValueError(f"results file {path}: it is no {FORMAT} file")
    return results


def rows_to_resume(path: Path, plan: Plan) -> list[list[Row]]:
    """
    Gets the rows that an earlier run of the same plan left in *path*; empty lists if there is no such file.

    Only the number of sets may differ, and only grow.

    :raises ValueError: if the file holds another match; nothing in it is touched.
    """
    if not path.exists():
        return [[] for _ in plan.pairings]
    results = load(path)
    for name, value in plan.as_json().items():
        if name != "sets" and results.get(name) != value:
            raise ValueError(
                f"results file {path} holds another match: {name} is {results.get(name)!r} there and {value!r} here; "
                "name another file, or remove it"
            )
    if results["sets"] > plan.sets:
        raise ValueError(f"results file {path} is of {results['sets']} sets: --sets {plan.sets} would throw some away")
    return [pairing["rows"] for pairing in results["pairings"]]
