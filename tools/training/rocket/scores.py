"""Scores of DeepRocket's networks on samples that they did not learn from."""

from typing import NamedTuple

import numpy as np
import torch

from ..learning import predictions
from ..shards import Array
from .dataset import Choices
from .hands import Hands


class Accuracy(NamedTuple):
    """The share of samples whose likeliest legal output is the teacher's choice."""

    records: int
    accuracy: float
    first_three: float
    """The share of samples whose three likeliest outputs have the teacher's choice."""
    by_chance: float
    """The accuracy of a random legal output."""
    loss: float
    """Cross entropy in nats."""


def accuracy_of(logits: Array, allowed: Array, labels: Array) -> Accuracy:
    """Compares logits (n, outputs) with the teacher's choices; *allowed* has 1 where an output was legal."""
    legal = np.where(allowed > 0, logits.astype(np.float64), -np.inf)
    chosen = legal[np.arange(len(labels)), labels]
    rank = (legal > chosen[:, None]).sum(1)
    shifted = legal - legal.max(1, keepdims=True)
    loss = np.log(np.exp(shifted).sum(1)) - shifted[np.arange(len(labels)), labels]
    return Accuracy(
        records=len(labels),
        accuracy=float((rank == 0).mean()),
        first_three=float((rank < 3).mean()),
        by_chance=float((1 / allowed.sum(1)).mean()),
        loss=float(loss.mean()),
    )


def scored(model: torch.nn.Module, choices: Choices, most: int | None, batch: int) -> Accuracy:
    """Scores a network on the first *most* test samples."""
    numbers = choices.test[:most]
    logits = predictions(model, choices, numbers, batch, torch.device("cpu"))
    return accuracy_of(logits, choices.allowed(numbers), choices.label[numbers])


class Answers(NamedTuple):
    """The scores of a bidder."""

    hands: int
    accuracy: float
    """The share of hands in which its yes, a chance of a half or more, or its no is what came true."""
    by_majority: float
    """The same of the more frequent answer."""
    loss: float
    """Cross entropy in nats."""
    won: float
    """The share of hands that won."""


def answers_of(model: torch.nn.Module, hands: Hands, batch: int) -> Answers:
    """Scores a bidder on the test hands."""
    logits = predictions(model, hands, hands.test, batch, torch.device("cpu")).astype(np.float64)
    won = hands.won[hands.test]
    share = float(won.mean())
    return Answers(
        hands=len(won),
        accuracy=float(((logits >= 0) == (won > 0)).mean()),
        by_majority=max(share, 1 - share),
        loss=float(np.mean(np.logaddexp(0, logits) - won * logits)),
        won=share,
    )
