"""
Imagined matches of known truth: how often the sequential test errs, and how often the intervals hold the truth.

A set is two games on one deal; how good the deal is for the landlord varies, and so do the bombs in it, so that the two
results of a set hang together as in real matches.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special
from scipy.optimize import brentq, elementwise

from tools.arena.stats.estimates import POINT_UNIT, Estimate, RatioSums, mean_estimate, share_estimate
from tools.arena.stats.sets import SET_SCORES, score_sums
from tools.arena.stats.sprt import PRIOR_POINTS, Measure, SprtTest, imagined_sets

STAKE = 3
"""Points between landlord and peasant in a game without bombs, at 2 : -1 : -1."""
CHUNK = 64

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(61)


class SimulatedSets(NamedTuple):
    """Results of sets, arrays of one shape."""

    landlord_won: NDArray[np.bool_]
    """A won as landlord."""
    peasants_won: NDArray[np.bool_]
    """A won as peasants."""
    doubled_points: NDArray[np.int64]
    """Twice the points of A over B in the set: a whole number."""

    @property
    def wins(self) -> NDArray[np.int64]:
        """Games of the set that A won, 0 to 2."""
        return self.landlord_won.astype(np.int64) + self.peasants_won


@dataclass(frozen=True)
class DealModel:
    """How deals decide games.

    A landlord of strength s wins a deal with the logistic of ``landlord + spread * normal + s``, against
    peasants of strength 0; each bomb of the deal is played in a game with probability ``bomb_played`` and doubles
    its points.
    """

    landlord: float = -0.2
    spread: float = 1.0
    bombs: float = 0.6
    bomb_played: float = 0.8

    def win_probability(self, strength: float) -> float:
        """True WP of a contestant that is stronger by this on the logit scale: 0.5 for 0."""
        return (self.landlord_win_probability(strength) + 1 - self.landlord_win_probability(-strength)) / 2

    def landlord_win_probability(self, strength: float) -> float:
        """True WP as landlord, by Gauss-Hermite quadrature over the deals."""
        logits = self.landlord + self.spread * _NODES + strength
        return float(np.average(special.expit(logits), weights=_WEIGHTS))

    def strength(self, win_probability: float) -> float:
        """Strength that leads to this WP."""
        return float(brentq(lambda value: self.win_probability(value) - win_probability, -20, 20))

    def mean_points(self, win_probability: float) -> float:
        """True ADP at this WP: bombs do not ask who wins, and a Poisson number of doublings has a closed
        mean."""
        return STAKE * math.exp(self.bombs * self.bomb_played) * (2 * win_probability - 1)

    def play(self, rng: np.random.Generator, strength: float, shape: tuple[int, int]) -> SimulatedSets:
        """Plays sets between a contestant of this strength and one of strength 0."""
        logits = self.landlord + self.spread * rng.standard_normal(shape)
        landlord_won = rng.random(shape) < special.expit(logits + strength)
        peasants_won = rng.random(shape) >= special.expit(logits - strength)
        bombs = rng.poisson(self.bombs, shape)
        points = sum(
            np.where(won, STAKE, -STAKE) * 2 ** rng.binomial(bombs, self.bomb_played)
            for won in (landlord_won, peasants_won)
        )
        return SimulatedSets(landlord_won, peasants_won, np.asarray(points, dtype=np.int64))


@dataclass(frozen=True)
class SprtStudy:
    """What became of many runs of one test: arrays with one value a run, as of the verdict."""

    llr: NDArray[np.float64]
    sets: NDArray[np.int64]
    win_share: NDArray[np.float64]
    """WP of A in these sets."""

    def accepted_h1(self) -> float:
        """Share of runs that accepted H1; the others accepted H0."""
        return float(np.mean(self.llr > 0))


def study_sprt(
    rng: np.random.Generator, model: DealModel, test: SprtTest, win_probability: float, runs: int
) -> SprtStudy:
    """Plays runs of a test to their ends; reproducible from the state of ``rng``."""
    strength = model.strength(win_probability)
    low, high = test.llr_bounds
    llr = np.zeros(runs)
    ends = np.zeros((runs, 5), dtype=np.int64)
    active = np.arange(runs)
    while active.size:
        results = model.play(rng, strength, (active.size, CHUNK))
        paths = ends[active, np.newaxis, :] + np.cumsum(_columns(results), axis=1)
        ratios = _prefix_llr(paths, test)
        judged = paths[..., :3].sum(axis=-1) >= test.first_verdict
        stopped = judged & ((ratios <= low) | (ratios >= high))
        stop = np.where(stopped.any(axis=1), stopped.argmax(axis=1), CHUNK - 1)
        rows = np.arange(active.size)
        ends[active], llr[active] = paths[rows, stop], ratios[rows, stop]
        active = active[~stopped.any(axis=1)]
    sets = ends[:, :3].sum(axis=1)
    return SprtStudy(llr, sets, (ends[:, 1] / 2 + ends[:, 2]) / sets)


def _columns(results: SimulatedSets) -> NDArray[np.int64]:
    """One set a row: lost, tied, won, doubled points and their square."""
    outcome = results.wins[..., np.newaxis] == np.arange(3)
    points = results.doubled_points[..., np.newaxis]
    return np.concatenate([outcome, points, points * points], axis=-1)


def _prefix_llr(paths: NDArray[np.int64], test: SprtTest) -> NDArray[np.float64]:
    if test.measure is Measure.WP:
        return multinomial_llrs(paths[..., :3], *test.hypotheses)
    sets = paths[..., :3].sum(axis=-1)
    mean = paths[..., 3] / 2 / sets
    return normal_llrs(sets, mean, paths[..., 4] / 4 - sets * mean * mean, *test.hypotheses)


def multinomial_llrs(counts: NDArray[np.int64], mean0: float, mean1: float) -> NDArray[np.float64]:
    """The ratios of many histograms at once, of shape (..., 3), with scipy's roots."""
    shares = counts + np.array(imagined_sets(mean0, mean1))
    shares /= shares.sum(axis=-1, keepdims=True)
    gain = _log_tilts(shares, mean0) - _log_tilts(shares, mean1)
    return np.asarray(counts.sum(axis=-1) * (shares * gain).sum(axis=-1))


