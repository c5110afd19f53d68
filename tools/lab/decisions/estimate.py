"""Means over decisions, with errors over games: decisions of one game end alike, and so depend on each other."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Names = NDArray[np.int64]

NORMAL_95 = 1.96


class Mean(NamedTuple):
    """A mean and its standard error; NaN where nothing tells."""

    value: float
    error: float
    cases: int

    @property
    def half(self) -> float:
        """Half of the 95 % interval."""
        return NORMAL_95 * self.error


def mean_over(values: Numbers, games: Names) -> Mean:
    """Gets the mean of *values* and its standard error, in which all values of a game are one (a ratio of sums)."""
    if not len(values):
        return Mean(math.nan, math.nan, 0)
    mean = float(values.mean())
    _, places = np.unique(games, return_inverse=True)
    sums = np.bincount(places, weights=values - mean)
    groups = len(sums)
    error = math.sqrt(float((sums**2).sum()) * groups / (groups - 1)) / len(values) if groups > 1 else math.nan
    return Mean(mean, error, len(values))


class Root(NamedTuple):
    """A root of a mean square with its 95 % interval."""

    value: float
    low: float
    high: float
    cases: int


def root_of(square: Mean) -> Root:
    """Gets the root of a mean square that was corrected for noise, and so may be below 0: the root is 0 then."""
    ends = (square.value, square.value - square.half, square.value + square.half)
    root, low, high = (math.sqrt(max(0.0, end)) if not math.isnan(end) else math.nan for end in ends)
    return Root(root, low, high, square.cases)
