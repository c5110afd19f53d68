"""
The distance of a player's values and choices from the precise ones.

The precise values are noisy too. Each half of a decision has noise of its own, so that a product of two errors, one
against each half, is on average the squared error against what endless worlds would say; and the best move is picked by
one half and valued by the other.
"""

from collections.abc import Sequence

import numpy as np

from .decision import Decision, ValuedMove
from .estimate import Mean, Numbers, Root, mean_over, root_of
from .recipe import HALVES
from .scored import ScoredChoice


def squared_error(worth: Numbers, one: Numbers, two: Numbers) -> float:
    """
    Estimates the mean square of how wrong the differences between two moves are, over all pairs of moves.

    *one* and *two* are what the halves say. It is right on average, and so sometimes below 0.
    """
    wrong = [worth - half - (worth - half).mean() for half in (one, two)]
    return float(2 * (wrong[0] * wrong[1]).sum() / (len(worth) - 1))


def regret_of(moves: Sequence[ValuedMove], chosen: ValuedMove) -> float:
    """
    Estimates what a choice is paid less than the best move: the best of one half, valued by the other, both ways.

    No noise flatters the best move so. Since a half may miss it, the regret is too low by something, the same for all
    players; below 0 is a choice that is better than what a half finds.
    """
    lost = 0.0
    for half in range(HALVES):
        best = max(moves, key=lambda move: move.paid[half])
        lost += best.paid[1 - half] - chosen.paid[1 - half]
    return lost / HALVES


def error_of(decisions: Sequence[Decision], answers: Sequence[ScoredChoice], games: Sequence[int]) -> Root:
    """Gets the error of differences, over the decisions in which a player values two moves or more."""
    squares, of_game = [], []
    for decision, answer, game in zip(decisions, answers, games, strict=True):
        moves = [move for move in decision.moves if move.move in answer.worth]
        if len(moves) > 1:
            worth = np.array([answer.worth[move.move] for move in moves])
            one, two = (np.array([move.paid[half] for move in moves]) for half in range(HALVES))
            squares.append(squared_error(worth, one, two))
            of_game.append(game)
    return root_of(mean_over(np.array(squares), np.array(of_game, np.int64)))


def regrets(decisions: Sequence[Decision], answers: Sequence[ScoredChoice]) -> Numbers:
    """Gets the regret of each choice; NaN where the bench does not know it."""
    return np.array(
        [
            np.nan if answer.chosen is None else regret_of(decision.moves, answer.chosen)
            for decision, answer in zip(decisions, answers, strict=True)
        ]
    )


def open_values(answers: Sequence[ScoredChoice]) -> Numbers:
    """Gets what one playout of each choice paid with the hands that the others really had; NaN as above."""
    return np.array([np.nan if answer.chosen is None else answer.chosen.open for answer in answers])


def mean_known(values: Numbers, games: Sequence[int]) -> Mean:
    """Gets the mean of what is known."""
    is_known = ~np.isnan(values)
    return mean_over(values[is_known], np.array(games, np.int64)[is_known])


def noise_of(decisions: Sequence[Decision], games: Sequence[int]) -> Root:
    """Gets how wrong the precise differences themselves are, by how far the halves are apart."""
    squares = []
    for decision in decisions:
        apart = np.array([move.paid[0] - move.paid[1] for move in decision.moves]) / HALVES
        squares.append(2 * float(((apart - apart.mean()) ** 2).sum()) / (len(apart) - 1))
    return root_of(mean_over(np.array(squares), np.array(games, np.int64)))
