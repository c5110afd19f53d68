"""
How much better one match went than another on the same deals against the same opponent.

Both share the luck of the deals, so that the interval of the difference is narrower than those of the two matches.
"""

from collections.abc import Iterable
from fractions import Fraction

from .estimates import Estimate, RatioSums, mean_estimate
from .ratings import score_of
from .sets import Row

__all__ = ["wp_difference"]


def wp_difference(rows: Iterable[Row], others: Iterable[Row]) -> Estimate:
    """
    WP of A in *rows* less WP of A in *others*, over the sets that both have: a mean with Student's interval.

    A set that was won in the one and tied in the other counts 0.5. With fewer than two sets in common the interval is
    infinite.
    """
    scores = {row["set"]: score_of(row) for row in others}
    pairs = [(score_of(row), scores[row["set"]]) for row in rows if row["set"] in scores]
    return mean_estimate(sum((RatioSums.one(1, Fraction(one - other)) for one, other in pairs), RatioSums()))
