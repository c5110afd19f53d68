"""Samples of random positions, made as self-play makes them."""

from collections.abc import Sequence

import numpy as np

from ddzbot.net.fast_features import FEATURES, features
from ddzbot.rules import Move
from ddzbot.view import View
from tests.net.positions import random_views
from tools.training.champion.games import Samples


def samples_of(situations: Sequence[tuple[View, Move]]) -> Samples:
    lists = [features(view, move) for view, move in situations]
    ends = np.cumsum([len(numbers) for numbers in lists])
    results = np.array([(index % 2, index % 5 - 2) for index in range(len(lists))], np.float32)
    return Samples(np.concatenate(lists).astype(np.uint16), ends.astype(np.uint32), results)


def some_samples(count: int = 60) -> Samples:
    return samples_of([(view, view.legal_moves()[-1]) for view in random_views(count)])


def features_of(samples: Samples, index: int) -> list[int]:
    begin = int(samples.ends[index - 1]) if index else 0
    return [int(feature) for feature in samples.features[begin : samples.ends[index]]]


def dense(samples: Samples) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """The same as rows of zeros and ones."""
    rows = np.zeros((len(samples.ends), FEATURES), np.float32)
    for index, row in enumerate(rows):
        row[features_of(samples, index)] = 1
    return rows
