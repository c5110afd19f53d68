"""The results of players on an evaluation suite, put together."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .choices import error_of, mean_known, noise_of, open_values, regrets
from .decision import Decision
from .estimate import Mean, Numbers, Root, mean_over
from .outcomes import Cases, Quality, best_guess, log_losses, predictions, qualities
from .scored import ScoredChoice

BENCH = "the bench's own playouts"
"""The name of what the bench itself predicts: its network, and the share of its playouts that was won."""


class Choices(NamedTuple):
    """The choices of a player, and the distance of its values from the precise ones."""

    name: str
    decisions: int
    unknown: int
    """Choices that the bench cannot value."""
    error: Root
    """Of differences between two moves."""
    regret: Mean
    open: Mean
    """The mean payment of the choices with the true hands."""
    milliseconds: float
    regret_less: Mean | None
    """How much less its choices lose than those of the first player, in the criterion."""
    open_more: Mean | None
    loss_less: Mean | None
    """How much lower its log loss is than the first player's, by the mean of network and search, or by one of them."""


class Outcomes(NamedTuple):
    """The quality of a player's probabilities of winning."""

    name: str
    qualities: list[Quality]
    average_better: dict[str, Mean]
    """How much lower the log loss of the average is than that of each other predictor, case by case."""


class Scores(NamedTuple):
    """Everything that is said."""

    decisions: int
    games: int
    noise: Root
    """The error of the suite's own differences between two moves."""
    choices: list[Choices]
    outcomes: list[Outcomes]


def scores_of(decisions: Sequence[Decision], answers: dict[str, list[ScoredChoice]]) -> Scores:
    """Puts together what *answers*, by the name of the player, say beside the bench."""
    numbers: dict[str, int] = {}
    games = [numbers.setdefault(decision.deal, len(numbers)) for decision in decisions]
    outcomes = [_outcomes(BENCH, decisions, games, *_own_chances(decisions))]
    outcomes += [_outcomes(player, decisions, games, *_chances(choices_of)) for player, choices_of in answers.items()]
    choices = _choices(decisions, games, answers)
    known_outcomes = [outcome for outcome in outcomes if outcome.qualities]
    return Scores(len(decisions), len(numbers), noise_of(decisions, games), choices, known_outcomes)


def _choices(
    decisions: Sequence[Decision], games: Sequence[int], answers: dict[str, list[ScoredChoice]]
) -> list[Choices]:
    rows: list[Choices] = []
    of_first: tuple[Numbers, Numbers, Numbers] | None = None
    won = np.array([decision.won for decision in decisions], np.float64)
    for player, scored in answers.items():
        regret, opened = regrets(decisions, scored), open_values(scored)
        losses = log_losses(best_guess(*_chances(scored)), won)
        rows.append(
            Choices(
                player,
                len(scored),
                int(np.isnan(regret).sum()),
                error_of(decisions, scored, games),
                mean_known(regret, games),
                mean_known(opened, games),
                sum(answer.milliseconds for answer in scored) / len(scored),
                mean_known(of_first[0] - regret, games) if of_first else None,
                mean_known(opened - of_first[1], games) if of_first else None,
                mean_known(of_first[2] - losses, games) if of_first else None,
            )
        )
        of_first = of_first or (regret, opened, losses)
    return rows


def _own_chances(decisions: Sequence[Decision]) -> tuple[Numbers, Numbers]:
    """Gets what network and playouts say of the moves that were played; NaN where the bench has none of them."""
    played = [decision.valued(decision.played) for decision in decisions]
    network = [math.nan if move is None else move.chance for move in played]
    return np.array(network), np.array([math.nan if move is None else move.share for move in played])


def _chances(answers: Sequence[ScoredChoice]) -> tuple[Numbers, Numbers]:
    network = [math.nan if answer.network is None else answer.network for answer in answers]
    return np.array(network), np.array([math.nan if answer.search is None else answer.search for answer in answers])


def _outcomes(
    name: str, decisions: Sequence[Decision], games: Sequence[int], network: Numbers, search: Numbers
) -> Outcomes:
    has_search = not np.isnan(search).all()
    is_known = ~np.isnan(network) & (~np.isnan(search) | (not has_search))
    cases = Cases.of(decisions, games).only(is_known)
    if not is_known.any():
        return Outcomes(name, [], {})
    predicted = predictions(network[is_known], search[is_known] if has_search else None)
    return Outcomes(name, qualities(predicted, cases), _average_better(predicted, cases))


def _average_better(found: dict[str, Numbers], cases: Cases) -> dict[str, Mean]:
    losses = {predictor: log_losses(chances, cases.won) for predictor, chances in found.items()}
    average = losses.pop("average", None)
    if average is None:
        return {}
    return {predictor: mean_over(loss - average, cases.game) for predictor, loss in losses.items()}
