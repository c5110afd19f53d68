"""
Elo of all contestants of a tournament at once, by the model of Bradley and Terry.

Each set is one comparison with score 0, 1/2 or 1, and the chance of contestant i against j is 1 / (1 + exp(r_j - r_i)).
The r are those that make all pairings together most likely (R. Bradley and M. Terry, "Rank analysis of incomplete block
designs", Biometrika 39, 1952). One tied set is added to each pairing, as other rating programs add draws: without it
a player that loses every set would be infinitely weak.

The interval is that of the robust ("sandwich") covariance H^-1 M H^-1: H is the information of the model, and M the
spread of the scores that were seen, with the sets of one deal taken together. So ties make an interval as narrow as
they should, and deals on which all pairings went alike make it wider. Nothing is drawn at random.

Ranks are those of a competition (1, 1, 3): from the best one down, a contestant shares the rank of the one before
unless the 95 % interval of its difference to the first one of that rank, from the same covariance, leaves out 0. So
two that share a rank need not be close to each other, but each is close to the best one of it.
"""

import math
from collections.abc import Sequence
from operator import mul
from typing import NamedTuple

from ...shared.intervals import NORMAL_95, normal_cdf
from .estimates import Estimate
from .row import Row, outcome_of
from .sets import SET_SCORES, SetStats

Matrix = list[list[float]]

ELO = 400 / math.log(10)
"""Points of Elo in one unit of logit."""
PRIOR = 1.0
"""Tied sets that are added to each pairing."""
_CLOSE = 1e-11
_DIGITS = 9
"""Of a rating in logits; what is equal up to there is equal."""
_MOST_STEPS = 200


class Rating(NamedTuple):
    """The place of one contestant in a tournament."""

    contestant: int
    """Its number in the plan."""
    rank: int
    """From 1; shared with those before it that are not clearly better."""
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
    if not _are_connected(count, pairings):
        raise ValueError(f"{len(pairings)} pairings do not connect {count} contestants")
    values, covariance = _fit(count, pairings, scores)
    played = [_of_contestant(player, pairings, scores) for player in range(count)]
    order = sorted(range(count), key=lambda player: (-round(values[player], _DIGITS), player))

    def lead(a: int, b: int) -> float:
        """Gets how much better the one is, in standard deviations."""
        variance = covariance[a][a] + covariance[b][b] - 2 * covariance[a][b]
        return (values[a] - values[b]) / math.sqrt(variance) if a != b else 0.0

    rated: list[Rating] = []
    leader, rank = order[0], 1
    for place, (player, after) in enumerate(zip(order, [*order[1:], None], strict=True), 1):
        if lead(leader, player) > NORMAL_95:
            leader, rank = player, place
        half = NORMAL_95 * math.sqrt(covariance[player][player])
        elo = Estimate(*(ELO * (values[player] + way * half) for way in (0, -1, 1))) if played[player] else None
        los = None
        if after is not None and played[player] and played[after]:
            los = normal_cdf(lead(player, after))
        share = sum(played[player]) / len(played[player]) if played[player] else 0.5
        rated.append(Rating(player, rank, elo, share, len(played[player]), los))
    return rated


def _are_connected(count: int, pairings: Sequence[tuple[int, ...]]) -> bool:
    groups = list(range(count))
    for a, b in pairings:
        if groups[a] != groups[b]:
            groups = [groups[b] if group == groups[a] else group for group in groups]
    return len({*groups}) == 1


def _of_contestant(player: int, pairings: Sequence[tuple[int, ...]], scores: Sequence[dict[int, float]]) -> list[float]:
    """Lists the scores of all sets of a contestant, as it sees them."""
    own = []
    for (a, b), seen in zip(pairings, scores, strict=True):
        if player in (a, b):
            own += [score if player == a else 1 - score for score in seen.values()]
    return own


