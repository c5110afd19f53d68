"""
Fits the factors of the clues: the log-linear model under which the recorded hidden hands are likeliest.

Given the hand sizes, a world has the probability ``product of its weights / total of all worlds``, and a weight is
uniform's times a factor for each clue. The logarithm of that is concave in the logarithms of the factors, and its
gradient is what was observed minus what the model expects, which one pass forward and one back over the ranks computes
for all examples at once.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from ddzbot.belief.clues import SKIPS, WAYS
from ddzbot.belief.numbers import GROUP_NAMES, GROUPS
from ddzbot.cards import RANK_COUNT

from .examples import ExampleArrays, Floats, Ints

COUNTS = 5
FEW_EXAMPLES = 3.0
"""Strength of the pull of every log factor towards 0, in examples: a clue that hardly ever occurs says nothing."""

SHAPES = (
    (len(GROUP_NAMES), len(WAYS), COUNTS),
    (len(GROUP_NAMES), len(SKIPS), COUNTS),
    (len(GROUP_NAMES), len(SKIPS), COUNTS),
)


class LogFactors(NamedTuple):
    """Logarithms of the factors of :class:`ddzbot.belief.numbers.Numbers`, by group, clue and count."""

    ways: Floats
    solos: Floats
    pairs: Floats


def total_and_marginals(weights: Floats, first_cards: Ints) -> tuple[Floats, Floats]:
    """
    Computes the total weight of all worlds of every example, and the probability of every count of every rank.

    *weights* are by rank, count and example. The probabilities are the derivatives of log total by log weight.
    """
    examples = len(first_cards)
    room = int(first_cards.max()) + 1
    sums = np.zeros((RANK_COUNT + 1, room, examples))
    sums[0, 0] = 1
    for rank in range(RANK_COUNT):
        for cards in range(min(COUNTS, room)):
            sums[rank + 1, cards:] += sums[rank, : room - cards] * weights[rank, cards]
    total = sums[RANK_COUNT, first_cards, np.arange(examples)]
    slope = np.zeros((room, examples))
    slope[first_cards, np.arange(examples)] = 1 / total
    marginals = np.zeros_like(weights)
    for rank in reversed(range(RANK_COUNT)):
        before = np.zeros_like(slope)
        for cards in range(min(COUNTS, room)):
            marginals[rank, cards] = (slope[cards:] * sums[rank, : room - cards]).sum(axis=0) * weights[rank, cards]
            before[: room - cards] += slope[cards:] * weights[rank, cards]
        slope = before
    return total, marginals


class _Clue(NamedTuple):
    """The row of a table of factors that counts, by hidden seat, rank and example."""

    rows: Ints
    table: int


class Problem:
    """The log likelihood of all log factors in one vector."""

    def __init__(self, data: ExampleArrays) -> None:
        self.data = data
        group = np.array(GROUPS)[None, :, None]
        given = (data.ways, data.solos, data.pairs)
        self.clues = [_Clue(group * SHAPES[table][1] + clue, table) for table, clue in enumerate(given)]
        self.other = np.clip(data.unseen[:, None] - np.arange(COUNTS)[None, :, None], 0, COUNTS - 1)
        with np.errstate(divide="ignore"):
            self.log_uniform = np.log(data.uniform)

    def log_weights(self, tables: LogFactors) -> Floats:
        logs: Floats = self.log_uniform.copy()
        for clue in self.clues:
            table = tables[clue.table].reshape(-1, COUNTS)
            logs += np.moveaxis(table[clue.rows[0]], -1, 1)
            logs += np.take_along_axis(np.moveaxis(table[clue.rows[1]], -1, 1), self.other, axis=1)
        return logs

    def loss(self, vector: Floats) -> tuple[float, Floats]:
        """Gets minus the mean log likelihood, with the pull, and its gradient."""
        logs = self.log_weights(unpacked(vector))
        total, surplus = total_and_marginals(np.exp(logs), self.data.first_cards)
        held = self.data.held[:, None]
        true = np.take_along_axis(logs, held, axis=1).sum(axis=(0, 1)) - np.log(total)
        np.put_along_axis(surplus, held, np.take_along_axis(surplus, held, axis=1) - 1, axis=1)
        slopes = [self._slope(clue, surplus) for clue in self.clues]
        pull = FEW_EXAMPLES * vector
        examples = len(total)
        mean = (-true.sum() + pull @ vector / 2) / examples
        return float(mean), (_packed(slopes) + pull) / examples

    def loss_of(self, tables: LogFactors) -> float:
        """Gets the same for three tables."""
        return self.loss(_packed(list(tables)))[0]

    def _slope(self, clue: _Clue, surplus: Floats) -> Floats:
        shape = SHAPES[clue.table]
        slope = np.zeros((shape[0] * shape[1], COUNTS))
        for cards in range(COUNTS):
            slope[:, cards] += np.bincount(clue.rows[0].ravel(), surplus[:, cards].ravel(), len(slope))
            cells = clue.rows[1] * COUNTS + self.other[:, cards]
            slope += np.bincount(cells.ravel(), surplus[:, cards].ravel(), slope.size).reshape(slope.shape)
        return slope.reshape(shape)


def _free_cells() -> list[NDArray[np.bool_]]:
    """Says which factors are fitted: none for 0 cards, and none for a rank that was not skipped."""
    cells: list[NDArray[np.bool_]] = [np.ones(shape, dtype=bool) for shape in SHAPES]
    for index, table in enumerate(cells):
        table[:, :, 0] = False
        if index:
            table[:, 0] = False
    return cells


def _packed(tables: list[Floats]) -> Floats:
    return np.concatenate([table[free] for table, free in zip(tables, _free_cells(), strict=True)])


def unpacked(vector: Floats) -> LogFactors:
    """Spreads the fitted cells, in one vector, over the three tables."""
    tables, begin = [], 0
    for free in _free_cells():
        table = np.zeros(free.shape)
        table[free] = vector[begin : begin + free.sum()]
        begin += int(free.sum())
        tables.append(table)
    return LogFactors(*tables)


def fit(data: ExampleArrays, steps: int) -> LogFactors:
    """Finds the likeliest factors in at most that many *steps* of a quasi-Newton search."""
    size = sum(int(free.sum()) for free in _free_cells())
    done = minimize(Problem(data).loss, np.zeros(size), jac=True, method="L-BFGS-B", options={"maxiter": steps})
    return unpacked(done.x)
