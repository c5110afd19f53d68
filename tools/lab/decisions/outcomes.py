"""The quality of probabilities of winning: log loss, Brier score and calibration, by seat and ply."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ddzbot.game import SEAT_NAMES

from .decision import Decision
from .estimate import Mean, Names, Numbers, mean_over

BANDS = ((0, 9), (9, 18), (18, 1000))
"""Of plies: from the first number on, below the second."""
ALL = "all"
TENTHS = 10
LEAST = 0.001
"""Probabilities are clipped to this and to 1 minus this."""

Flags = NDArray[np.bool_]


class Cases(NamedTuple):
    """Decisions whose outcome is predicted, as columns: what the played moves were, and how the games ended."""

    seat: Names
    ply: Names
    game: Names
    won: Numbers

    @classmethod
    def of(cls, decisions: Sequence[Decision], games: Sequence[int]) -> "Cases":
        """Takes what is needed of *decisions*."""
        return cls(
            np.array([decision.view.seat for decision in decisions], np.int64),
            np.array([decision.ply for decision in decisions], np.int64),
            np.array(games, np.int64),
            np.array([decision.won for decision in decisions], np.float64),
        )

    def only(self, some: Flags) -> "Cases":
        """Keeps *some* of them."""
        return Cases._make(column[some] for column in self)


class Quality(NamedTuple):
    """The quality of one predictor in one part of the cases."""

    predictor: str
    seat: str
    band: str
    won: Mean
    above: Mean
    """The prediction minus the result, on average."""
    log_loss: Mean
    brier: Mean
    calibration: float
    """The mean absolute difference between predicted and won, by tenths."""


def parts_of(cases: Cases) -> Iterator[tuple[str, str, Flags]]:
    """Yields all cases, then each seat's, then those of each seat and band of plies, each with two names."""
    yield ALL, ALL, np.ones(len(cases.won), bool)
    for seat, seat_name in enumerate(SEAT_NAMES):
        yield seat_name, ALL, cases.seat == seat
    for seat, seat_name in enumerate(SEAT_NAMES):
        for begin, end in BANDS:
            yield seat_name, band_name(begin, end), (cases.seat == seat) & (cases.ply >= begin) & (cases.ply < end)


def band_name(first: int, end: int) -> str:
    """Names a band of plies: ``9-17``, and the last one ``18+``."""
    return f"{first}-{end - 1}" if end < BANDS[-1][1] else f"{first}+"


def predictions(network: Numbers, search: Numbers | None) -> dict[str, Numbers]:
    """Lists what is predicted: by the network, by the search, and by their average in logits."""
    by_predictor = {"network": _unsure(network)}
    if search is None:
        return by_predictor
    return {**by_predictor, "search": _unsure(search), "average": best_guess(network, search)}


def best_guess(network: Numbers, search: Numbers) -> Numbers:
    """Gets the average of both in logits, and where one is NaN the other."""
    chances = np.stack([_unsure(network), _unsure(search)])
    pair = np.log(chances / (1 - chances))
    is_known = ~np.isnan(pair)
    halfway = np.where(is_known, pair, 0).sum(axis=0) / np.where(is_known.any(axis=0), is_known.sum(axis=0), np.nan)
    average: Numbers = 1 / (1 + np.exp(-halfway))
    return average


def _unsure(chances: Numbers) -> Numbers:
    return np.clip(chances, LEAST, 1 - LEAST)


def log_losses(chances: Numbers, won: Numbers) -> Numbers:
    """Gets the log loss of each case."""
    losses: Numbers = -np.log(np.where(won > 0, chances, 1 - chances))
    return losses


def qualities(found: dict[str, Numbers], cases: Cases) -> list[Quality]:
    """Gets how good every kind of prediction is, in every part that has cases."""
    return [
        _quality((predictor, seat, band), chances[some], cases.only(some))
        for seat, band, some in parts_of(cases)
        if some.any()
        for predictor, chances in found.items()
    ]


def _quality(names: tuple[str, str, str], chances: Numbers, cases: Cases) -> Quality:
    return Quality(
        *names,
        mean_over(cases.won, cases.game),
        mean_over(chances - cases.won, cases.game),
        mean_over(log_losses(chances, cases.won), cases.game),
        mean_over((chances - cases.won) ** 2, cases.game),
        calibration_error(chances, cases.won),
    )


def calibration_error(chances: Numbers, won: Numbers) -> float:
    """Gets the mean absolute difference between predicted and won, by tenths of the cases."""
    parts = np.array_split(np.argsort(chances, kind="stable"), max(1, min(TENTHS, len(chances) // 2)))
    return float(np.mean([abs(chances[part].mean() - won[part].mean()) for part in parts]))
