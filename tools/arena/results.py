"""
The results of a match: what was played, every set, and the numbers that follow from the sets.

:mod:`tools.arena.results_file` keeps them in a file. Names that other programs may rely on: ``pairings[i].summary``
(and ``summary``, that of the first pairing) with ``wp``, ``wp95``, ``adp``, ``adp95``, and the same under ``landlord``
and ``peasants``; and, after several pairings, ``ratings``. WP is in percent, an interval is ``[low, high]``,
and null stands where nothing is known. Of a match of players that is played again only measured times differ.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .estimates import Estimate
from .plan import LETTERS, Plan
from .ratings import ratings_of
from .sets import COUNTED, Row, statistics_of
from .sprt import Sprt, SprtTest
from .stats import SetStats, SideSums

FORMAT = "ddzbot-match/2"
PERCENTILES = {"p50": 50, "p95": 95, "max": 100}


def results_of(plan: Plan, rows: Sequence[Sequence[Row]], finished: bool) -> dict[str, Any]:
    """Gets the results of the *rows* of each pairing; the order in which they were played leaves no trace."""
    pairings = pairings_of(plan, rows)
    return {
        "format": FORMAT,
        **plan.as_json(),
        "finished": finished,
        "summary": pairings[0]["summary"],
        **with_ratings(plan, pairings),
        "pairings": pairings,
    }


def with_ratings(plan: Plan, pairings: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Gets the ratings of a tournament under ``ratings``, the best first; nothing for a match of two."""
    found = ratings_of(plan, [pairing["rows"] for pairing in pairings])
    return {"ratings": found} if found else {}


def pairings_of(plan: Plan, rows: Sequence[Sequence[Row]]) -> list[dict[str, Any]]:
    """Gets the results of each pairing, with its rows in the order of the sets."""
    return [
        _pairing(plan, pairing, sorted(rows[number], key=lambda row: row["set"]))
        for number, pairing in enumerate(plan.pairings)
    ]


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
