"""Sequential test on duplicate sets: play until it is clear whether A is better than B by a chosen margin.

The test reads sets in seed order and looks after each one at a generalized log-likelihood ratio (LLR) of two
hypotheses about the mean, which leaves everything else about the distribution open. Source: Michel Van den
Bergh, "The Generalized Maximum Likelihood Ratio for the Expectation Value of a Distribution" (Proposition
1.1), and "A Practical Introduction to the GSPRT"; the stopping rule is Wald's ("Sequential Analysis", 1947).
Why this LLR and this regularisation: docs/reference/statistics.md.

**The WP and ADP of a test that has stopped are biased**: it stops while luck runs in the direction of its
verdict. Quote the verdict and the hypotheses, and measure the difference itself on fresh deals with a fixed
number of sets.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from .estimates import POINT_UNIT
from .sets import SET_SCORES, SetStats

PRIOR = 0.5
"""Imagined sets for each cell of the histogram, for the shape of the distribution only (Jeffreys)."""
PRIOR_POINTS = 2
"""Imagined sets one point off the mean, for the variance of points only."""
FIRST_POINTS_VERDICT = 100
"""Sets before which points give no verdict: bombs are rare, and until some came the spread looks small."""

_EDGE = 1 - 1e-12
_CLOSE = 1e-15
_MOST_STEPS = 200


class Measure(str, Enum):
    """What a test is about."""

    WP = "wp"
    """Set scores 0, 1/2, 1; hypotheses in points of WP above 50."""
    POINTS = "points"
    """Points of A over B in a set; hypotheses in points. The measure for games with bidding."""


class Verdict(str, Enum):
    """Where a test stands."""

    RUNNING = "running"
    ACCEPTED_H0 = "accepted H0"
    ACCEPTED_H1 = "accepted H1"


@dataclass(frozen=True, slots=True)
class SprtTest:
    """
    What is tested: H0 "A is better by ``lower``" against H1 "A is better by ``upper``".

    ``SprtTest(0, 3)`` asks whether A's WP is 50 % or 53 %: it accepts H1 with probability ``alpha`` at 50 %
    and H0 with probability ``beta`` at 53 %; below and above these it errs less, and between them it takes
    longest.

    :raises ValueError: when bounds or error rates make no test.
    """

    lower: float
    upper: float
    alpha: float = 0.05
    beta: float = 0.05
    measure: Measure = Measure.WP

    def __post_init__(self) -> None:
        if not (math.isfinite(self.lower) and math.isfinite(self.upper)):
            raise ValueError(f"bounds {self.lower:g} and {self.upper:g} must be finite numbers")
        if not self.lower < self.upper:
            raise ValueError(f"upper bound {self.upper:g} must be above lower bound {self.lower:g}")
        low, high = self.hypotheses
        if self.measure is Measure.WP and not 0 < low < high < 1:
            raise ValueError(f"bounds {self.lower:g} and {self.upper:g} must lie within -50 and 50 points")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise ValueError(f"{name} {rate:g} must lie between 0 and 0.5")

    @property
    def llr_bounds(self) -> tuple[float, float]:
        """LLR at or below which H0 is accepted, and at or above which H1 is: -2.944 and 2.944 at 5 %."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    @property
    def hypotheses(self) -> tuple[float, float]:
        """Means of the set's measure under H0 and H1: (0.5, 0.53) for 0 and +3 points of WP."""
        if self.measure is Measure.WP:
            return 0.5 + self.lower / 100, 0.5 + self.upper / 100
        return self.lower, self.upper

    @property
    def first_verdict(self) -> int:
        """Number of sets at which the test may stop first."""
        return FIRST_POINTS_VERDICT if self.measure is Measure.POINTS else 1

    def verdict(self, ratio: float, sets: int) -> Verdict:
        """What an LLR means after so many sets, e.g. ``RUNNING`` for 0."""
        accept_h0, accept_h1 = self.llr_bounds
        if sets < self.first_verdict:
            return Verdict.RUNNING
        if ratio >= accept_h1:
            return Verdict.ACCEPTED_H1
        return Verdict.ACCEPTED_H0 if ratio <= accept_h0 else Verdict.RUNNING


def multinomial_llr(counts: Sequence[float], mean0: float, mean1: float, scores: Sequence[float] = SET_SCORES) -> float:
    """
    Gets the LLR of mean ``mean1`` against ``mean0`` for a histogram over ``scores``.

    Of all distributions with the given mean, each hypothesis takes the one that makes the observed shares
    likeliest. The shares are regularised by :func:`imagined_sets`, so that every mean between the scores stays
    possible and no lucky start is taken for certainty; without any set the LLR is 0.

    :param mean0: like ``mean1``, strictly between the smallest and the largest score.
    """
    cells = [count + prior for count, prior in zip(counts, imagined_sets(mean0, mean1, scores), strict=True)]
    shares = [cell / sum(cells) for cell in cells]
    tilt0, tilt1 = _log_tilt(shares, mean0, scores), _log_tilt(shares, mean1, scores)
    return sum(counts) * sum(share * (low - high) for share, low, high in zip(shares, tilt0, tilt1, strict=True))


