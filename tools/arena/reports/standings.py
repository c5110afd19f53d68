"""What came of a match of several, made from its sets: the rank of every player, and how every pair stands."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from ..matches.plan import Plan
from ..stats.estimates import Estimate, Exact, RatioSums, mean_estimate, percentile, share_estimate
from ..stats.ratings import Rating, ratings
from ..stats.row import Counts, Row, SetOutcome, fallbacks_of, outcome_of, sum_counts
from ..stats.sets import SET_SCORES, score_sums


class Standing(NamedTuple):
    """The place of one player."""

    name: str
    rank: int
    """From 1; shared by those that are not clearly worse than its first one."""
    elo: Estimate | None
    """By all sets of all pairs; the mean of all players is 0. None for one that has not played."""
    wp: Estimate
    """Share of games won from 0 to 1, over the first sets of every pair: each opponent counts alike."""
    adp: Estimate
    """Points over the opponent, over the same sets."""
    first: int
    """How many sets that are."""
    sets: int
    """All of them, by which Elo is."""
    los: float | None
    """How likely it is better than the next one."""
    milliseconds: tuple[float, float] | None
    """Median and 95th percentile of the time of its decisions; None without any."""
    counts: Counts
    fallbacks: dict[str, int]
    """Which fallbacks chose in its place, and how often."""


class Meeting(NamedTuple):
    """How one player stands against another."""

    sets: int
    wp: Estimate


class Standings(NamedTuple):
    """All players, the best first, and all pairs, both ways round."""

    players: list[Standing]
    meetings: dict[tuple[str, str], Meeting]


class _Side(NamedTuple):
    """What one player of a pair did in its sets."""

    seen: dict[int, tuple[Exact, Exact]]
    """Score and points by the number of the set, of the first sets."""
    rows: Sequence[Row]
    letter: str


def standings(plan: Plan, rows: Sequence[Sequence[Row]]) -> Standings:
    """Makes the standings; *rows* are the sets of each pairing."""
    ends = [{row.set: outcome_of(row) for row in played} for played in rows]
    own: dict[str, list[_Side]] = {player: [] for player in plan.names}
    for pair, played, seen in zip(plan.pairs, rows, ends, strict=True):
        for player, side in zip(pair, _sides(plan, played, seen), strict=True):
            own[player].append(side)
    scores = [{index: SET_SCORES[outcome.won] for index, outcome in seen.items()} for seen in ends]
    rated = ratings(len(plan.names), plan.tables, scores)
    names = [plan.names[rating.contestant] for rating in rated]
    players = [_standing(name, rating, own[name]) for name, rating in zip(names, rated, strict=True)]
    meetings = {}
    for (a, b), seen in zip(plan.pairs, ends, strict=True):
        counts = Counter(outcome.won for outcome in seen.values())
        histogram = [counts[won] for won in range(len(SET_SCORES))]
        for pair, cells in (((a, b), histogram), ((b, a), histogram[::-1])):
            meetings[pair] = Meeting(len(seen), share_estimate(score_sums(cells)))
    return Standings(players, meetings)


def _sides(plan: Plan, rows: Sequence[Row], ends: dict[int, SetOutcome]) -> Iterator[_Side]:
    """Yields both sides of a pair."""
    counted = {index: outcome for index, outcome in ends.items() if index < plan.sets}
    seen: dict[int, tuple[Exact, Exact]] = {
        index: (Fraction(outcome.won, 2), outcome.points) for index, outcome in counted.items()
    }
    yield _Side(seen, rows, "A")
    yield _Side({index: (1 - score, -points) for index, (score, points) in seen.items()}, rows, "B")


def _standing(name: str, rated: Rating, sides: Sequence[_Side]) -> Standing:
    times = [time for side in sides for row in side.rows for time in row.ms.get(side.letter, ())]
    fallbacks = Counter[str]()
    for side in sides:
        fallbacks.update(fallbacks_of(side.rows, side.letter))
    return Standing(
        name,
        rated.rank,
        rated.elo,
        share_estimate(_by_deal(sides, 0)),
        mean_estimate(_by_deal(sides, 1)),
        sum(len(side.seen) for side in sides),
        sum(len(side.rows) for side in sides),
        rated.los,
        (percentile(times, 50), percentile(times, 95)) if times else None,
        sum_counts(row.counts_of(side.letter) for side in sides for row in side.rows),
        dict(sorted(fallbacks.items())),
    )


def _by_deal(sides: Sequence[_Side], which: int) -> RatioSums:
    """Sums up scores or points; the sets of one deal against all opponents depend on each other, and are one sample."""
    deals: dict[int, list[Exact]] = {}
    for side in sides:
        for index, seen in side.seen.items():
            deals.setdefault(index, []).append(seen[which])
    sums = RatioSums()
    for of_deal in deals.values():
        sums += RatioSums.one(len(of_deal), sum(of_deal))
    return sums