def _fit(
    count: int, pairings: Sequence[tuple[int, ...]], scores: Sequence[dict[int, float]]
) -> tuple[list[float], Matrix]:
    """
    Gets the ratings in units of logit, with mean 0, and their covariance, by Newton's method.

    No step changes the lead of one contestant over another by more than 1: within that the loss falls at every step
    (F. Bach, "Self-concordant analysis for logistic regression", 2010, Proposition 1).
    """
    values = [0.0] * count
    sets = [len(seen) + PRIOR for seen in scores]
    wins = [math.fsum(seen.values()) + PRIOR / 2 for seen in scores]
    for _ in range(_MOST_STEPS):
        chances = [_logistic(values[a] - values[b]) for a, b in pairings]
        pull = [0.0] * count
        for (a, b), won, total, chance in zip(pairings, wins, sets, chances, strict=True):
            missing = won - total * chance
            pull[a] += missing
            pull[b] -= missing
        weights = [total * chance * (1 - chance) for total, chance in zip(sets, chances, strict=True)]
        # No set tells anything of the mean, which stays 0: with something there the information has an inverse.
        bread = _weigh(count, pairings, weights, mean=sum(weights) / count**2)
        step = [row[0] for row in _solve(bread, [[force] for force in pull])]
        longest = max(step) - min(step)
        values = [value + change / max(1.0, longest) for value, change in zip(values, step, strict=True)]
        if longest < _CLOSE:
            break
    inverse = _solve(bread, [[float(row == column) for column in range(count)] for row in range(count)])
    spread = _spread(count, pairings, chances, scores)
    return values, _product(_product(inverse, spread), inverse)


def _logistic(lead: float) -> float:
    return 1 / (1 + math.exp(-lead)) if lead > 0 else 1 - 1 / (1 + math.exp(lead))


def _weigh(count: int, pairings: Sequence[tuple[int, ...]], weights: Sequence[float], mean: float = 0.0) -> Matrix:
    """Sums up the squares of the leads in all pairings, as the matrix of that form, and *mean* for that of the mean."""
    matrix = [[mean] * count for _ in range(count)]
    for (a, b), weight in zip(pairings, weights, strict=True):
        matrix[a][a] += weight
        matrix[b][b] += weight
        matrix[a][b] -= weight
        matrix[b][a] -= weight
    return matrix


def _spread(
    count: int, pairings: Sequence[tuple[int, ...]], chances: Sequence[float], scores: Sequence[dict[int, float]]
) -> Matrix:
    """Sums up the squares of how far each deal pulls the ratings, and the ties that were added."""
    # A tie counts as half a set won and half a set lost, so that a spread is never nothing.
    spread = _weigh(count, pairings, [PRIOR * (p * p + (1 - p) ** 2) / 2 for p in chances])
    pulls: dict[int, dict[int, float]] = {}
    for (a, b), seen, chance in zip(pairings, scores, chances, strict=True):
        for deal, score in seen.items():
            pull = pulls.setdefault(deal, {})
            pull[a] = pull.get(a, 0.0) + score - chance
            pull[b] = pull.get(b, 0.0) - score + chance
    for deal in sorted(pulls):
        pull = pulls[deal]
        for player, force in pull.items():
            row = spread[player]
            for opponent, against in pull.items():
                row[opponent] += force * against
    return spread


def _solve(matrix: Matrix, right: Matrix) -> Matrix:
    """Solves ``matrix @ x = right`` for a positive definite matrix, by Gauss and Jordan without a search for pivots."""
    rows = [[*left, *given] for left, given in zip(matrix, right, strict=True)]
    for pivot in range(len(rows)):
        # The first number of every row is that of the column whose turn it is.
        head = rows[pivot][0]
        lead = [cell / head for cell in rows[pivot][1:]]
        rows = [
            lead if row == pivot else [cell - cells[0] * part for cell, part in zip(cells[1:], lead, strict=True)]
            for row, cells in enumerate(rows)
        ]
    return rows


def _product(left: Matrix, right: Matrix) -> Matrix:
    columns = list(zip(*right, strict=True))
    return [[sum(map(mul, row, column)) for column in columns] for row in left]


def score_of(row: Row) -> float:
    """Gets the score of a set as the first contestant sees it: 0, 1/2 or 1."""
    return SET_SCORES[outcome_of(row).won]


def score_in(stats: SetStats) -> float:
    """Gets the score of the statistics of a single set, as :func:`score_of`."""
    return float(sum(score * count for score, count in zip(SET_SCORES, stats.histogram, strict=True)))
