"""
Elo of all contestants of a tournament at once, by the model of Bradley and Terry.

Each set is one comparison with score 0, 1/2 or 1, and the chance of contestant i against j is 1 / (1 + exp(r_j - r_i)).
The r are those that make all pairings together most likely (R. Bradley and M. Terry, "Rank analysis of incomplete block
designs", Biometrika 39, 1952). One tied set is added to each pairing, as other rating programs add draws: without it
a player that loses every set would be infinitely weak.

The interval is that of the robust ("sandwich") covariance H^-1 M H^-1: H is the information of the model, and M the
spread of the scores that were seen, with the sets of one deal taken together. So ties make an interval as narrow as
they should, and deals on which all pairings went alike make it wider. Nothing is drawn at random.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...shared.intervals import NORMAL_95
from .estimates import Estimate
from .row import Row, outcome_of
from .stats import SET_SCORES, SetStats

Numbers = NDArray[np.float64]

ELO = 400 / math.log(10)
"""Points of Elo in one unit of logit."""
PRIOR = 1.0
"""Tied sets that are added to each pairing."""


class Rating(NamedTuple):
    """The place of one contestant in a tournament."""

    contestant: int
    """Its number in the plan."""
    elo: Estimate | None
    """With an interval of 95 %; the mean of all contestants is 0. None for one that has not played."""
    score: float
    """The mean score of its sets, from 0 to 1."""
    sets: int
    los: float | None
    """How likely it is better than the next one; None for the last one, and beside one that has not played."""


def ratings(count: int, pairings: Sequence[tuple[int, ...]], scores: Sequence[dict[int, float]]) -> list[Rating]:
    """
    Rates *count* contestants, the best first; *scores* are those of the first of each pairing, by the set's number.

    For example ``ratings(3, [(0, 1), (0, 2)], [{0: 1.0}, {0: 0.5}])[0].contestant == 0``. Sets of the same number are
    the same deal.

    :raises ValueError: for a contestant that is in no pairing, or pairings that leave contestants unconnected.
    """
    from scipy import special

    design = np.zeros((len(pairings), count))
    for row, (a, b) in enumerate(pairings):
        design[row, a], design[row, b] = 1.0, -1.0
    if np.linalg.matrix_rank(design) < count - 1:
        raise ValueError(f"{len(pairings)} pairings do not connect {count} contestants")
    values, covariance = _fitted(design, scores)
    played = [_of_contestant(one, pairings, scores) for one in range(count)]
    order = sorted(range(count), key=lambda one: (-values[one], one))
    found = []
    for one, after in zip(order, [*order[1:], None], strict=True):
        half = NORMAL_95 * math.sqrt(covariance[one, one])
        ends = ELO * np.array([values[one], values[one] - half, values[one] + half])
        elo = Estimate(*map(float, ends)) if played[one] else None
        los = None
        if after is not None and played[one] and played[after]:
            variance = covariance[one, one] + covariance[after, after] - 2 * covariance[one, after]
            los = float(special.ndtr((values[one] - values[after]) / math.sqrt(variance)))
        share = sum(played[one]) / len(played[one]) if played[one] else 0.5
        found.append(Rating(one, elo, share, len(played[one]), los))
    return found


def _of_contestant(one: int, pairings: Sequence[tuple[int, ...]], scores: Sequence[dict[int, float]]) -> list[float]:
    """Lists the scores of all sets of a contestant, as it sees them."""
    own = []
    for (a, b), seen in zip(pairings, scores, strict=True):
        if one in (a, b):
            own += [score if one == a else 1 - score for score in seen.values()]
    return own


def _fitted(design: Numbers, scores: Sequence[dict[int, float]]) -> tuple[Numbers, Numbers]:
    """Gets the ratings in units of logit, with mean 0, and their covariance."""
    from scipy import optimize, special

    free = design[:, 1:]
    sets = np.array([len(seen) for seen in scores], float) + PRIOR
    wins = np.array([math.fsum(seen.values()) for seen in scores]) + PRIOR / 2

    def loss(values: Numbers) -> float:
        lead = free @ values
        return float(np.sum(sets * np.logaddexp(0, lead) - wins * lead)) / whole

    def slope(values: Numbers) -> Numbers:
        return np.asarray(free.T @ (sets * special.expit(free @ values) - wins)) / whole

    def information(values: Numbers) -> Numbers:
        chance = special.expit(free @ values)
        return np.asarray(free.T @ (free * (sets * chance * (1 - chance))[:, None])) / whole

    # Of a mean, so that the same tolerance holds for ten sets and for a million.
    whole = float(sets.sum())
    start = np.zeros(free.shape[1])
    best = optimize.minimize(loss, start, jac=slope, hess=information, method="trust-exact", options={"gtol": 1e-10}).x
    bread = np.linalg.inv(whole * information(best))
    covariance = bread @ _spread(free, special.expit(free @ best), scores) @ bread
    count = design.shape[1]
    centred = (np.eye(count) - 1 / count)[:, 1:]
    return centred @ best, centred @ covariance @ centred.T


def _spread(free: Numbers, chances: Numbers, scores: Sequence[dict[int, float]]) -> Numbers:
    """Sums up the squares of how far each deal pulls the ratings, and the ties that were added."""
    deals = {number: row for row, number in enumerate(sorted({number for seen in scores for number in seen}))}
    residuals = np.zeros((len(deals), len(scores)))
    for column, seen in enumerate(scores):
        rows = [deals[number] for number in seen]
        residuals[rows, column] = np.fromiter(seen.values(), float) - chances[column]
    pulls = residuals @ free
    # A tie counts as half a set won and half a set lost, so that a spread is never nothing.
    ties = PRIOR * (chances**2 + (1 - chances) ** 2) / 2
    return np.asarray(pulls.T @ pulls + free.T @ (free * ties[:, None]))


def score_of(row: Row) -> float:
    """Gets the score of a set as the first contestant sees it: 0, 1/2 or 1."""
    return SET_SCORES[outcome_of(row).won]


def score_in(one: SetStats) -> float:
    """Gets the score of the statistics of a single set, as :func:`score_of`."""
    return float(sum(score * count for score, count in zip(SET_SCORES, one.histogram, strict=True)))
