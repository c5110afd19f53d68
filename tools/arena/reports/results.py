"""
The results of a match: what was played, every set, and the numbers that follow from the sets.

Names of the JSON that other programs may rely on: ``pairings[i].summary`` (and ``summary``, that of the first pairing)
with ``wp``, ``wp95``, ``adp``, ``adp95``, and the same under ``landlord`` and ``peasants``; after several pairings
``ratings``; and of three in fixed seats ``seats``. WP is in percent, an interval is ``[low, high]``, and null stands
where nothing is known. Of a match of players that is played again only measured times differ.
"""

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import msgspec

from ...shared.intervals import wilson
from ...shared.message import english
from ..files.results_file import Head, line_of
from ..matches.plan import Plan
from ..matches.runner import Progress
from ..stats.estimates import Estimate, RatioSums, mean_estimate, percentile
from ..stats.row import Counts, Row, fallbacks_of, statistics_of, sum_counts
from ..stats.sets import SetStats, SideSums
from ..stats.sprt import Sprt, SprtTest, Verdict
from .standings import Standing, Standings, standings

PERCENTILES = {"p50": 50, "p95": 95, "max": 100}


class Side(NamedTuple):
    """A contestant as landlord, or as peasants; nothing is known of what it never was."""

    wp: Estimate
    adp: Estimate


class Summary(NamedTuple):
    """A's result over the sets of one pairing."""

    sets: int
    sets_lost_tied_won: tuple[int, int, int]
    wp: Estimate
    adp: Estimate
    landlord: Side | None
    peasants: Side | None
    landlord_rate: float
    elo: Estimate
    los: float
    counts: dict[str, Counts]
    fallbacks: dict[str, dict[str, int]]
    """The fallbacks of each contestant with their counts, by letter; empty if every contestant played itself."""


class Tested(NamedTuple):
    """Where a sequential test stands."""

    llr: float
    bounds: tuple[float, float]
    verdict: str
    sets: int


class Pairing(NamedTuple):
    """What came of one pairing."""

    a: str
    b: str
    summary: Summary
    sprt: Tested | None
    times: dict[str, dict[str, float]]
    """Percentiles of the milliseconds of the searched decisions, by letter."""
    rows: list[Row]
    """Those that count, in the order of the sets."""


class Seat(NamedTuple):
    """What came of one of three, in fixed seats or in a series."""

    name: str
    as_landlord: int
    """How often it was the landlord."""
    faults: int
    """In how many games it was at fault."""
    out: int
    """How often it went out."""
    wp: Estimate
    """How often its side won."""
    points: float
    """All that it was paid."""
    adp: Estimate
    """The points that it was paid a game."""


class Results(NamedTuple):
    """What came of a match."""

    plan: Plan
    finished: bool
    pairings: list[Pairing]
    """Empty for three at one table."""
    standings: Standings | None
    """All players in one table; None for two, and for three at one table."""
    seats: list[Seat]
    """Empty for all others."""
    rows: list[list[Row]]
    """Those that count of each table, in the order of the sets."""

    @property
    def counts(self) -> dict[str, Counts]:
        """What was counted for every contestant, by name."""
        counts: dict[str, Counts] = {}
        for pair, rows in zip(self.plan.pairs, self.rows, strict=True):
            for letter, name in zip(self.plan.letters, pair, strict=True):
                counts[name] = counts.get(name, Counts()) + sum_counts(row.counts_of(letter) for row in rows)
        return counts


def results_of(progress: Progress) -> Results:
    """Gets the results so far; the order in which the sets were played leaves no trace."""
    plan = progress.plan
    rows = [sorted(played, key=lambda row: row.set) for played in progress.rows]
    seats = plan.three
    pairings = [] if seats else list(map(partial(_pairing, plan.test), plan.pairs, rows, progress.stats))
    return Results(
        plan,
        progress.finished,
        pairings,
        standings(plan, rows) if len(pairings) > 1 else None,
        _seats(plan, rows[0]) if seats else [],
        [pairing.rows for pairing in pairings] or rows,
    )


def _pairing(test: SprtTest | None, pair: tuple[str, ...], rows: list[Row], stats: SetStats) -> Pairing:
    a, b = pair
    counted, tested = _counting_rows(test, rows)
    summary = summary_of(counted, stats if counted is rows else SetStats.of(map(statistics_of, counted)))
    return Pairing(a, b, summary, tested, times_of(counted), counted)


def _counting_rows(test: SprtTest | None, rows: list[Row]) -> tuple[list[Row], Tested | None]:
    """Gets the rows that count, all in seed order, or up to where a sequential test stopped; and how it stands."""
    if test is None:
        return rows, None
    sprt = Sprt(test)
    for row in rows:
        sprt.update(row.set, statistics_of(row))
    counted = rows if sprt.verdict is Verdict.RUNNING else [row for row in rows if row.set < sprt.next_index]
    return counted, Tested(sprt.llr, test.llr_bounds, sprt.verdict.value, sprt.stats.sets)