def _log_tilts(shares: NDArray[np.float64], mean: float) -> NDArray[np.float64]:
    offsets = [score - mean for score in SET_SCORES]

    def excess(theta: Any, *cells: Any) -> Any:
        return sum(cell * offset / (1 + theta * offset) for cell, offset in zip(cells, offsets, strict=True))

    bounds = (-(1 - 1e-12) / max(offsets), -(1 - 1e-12) / min(offsets))
    theta = elementwise.find_root(excess, bounds, args=tuple(np.moveaxis(shares, -1, 0))).x
    return np.asarray(np.log1p(theta[..., np.newaxis] * np.asarray(offsets)))


def normal_llrs(
    sets: NDArray[np.int64], mean: NDArray[np.float64], spread: NDArray[np.float64], mean0: float, mean1: float
) -> NDArray[np.float64]:
    """The ratios of many samples of points at once."""
    variance = (spread + PRIOR_POINTS * POINT_UNIT**2) / (sets + PRIOR_POINTS)
    ratio = (variance + (mean - mean0) ** 2) / (variance + (mean - mean1) ** 2)
    return np.asarray(sets / 2 * np.log(ratio))


@dataclass(frozen=True)
class CoverageStudy:
    """Share of matches whose 95 % interval held the truth."""

    wp: float
    adp: float
    landlord_wp: float
    """Of the WP as landlord."""


def study_coverage(
    rng: np.random.Generator, model: DealModel, win_probability: float, matches: int, sets: int
) -> CoverageStudy:
    """Plays matches of a fixed number of sets; reproducible from the state of ``rng``."""
    strength = model.strength(win_probability)
    results = model.play(rng, strength, (matches, sets))
    columns = _columns(results).sum(axis=1).tolist()
    landlord_wins = results.landlord_won.sum(axis=1).tolist()
    as_landlord = model.landlord_win_probability(strength)
    points = model.mean_points(win_probability)
    held = np.zeros(3)
    for (lost, tied, won, doubled, squares), landlord in zip(columns, landlord_wins, strict=True):
        wp = share_estimate(score_sums((lost, tied, won)))
        total = Fraction(doubled, 2)
        adp = mean_estimate(RatioSums(sets, total, sets, Fraction(squares, 4), total))
        side = share_estimate(score_sums((sets - landlord, 0, landlord)))
        held += [_holds(wp, win_probability), _holds(adp, points), _holds(side, as_landlord)]
    return CoverageStudy(*(held / matches).tolist())


def _holds(estimate: Estimate, truth: float) -> bool:
    return estimate.low <= truth <= estimate.high
