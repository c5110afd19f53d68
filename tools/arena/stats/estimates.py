"""Exact sums over duplicate sets, and 95 % intervals made from them: shares, means, Elo.

Sums are exact, so that no order and no grouping of the sets changes the last digit: integers while they can be, since
Python adds those ten times as fast as fractions. Formulas and their sources: docs/reference/statistics.md.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from ...shared.intervals import student_95, wilson

POINT_UNIT = 1
"""One point: the stake of a peasant in the smallest game of every rule set."""


Exact = int | Fraction
"""A number without rounding."""


def quotient(number: Exact, count: int) -> Exact:
    """Divides without rounding: ``quotient(6, 2)`` is 3, and ``quotient(1, 2)`` is one half."""
    whole, remainder = divmod(number, count)
    return Fraction(number, count) if remainder else whole


class Estimate(NamedTuple):
    """A number with its 95 % interval. Nothing is ever NaN: where nothing is known the ends are infinite."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class RatioSums:
    """
    Exact sums over sets of a weight and an amount: for the ratio of the two, and for how much sets differ.

    With weight 1 in every set the ratio is a plain mean: ``RatioSums.one(1, 0) + RatioSums.one(1, 1)`` has
    ratio 1/2.
    """

    weight: int = 0
    amount: Exact = 0
    weight_squares: int = 0
    amount_squares: Exact = 0
    products: Exact = 0

    @classmethod
    def one(cls, weight: int, amount: Exact, unit: int = 1) -> "RatioSums":
        """
        Makes the sums of a single set, e.g. two games as landlord of which one was won: ``one(2, 1)``.

        The amount is given as a number of parts, of which *unit* make one.
        """
        squares, products = quotient(amount * amount, unit * unit), quotient(weight * amount, unit)
        return cls(weight, quotient(amount, unit), weight * weight, squares, products)

    def __add__(self, other: "RatioSums") -> "RatioSums":
        return RatioSums(
            self.weight + other.weight,
            self.amount + other.amount,
            self.weight_squares + other.weight_squares,
            self.amount_squares + other.amount_squares,
            self.products + other.products,
        )

    def __neg__(self) -> "RatioSums":
        return RatioSums(self.weight, -self.amount, self.weight_squares, self.amount_squares, -self.products)

    @property
    def ratio(self) -> Fraction:
        """Amount per weight; 0 where there is no weight."""
        return Fraction(self.amount, self.weight) if self.weight else Fraction(0)

    @property
    def sets(self) -> Fraction:
        """How many sets of equal weight these are worth (Kish): their number when all weights are equal."""
        return Fraction(self.weight * self.weight, self.weight_squares) if self.weight else Fraction(0)

    @property
    def spread(self) -> Fraction:
        """Sum over sets of (amount - ratio * weight) squared; at weight 1 the squared deviations."""
        ratio = self.ratio
        return self.amount_squares - 2 * ratio * self.products + ratio * ratio * self.weight_squares


def effective_answers(sums: RatioSums) -> float:
    """
    Gets how many independent yes-or-no answers give a share as firmly as these sets do; 0.0 without weight.

    The spread is taken with two more sets, one with nothing and one with everything: it is never zero.
    Yes-or-no sets count as what they are: ten of them are 10.0, whatever their answers.
    """
    if not sums.weight:
        return 0.0
    typical = Fraction(sums.weight_squares, sums.weight)
    weight = sums.weight + 2 * typical
    share = (sums.amount + typical) / weight
    spread = (
        sums.amount_squares
        + typical * typical
        - 2 * share * (sums.products + typical * typical)
        + share * share * (sums.weight_squares + 2 * typical * typical)
    )
    design_effect = (sums.sets + 2) * spread / (weight * weight * share * (1 - share))
    return float(sums.sets / design_effect)


def share_estimate(sums: RatioSums) -> Estimate:
    """
    Estimates a share in [0, 1] (of games won, of games as landlord): Wilson's interval at :func:`effective_answers`.

    For yes-or-no sets this is the textbook Wilson interval: 8 of 10 give 0.8 in (0.490, 0.943). Without any
    set it is 0.5 in (0, 1).
    """
    answers = effective_answers(sums)
    if not answers:
        return Estimate(0.5, 0.0, 1.0)
    share = float(sums.ratio)
    return Estimate(share, *wilson(share, answers))


def mean_estimate(sums: RatioSums) -> Estimate:
    """
    Estimates a mean of points: Student's interval over sets; the variance of a ratio is linearised.

    Fewer than two sets have no spread: the interval is infinite. Where all sets agree to the
    last digit, two more that lie one point to either side are imagined, so that it is narrow but not empty.
    Points 1, 2, 3 give 2 in (-0.484, 4.484).
    """
    mean, sets = float(sums.ratio), sums.sets
    if sets < 2:
        return Estimate(mean, -math.inf, math.inf)
    if sums.spread:
        variance = sums.spread * sets / (sums.weight**2 * (sets - 1))
    else:
        variance = 2 * POINT_UNIT**2 / ((sets + 1) * sets)
    half = student_95(float(sets - 1)) * math.sqrt(variance)
    return Estimate(mean, mean - half, mean + half)


def elo_of_share(share: float) -> float:
    """Logistic Elo difference of a share of wins: 0.75 is 190.8; 0 and 1 are minus and plus infinity."""
    if share <= 0 or share >= 1:
        return math.copysign(math.inf, share - 0.5)
    return 400 * math.log10(share / (1 - share))


def percentile(numbers: Sequence[float], percent: float) -> float:
    """Gets the number below which so many percent lie, between two neighbours in proportion: 50 of 1, 2 is 1.5."""
    ordered = sorted(numbers)
    below, share = divmod(percent / 100 * (len(ordered) - 1), 1)
    low, high = ordered[int(below)], ordered[min(int(below) + 1, len(ordered) - 1)]
    return low + (high - low) * share