def summary_of(rows: Sequence[Row], stats: SetStats) -> Summary:
    """Sums up A's result over rows of one pairing, of which *stats* are the sums."""
    fallbacks = {letter: fallbacks_of(rows, letter) for letter in "AB"}
    return Summary(
        stats.sets,
        stats.histogram,
        stats.wp(),
        stats.adp(),
        _side(stats.a.landlord),
        _side(stats.a.peasants),
        100 * stats.a.landlord_rate().value,
        stats.elo(),
        stats.los(),
        {letter: sum_counts(row.counts_of(letter) for row in rows) for letter in "AB"},
        fallbacks if any(fallbacks.values()) else {},
    )


def _side(sums: SideSums) -> Side | None:
    return Side(sums.wp(), sums.adp()) if sums.wins.weight else None


def times_of(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """Gets percentiles of the milliseconds of the searched decisions, by letter."""
    measured = {letter: [time for row in rows for time in row.ms.get(letter, ())] for letter in "AB"}
    return {
        letter: {key: round(percentile(times, share), 2) for key, share in PERCENTILES.items()}
        for letter, times in measured.items()
        if times
    }


def _seats(plan: Plan, rows: Sequence[Row]) -> list[Seat]:
    games = [row.games[0] for row in rows]
    faults = Counter(fault.by for row in rows for fault in row.faults)
    table = []
    for letter, name in zip(plan.letters, plan.names, strict=True):
        out = sum(game.out is not None and game.seating[game.out] == letter for game in games)
        seats = [game.by_seat.index(letter) for game in games]
        seated = list(zip(games, seats, strict=True))
        won = sum(game.landlord_won == (seat == 0) for game, seat in seated) / max(len(games), 1)
        paid = sum((RatioSums.one(1, Fraction(game.scores[seat])) for game, seat in seated), RatioSums())
        wp = Estimate(won, *wilson(won, len(games)))
        table.append(Seat(name, seats.count(0), faults[letter], out, wp, float(paid.amount), mean_estimate(paid)))
    return table


def as_json(results: Results) -> dict[str, Any]:
    """Gets all of it as JSON, the rows too."""
    plan = results.plan
    head = line_of(Head.of(plan))
    shares = {"sprt": plan.sprt, "contestants": list(plan.names), "sets": plan.sets, "neighbours": plan.neighbours}
    report = {**head, **shares, "finished": results.finished}
    if results.seats:
        rows = msgspec.to_builtins(results.rows[0], enc_hook=english)
        return {**report, "seats": [_seat_json(seat) for seat in results.seats], "rows": rows}
    pairings = [_pairing_json(pairing) for pairing in results.pairings]
    rated = (
        {"ratings": [_standing_json(standing) for standing in results.standings.players]} if results.standings else {}
    )
    return {**report, "summary": pairings[0]["summary"], **rated, "pairings": pairings}


def _seat_json(seat: Seat) -> dict[str, Any]:
    return {
        "name": seat.name,
        "as_landlord": seat.as_landlord,
        "faults": seat.faults,
        "out": seat.out,
        **_wp(seat.wp),
        "points": seat.points,
        **_number("adp", seat.adp),
    }


def _pairing_json(pairing: Pairing) -> dict[str, Any]:
    return {
        "a": pairing.a,
        "b": pairing.b,
        "summary": _summary_json(pairing.summary),
        "sprt": pairing.sprt and pairing.sprt._asdict(),
        "times": pairing.times,
        "rows": msgspec.to_builtins(pairing.rows, enc_hook=english),
    }


def _summary_json(summary: Summary) -> dict[str, Any]:
    return {
        "sets": summary.sets,
        "sets_lost_tied_won": summary.sets_lost_tied_won,
        **_wp(summary.wp),
        **_number("adp", summary.adp),
        "landlord": _side_json(summary.landlord),
        "peasants": _side_json(summary.peasants),
        "landlord_rate": summary.landlord_rate,
        **_number("elo", summary.elo),
        "los": summary.los,
        "counts": {letter: msgspec.structs.asdict(counts) for letter, counts in summary.counts.items()},
        "fallbacks": summary.fallbacks,
    }


def _side_json(side: Side | None) -> dict[str, Any]:
    return {**_wp(side and side.wp), **_number("adp", side and side.adp)}


def _standing_json(standing: Standing) -> dict[str, Any]:
    return {
        "name": standing.name,
        "rank": standing.rank,
        **_number("elo", standing.elo),
        **_wp(standing.wp),
        **_number("adp", standing.adp),
        "first": standing.first,
        "sets": standing.sets,
        "los": standing.los,
        "milliseconds": standing.milliseconds,
        "counts": msgspec.structs.asdict(standing.counts),
        "fallbacks": standing.fallbacks,
    }


def _wp(share: Estimate | None) -> dict[str, Any]:
    return _number("wp", share and Estimate(*(100 * end for end in share)))


def _number(name: str, estimate: Estimate | None) -> dict[str, Any]:
    """Gets an estimate as a number and, with 95 behind its name, an interval; null stands for what is not known."""
    ends = (end if math.isfinite(end) else None for end in estimate) if estimate else (None,) * 3
    middle, low, high = ends
    return {name: middle, f"{name}95": [low, high]}
