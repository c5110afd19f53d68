"""
A contestant deal by deal: against one opponent or several, and beside another one on the same deals.

The sets of a deal against several opponents depend on each other and are one sample. Two contestants that met the same
opponents on the same deals share the luck of these, so that the interval of their difference is narrower than theirs.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

from .estimates import Estimate, RatioSums, mean_estimate, share_estimate
from .ratings import score_of
from .row import Row, outcome_of

ByDeal = Mapping[int, Fraction]
"""What the first contestant has on each deal, by its number: a mean over the opponents."""


def scores_by_deal(pairings: Sequence[Sequence[Row]]) -> ByDeal:
    """Gets the score of the first contestant, 0 to 1, on the deals that it has played against every opponent."""
    return _by_deal(pairings, lambda row: Fraction(score_of(row)))


def points_by_deal(pairings: Sequence[Sequence[Row]]) -> ByDeal:
    """Gets the points a seat by which the first contestant is ahead, on the deals as in :func:`scores_by_deal`."""
    return _by_deal(pairings, lambda row: Fraction(outcome_of(row).points))


def _by_deal(pairings: Sequence[Sequence[Row]], value: Callable[[Row], Fraction]) -> ByDeal:
    opponents = [{row.set: value(row) for row in rows} for rows in pairings]
    common = set.intersection(*(set(by_deal) for by_deal in opponents))
    return {deal: sum((by_deal[deal] for by_deal in opponents), Fraction()) / len(opponents) for deal in sorted(common)}


def wp(scores: ByDeal) -> Estimate:
    """Gets the share won against all opponents, each counting alike."""
    return share_estimate(_sums(scores.values()))


def adp(points: ByDeal) -> Estimate:
    """Gets the mean of points against all opponents, each counting alike."""
    return mean_estimate(_sums(points.values()))


def wp_difference(scores: ByDeal, others: ByDeal) -> Estimate:
    """
    Gets WP of one less WP of the other, over the deals that both have: a mean with Student's interval.

    A set that was won by the one and tied by the other counts 0.5. With fewer than two deals in common the interval is
    infinite.
    """
    return mean_estimate(_sums(scores[deal] - others[deal] for deal in scores if deal in others))


def _sums(values: Iterable[Fraction]) -> RatioSums:
    return sum((RatioSums.one(1, value) for value in values), RatioSums())
