"""Samples to learn from, in memory, split by deal into training and test."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

from .shards import Array


class Batch(NamedTuple):
    """Some samples as a network takes them."""

    planes: Array
    """(n, planes, rows, columns) or (n, inputs), uint8."""
    targets: Array
    """The target of each, (n,) or (n, ...)."""


class Samples(ABC):
    """
    Samples of one network, known by their numbers.

    :param numbers: of the samples that count, in the order of the games.
    :param is_test: for each of these whether it is of a test game.
    :param heads: how the games were played.
    """

    content: Sequence[Array] = ()
    """The origin of the samples, for the digest."""

    def __init__(self, numbers: Array, is_test: Array, heads: Sequence[dict[str, Any]]) -> None:
        self.training: Array = numbers[~is_test]
        self.test: Array = numbers[is_test]
        self.heads = heads

    @abstractmethod
    def batch(self, numbers: Array) -> Batch:
        """Builds the input of some samples."""

    @abstractmethod
    def what(self) -> str:
        """Says how many samples of what there are."""

    def keep(self, training: int | None = None, test: int | None = None) -> None:
        """Leaves the first so many samples of the training, and of the test; all without a number."""
        self.training, self.test = self.training[:training], self.test[:test]

    def digest(self) -> str:
        """Hashes which samples these are and in which order, in 16 hex digits."""
        content = hashlib.sha256()
        for column in (*self.content, self.training, self.test):
            content.update(column.tobytes())
        return content.hexdigest()[:16]

    def summary(self) -> str:
        """Says how many samples there are, in one sentence."""
        return f"{self.what()}: {len(self.training):,} for training, {len(self.test):,} for the test."
