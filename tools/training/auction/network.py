"""The network that values bids in torch: the same layers as the kernel's, in floats, and how they become integers."""

from array import array
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from ddzbot.cards import BIG_JOKER, RANK_COUNT
from ddzbot.kernel.bid_records import (
    BENT,
    CARDS,
    FEATURES,
    HEADS,
    HIDDEN,
    INNER,
    NODES,
    ONE,
    WEIGHT_ONE,
    BidParameters,
)

from .tree import POSITIONS

HAND_FEATURES = FEATURES - len(NODES)
"""The features of a hand: its cards, then its fewest moves."""
_USUAL_ACTIVE = 19
_SLOTS = [(rank, copy) for rank in range(RANK_COUNT) for copy in range(4 if rank < BIG_JOKER - 1 else 1)]
_COLUMNS = np.array([4 * rank + copy for rank, copy in _SLOTS])
_SHIFTS = np.array([4 * rank for rank, _ in _SLOTS], np.uint64)
_COPIES = np.array([copy for _, copy in _SLOTS], np.uint64)


def hand_features(hands: NDArray[np.uint64], fewest: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Gets the features of hands and their fewest moves, [...][HAND_FEATURES], 0 or 1."""
    features = np.zeros((*hands.shape, HAND_FEATURES), np.uint8)
    features[..., _COLUMNS] = (hands[..., None] >> _SHIFTS & np.uint64(15)) > _COPIES
    np.put_along_axis(features, (CARDS + fewest.astype(np.int64))[..., None], 1, -1)
    return features


class AuctionNet(nn.Module):
    """The network; it values all ten nodes of many deals at once."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Parameter(torch.randn(FEATURES, HIDDEN) / _USUAL_ACTIVE**0.5)
        self.first_bias = nn.Parameter(torch.zeros(HIDDEN))
        self.second = nn.Linear(HIDDEN, INNER)
        self.third = nn.Linear(INNER, INNER)
        self.last = nn.Linear(INNER, HEADS)

    def forward(self, hands: Tensor) -> Tensor:
        """Gets [deals][nodes][HEADS] from the features of the hands by position, [deals][positions][HAND_FEATURES]."""
        of_hand = torch.cat([self.first[:CARDS], self.first[CARDS + len(NODES) :]])
        of_node = self.first[CARDS : CARDS + len(NODES)]
        sums = hands @ of_hand + self.first_bias
        units = functional.leaky_relu(sums[:, POSITIONS] + of_node, 1 / BENT)
        units = functional.leaky_relu(self.second(units), 1 / BENT)
        units = functional.leaky_relu(self.third(units), 1 / BENT)
        heads: Tensor = self.last(units)
        return heads

    def parameters_for_kernel(self) -> BidParameters:
        """Rounds to the kernel's whole numbers."""
        layers = {"second": self.second, "third": self.third, "last": self.last}
        fields: dict[str, Any] = {
            "first": _rounded(self.first, ONE, "h"),
            "first_bias": _rounded(self.first_bias, ONE, "i"),
        }
        for field, layer in layers.items():
            fields[field] = _rounded(layer.weight, WEIGHT_ONE, "h")
            fields[f"{field}_bias"] = _rounded(layer.bias, ONE, "i")
        return BidParameters(**fields)


def _rounded(values: Tensor, one: int, code: str) -> "array[int]":
    numbers = np.rint(values.detach().numpy().astype(np.float64) * one)
    kind = np.dtype(f"i{array(code).itemsize}")
    limits = np.iinfo(kind)
    return array(code, np.clip(numbers, limits.min, limits.max).astype(kind).tobytes())
