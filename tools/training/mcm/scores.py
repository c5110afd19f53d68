"""Scores of predicted payoffs: a network's loss beside those of trivial predictions."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..shards import Array
from .dataset import PAYOFFS, McmSamples, hand_sizes

Floats = NDArray[np.float64]


class Choices(NamedTuple):
    """The share of decisions whose highest prediction is the move that the search chose."""

    decisions: int
    agreement: float
    """The share of the decisions."""
    by_chance: float
    """The same for a random candidate."""
    lost: float
    """Points by which the search values the predicted move below its own best, on average."""
    lost_by_chance: float


def by_mean(samples: McmSamples, numbers: Array) -> Floats:
    """Predicts the mean payoff of the training records for each of *numbers*."""
    return np.full(len(numbers), samples.payoff[samples.training].mean(dtype=np.float64))


def by_hand_sizes(samples: McmSamples, numbers: Array) -> Floats:
    """
    Predicts the mean payoff of the training records of the same side with the same three hand sizes.

    Sizes that no training record has get the mean of their side, and a side without any the mean of all.
    """
    keys, asked = hand_sizes(samples, samples.training), hand_sizes(samples, numbers)
    predicted = by_mean(samples, numbers)
    for some, others in ((_sides(keys), _sides(asked)), (keys, asked)):
        values, places = np.unique(some, return_inverse=True)
        means = np.bincount(places, samples.payoff[samples.training]) / np.bincount(places)
        nearest = np.minimum(np.searchsorted(values, others), len(values) - 1)
        predicted = np.where(values[nearest] == others, means[nearest], predicted)
    return predicted


def _sides(keys: Array) -> Array:
    return keys >> 15


def loss(found: Array, samples: McmSamples, numbers: Array) -> float:
    """Gets the mean L1 loss, nan without any record."""
    return float(np.abs(found - samples.payoff[numbers]).mean(dtype=np.float64)) if len(numbers) else float("nan")


def noise(samples: McmSamples, numbers: Array) -> float:
    """
    Estimates the loss of a prediction that knows every true payoff: what the payoffs' own noise leaves.

    The mean of n games won with probability p is off by sqrt(2/pi) standard deviations on average. The simulations of
    a search are not independent, and p is taken from them (with half a win and half a loss more), so that this is a
    rough number.
    """
    visits = samples.shard.visits[numbers].astype(np.float64)
    share = (samples.shard.wins[numbers] + 0.5) / (visits + 1)
    scale = 2 * np.array(PAYOFFS)[samples.shard.seat[samples.decision[numbers]]]
    return float((scale * np.sqrt(2 / np.pi * share * (1 - share) / visits)).mean())


def choices(found: Array, samples: McmSamples, numbers: Array) -> Choices:
    """
    Compares the highest prediction of each decision with the search's choice.

    *numbers* ascend, and hold all candidates of a decision or not all: then, for lack of a duplicate, it is left out.
    """
    offsets = np.cumsum(samples.shard.candidates, dtype=np.int64) - samples.shard.candidates
    decisions, starts, sizes = np.unique(samples.decision[numbers], return_index=True, return_counts=True)
    whole = sizes == samples.shard.candidates[decisions]
    decisions, starts, sizes = decisions[whole], starts[whole], sizes[whole]
    rows = [slice(start, start + size) for start, size in zip(starts, sizes, strict=True)]
    payoff = samples.payoff[numbers]
    picked = np.array([int(np.argmax(found[row])) for row in rows])
    best = np.array([payoff[row].max() for row in rows])
    return Choices(
        decisions=len(decisions),
        agreement=float(np.mean(numbers[starts + picked] == offsets[decisions] + samples.shard.choice[decisions])),
        by_chance=float(np.mean(1 / sizes)),
        lost=float(np.mean(best - payoff[starts + picked])),
        lost_by_chance=float(np.mean(best - [payoff[row].mean() for row in rows])),
    )