def imagined_sets(mean0: float, mean1: float, scores: Sequence[float] = SET_SCORES) -> list[float]:
    """
    Gets how many sets are imagined in each cell, which favour neither hypothesis.

    Their mean is that of sets which are only lost or won and as likely under both hypotheses: 0.5 for 0.47 and
    0.53. Even ones, :data:`PRIOR` in each cell, are right there. Where the mean is another one, some of them move
    to the lowest cell or to the highest: even ones would have a WP of 50 % everywhere, so that ten lost sets
    would speak for 1 % of WP against 0.1 %.
    """
    low, high = min(scores), max(scores)
    p0, p1 = (mean0 - low) / (high - low), (mean1 - low) / (high - low)
    lost, won = math.log1p(-p0) - math.log1p(-p1), math.log(p1) - math.log(p0)
    neutral = lost / (lost + won)
    even = 2 * min(neutral, 1 - neutral)
    cells = [PRIOR * even] * len(scores)
    cells[scores.index(low if neutral < 0.5 else high)] += PRIOR * len(scores) * (1 - even)
    return cells


def _log_tilt(shares: Sequence[float], mean: float, scores: Sequence[float]) -> list[float]:
    """
    Gets the log of observed over likeliest share with this mean, cell by cell: log(1 + theta * (score - mean)).

    theta is where the likeliest distribution has the right mean.
    """
    offsets = [score - mean for score in scores]
    theta = _tilt(list(zip(shares, offsets, strict=True)))
    return [math.log1p(theta * offset) for offset in offsets]


def _tilt(cells: Sequence[tuple[float, float]]) -> float:
    """
    Finds the root of the sum of share * offset / (1 + theta * offset), by Newton's method between bounds.

    The sum falls from plus to minus infinity between the two values of theta that would make the share of the
    largest or of the smallest score infinite.
    """
    low, high = (-_EDGE / pick(offset for _, offset in cells) for pick in (max, min))
    theta = 0.0
    for _ in range(_MOST_STEPS):
        excess = slope = 0.0
        for share, offset in cells:
            part = offset / (1 + theta * offset)
            excess += share * part
            slope += share * part * part
        if excess > 0:
            low = theta
        else:
            high = theta
        before, theta = theta, theta + excess / slope
        if not low < theta < high:
            theta = (low + high) / 2
        if abs(theta - before) <= _CLOSE * abs(theta):
            break
    return theta


def normal_llr(sets: float, mean: float, spread: float, mean0: float, mean1: float) -> float:
    """
    Gets the LLR of mean ``mean1`` against ``mean0`` for normal results of unknown variance.

    The variance is taken with :data:`PRIOR_POINTS` more results one point off the mean, so that two equal
    ones at the start are no proof. Without any result the LLR is 0.

    :param sets: how many results there are.
    :param spread: sum of their squared distances from their mean.
    """
    variance = (spread + PRIOR_POINTS * POINT_UNIT**2) / (sets + PRIOR_POINTS)
    ratio = (variance + (mean - mean0) ** 2) / (variance + (mean - mean1) ** 2)
    return sets / 2 * math.log(ratio)


def llr(stats: SetStats, test: SprtTest) -> float:
    """
    Gets the log-likelihood ratio of H1 against H0; positive speaks for H1.

    Ten sets of which A won all: ``llr(stats, SprtTest(0, 3))`` is 0.53.
    """
    mean0, mean1 = test.hypotheses
    if test.measure is Measure.POINTS:
        points = stats.points
        return normal_llr(points.weight, float(points.ratio), float(points.spread), mean0, mean1)
    return multinomial_llr(stats.histogram, mean0, mean1)


class Sprt:
    """
    A test in progress: takes rows in any order and judges them in seed order.

    A row is judged when all before it are in, so the verdict does not depend on how many processes play. The
    first verdict stands: what comes later in seed order is no longer counted, and :attr:`stats` stays what
    the test stopped on (for the bias see the module).
    """

    def __init__(self, test: SprtTest) -> None:
        self.test = test
        self.stats = SetStats()
        """Sums of the prefix that has been judged."""
        self.llr = 0.0
        self.verdict = Verdict.RUNNING
        self._next = 0
        self._waiting: dict[int, SetStats] = {}

    @property
    def next_index(self) -> int:
        """Index of the row that the test waits for (or would, had it not stopped)."""
        return self._next

    def update(self, index: int, stats: SetStats) -> Verdict:
        """
        Takes one set and judges as much of the prefix as is complete.

        :raises ValueError: while the test runs, when this index came before or lies before the first.
        """
        if self.verdict is not Verdict.RUNNING:
            return self.verdict
        if index < self._next or index in self._waiting:
            raise ValueError(f"set {index} came twice, or before the first set of the test")
        self._waiting[index] = stats
        while self.verdict is Verdict.RUNNING and self._next in self._waiting:
            self.stats += self._waiting.pop(self._next)
            self._next += 1
            self.llr = llr(self.stats, self.test)
            self.verdict = self.test.verdict(self.llr, self.stats.sets)
        return self.verdict
