"""What came of a tournament, made from its sets: the rank of every player, and how every pair stands."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ..arena.estimates import Estimate, RatioSums, mean_estimate, share_estimate
from ..arena.plan import LETTERS
from ..arena.ratings import ratings, score_of
from ..arena.sets import Row, statistics_of
from ..arena.stats import SetStats
from .plan import Tournament

__all__ = ["Meeting", "Standing", "Standings", "standings"]


class Standing(NamedTuple):
    """The place of one player."""

    player: str
    elo: Estimate | None
    """By all sets of all pairs; the mean of all players is 0. None for one that has not played."""
    wp: Estimate
    """Share of games won from 0 to 1, over the first sets of every pair: each opponent counts alike."""
    adp: Estimate
    """Points over the opponent, over the same sets."""
    sets: int
    """All of them."""
    los: float | None
    """How likely it is better than the next one."""
    milliseconds: tuple[float, float] | None
    """Median and 95th percentile of the time of its decisions; None without any."""
    counts: Counter[str]
    """As in :data:`tools.arena.sets.COUNTED`."""
    stand_ins: Counter[str]
    """Who chose in its place, and how often."""


class Meeting(NamedTuple):
    """How one player stands against another."""

    sets: int
    wp: Estimate
    adp: Estimate


class Standings(NamedTuple):
    """All players, the best first, and all pairs, both ways round."""

    players: list[Standing]
    meetings: dict[tuple[str, str], Meeting]


def standings(tournament: Tournament, rows: Sequence[Sequence[Row]]) -> Standings:
    """Makes the standings; *rows* are the sets of each pairing of ``tournament.plan``."""
    plan = tournament.plan
    own: dict[str, list[_Side]] = {player: [] for player in plan.contestants}
    for pair, played in zip(tournament.pairs, rows, strict=True):
        for player, side in zip(pair, _sides(tournament, played), strict=True):
            own[player].append(side)
    scores = [{row["set"]: score_of(row) for row in played} for played in rows]
    rated = ratings(len(plan.contestants), plan.pairings, scores)
    players = [
        _standing(plan.contestants[one.contestant], one.elo, one.los, own[plan.contestants[one.contestant]])
        for one in rated
    ]
    meetings = {}
    for (a, b), played in zip(tournament.pairs, rows, strict=True):
        stats = SetStats.of(map(statistics_of, played))
        for pair, seen in (((a, b), stats), ((b, a), ~stats)):
            meetings[pair] = Meeting(seen.sets, seen.wp(), seen.adp())
    return Standings(players, meetings)


class _Side(NamedTuple):
    """What one player of a pair did in its sets."""

    seen: dict[int, tuple[Fraction, Fraction]]
    """Score and points by the number of the set, of the first sets."""
    sets: int
    milliseconds: list[float]
    counts: Counter[str]
    stand_ins: Counter[str]


def _sides(tournament: Tournament, rows: Sequence[Row]) -> Iterator[_Side]:
    """Yields both sides of a pair."""
    first = [row for row in rows if row["set"] < tournament.sets]
    seen = {row["set"]: (Fraction(score_of(row)), statistics_of(row).stats.points.ratio) for row in first}
    for letter in LETTERS:
        yield _Side(
            seen if letter == "A" else {number: (1 - score, -points) for number, (score, points) in seen.items()},
            len(rows),
            [time for row in rows for time in row["ms"][letter]],
            _summed(row["counts"][letter] for row in rows),
            _summed(row.get("stand_ins", {}).get(letter, {}) for row in rows),
        )


def _summed(counts: Iterable[dict[str, int]]) -> Counter[str]:
    found = Counter[str]()
    for one in counts:
        found.update(one)
    return found


def _standing(player: str, elo: Estimate | None, los: float | None, sides: Sequence[_Side]) -> Standing:
    times = [time for side in sides for time in side.milliseconds]
    return Standing(
        player,
        elo,
        share_estimate(_by_deal(sides, 0)),
        mean_estimate(_by_deal(sides, 1)),
        sum(side.sets for side in sides),
        los,
        (float(np.percentile(times, 50)), float(np.percentile(times, 95))) if times else None,
        _summed(side.counts for side in sides),
        _summed(side.stand_ins for side in sides),
    )


def _by_deal(sides: Sequence[_Side], which: int) -> RatioSums:
    """Sums up scores or points; the sets of one deal against all opponents depend on each other, and are one sample."""
    deals: dict[int, list[Fraction]] = {}
    for side in sides:
        for number, seen in side.seen.items():
            deals.setdefault(number, []).append(seen[which])
    sums = RatioSums()
    for of_deal in deals.values():
        sums += RatioSums.one(len(of_deal), sum(of_deal, Fraction(0)))
    return sums
