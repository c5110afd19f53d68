"""
The mixture of two probabilities that predicts best who wins: a logistic regression of the outcome on their logits.

Each cell, a seat and a band of plies, has weights of its own: log odds = start + network * its logit + search * its
logit. A ridge pulls those of a seat towards the plain average, and those of a cell towards its seat's, so that a cell
of few cases has an answer too.
"""

from typing import NamedTuple

import numpy as np

from .estimate import Names, Numbers

FOLDS = 5
"""Parts of the games, each predicted by what was fitted to the others."""
PLAIN = np.array([0.0, 0.5, 0.5])
"""The plain average in logits."""
RIDGE = 10.0
"""How hard weights are pulled: as if they were known to differ by about 0.3 from what they are pulled towards."""
_STEPS = 50


class Weights(NamedTuple):
    """What a cell's mixture is."""

    start: float
    """Log odds that are added whatever is predicted: below 0 where both are too hopeful."""
    network: float
    search: float
    errors: tuple[float, float, float]
    """Standard errors of the three, over games."""


def logits(chances: Numbers) -> Numbers:
    """Gets the log odds."""
    found: Numbers = np.log(chances / (1 - chances))
    return found


def _inputs(network: Numbers, search: Numbers) -> Numbers:
    return np.stack([np.ones_like(network), logits(network), logits(search)], axis=1)


def _fit(inputs: Numbers, won: Numbers, towards: Numbers = PLAIN) -> Numbers:
    """Finds the weights by Newton's method, which the ridge keeps finite."""
    weights: Numbers = towards.copy()
    for _ in range(_STEPS):
        chances = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (won - chances) - RIDGE * (weights - towards)
        step = np.linalg.solve(_curve(inputs, chances), slope)
        weights = weights + step
        if np.abs(step).max() < 1e-9:
            break
    return weights


def _curve(inputs: Numbers, chances: Numbers) -> Numbers:
    found: Numbers = (inputs * (chances * (1 - chances))[:, None]).T @ inputs + RIDGE * np.eye(len(PLAIN))
    return found


def fit(network: Numbers, search: Numbers, won: Numbers, games: Names) -> Weights:
    """Fits one mixture to all cases; errors by the sandwich over games (H. White, Econometrica 50, 1982)."""
    inputs = _inputs(network, search)
    weights = _fit(inputs, won)
    chances = 1 / (1 + np.exp(-inputs @ weights))
    _, places = np.unique(games, return_inverse=True)
    sums = np.stack([np.bincount(places, weights=column) for column in (inputs * (won - chances)[:, None]).T], axis=1)
    inverse = np.linalg.inv(_curve(inputs, chances))
    first, second, third = map(float, np.sqrt(np.diag(inverse @ (sums.T @ sums) @ inverse)))
    start, of_network, of_search = map(float, weights)
    return Weights(start, of_network, of_search, (first, second, third))


def fitted_chances(
    network: Numbers, search: Numbers, won: Numbers, games: Names, seats: Names, cells: Names
) -> Numbers:
    """Predicts each case by a mixture that was fitted to its cell, and to its seat, in other games."""
    inputs, out = _inputs(network, search), np.empty(len(won))
    for part in range(FOLDS):
        others = games % FOLDS != part
        for seat in np.unique(seats):
            of_seat = _fit(inputs[others & (seats == seat)], won[others & (seats == seat)])
            for cell in np.unique(cells[seats == seat]):
                here = cells == cell
                weights = _fit(inputs[others & here], won[others & here], of_seat)
                out[here & ~others] = 1 / (1 + np.exp(-inputs[here & ~others] @ weights))
    return out
