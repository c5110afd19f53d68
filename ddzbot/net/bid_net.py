"""
The network that values bids: what it sees, what its numbers mean, and how it is computed in plain Python.

It sees the 17 cards of a bidder and the earlier bids; docs/design/auction.md says what it learned from. Parameters,
units and answers are whole numbers, so that the kernel (src/net/bid_net.c) and this module give the same numbers on
every machine. A unit or an answer of 1024 is 1.0.
"""

from operator import add, mul
from typing import TYPE_CHECKING, Dict, List, Optional, Sequence, Union

from ddzbot.cards import Hand, counts
from ddzbot.kernel.bid_records import (
    BENT,
    CARDS,
    FEATURES,
    HEADS,
    HIDDEN,
    INNER,
    LARGEST,
    MOST_FEWEST,
    NODES,
    WEIGHT_ONE,
    BidParameters,
    BidWorth,
    node_of,
)
from ddzbot.net.loading import Loader
from ddzbot.net.packed import Packed, Shape, WeightsError
from ddzbot.rules import RuleSet
from ddzbot.split import fewest_moves

if TYPE_CHECKING:
    from ddzbot.kernel.bid_net import KernelBidNet
    from ddzbot.kernel.binding import Kernel

NAME = "bid-1"
"""The version of the features, as weights files name it."""
ARCHITECTURE = "bid-83-128-32-32-14-bent"
SHAPES: Dict[str, Shape] = {
    "first": (FEATURES, HIDDEN),
    "first_bias": (HIDDEN,),
    "second": (INNER, HIDDEN),
    "second_bias": (INNER,),
    "third": (INNER, INNER),
    "third_bias": (INNER,),
    "last": (HEADS, INNER),
    "last_bias": (HEADS,),
}
"""The tensors of a file: weights are int16, biases int32."""


def parameters_of(packed: Packed) -> BidParameters:
    """
    Gets the parameters of a file.

    :raises WeightsError: if it is of another architecture, or has a tensor of another shape or dtype.
    """
    packed.expect(ARCHITECTURE, SHAPES)
    for field in SHAPES:
        dtype = "int32" if field.endswith("_bias") else "int16"
        if packed.tensors[field].dtype != dtype:
            raise WeightsError(f"{packed.called}: tensor {field} cannot be {packed.tensors[field].dtype}")
    return BidParameters(**{field: packed.tensors[field].integers() for field in SHAPES})


def features(rules: RuleSet, hand: Hand, bids: Sequence[int]) -> List[int]:
    """Lists the features of a bidder's hand after the earlier bids, in ascending order."""
    cards = [4 * rank + copy for rank, copies in enumerate(counts(hand)) for copy in range(copies)]
    fewest = min(fewest_moves(rules, hand), MOST_FEWEST)
    return [*cards, CARDS + node_of(bids), CARDS + len(NODES) + fewest]


class BidReference:
    """The network in plain Python. For example ``BidReference(parameters).worth(rules, hand, (0, 1)).bids``."""

    def __init__(self, parameters: BidParameters) -> None:
        self._first = _rows(parameters.first, HIDDEN)
        self._first_bias: Sequence[int] = parameters.first_bias
        self._layers = [
            (_rows(parameters.second, HIDDEN), parameters.second_bias),
            (_rows(parameters.third, INNER), parameters.third_bias),
        ]
        self._last = (_rows(parameters.last, INNER), parameters.last_bias)

    def worth(self, rules: RuleSet, hand: Hand, bids: Sequence[int]) -> BidWorth:
        """
        Values the bids of a *hand* after the earlier *bids*; ``bids`` of the result has the expected points of each.

        The numbers are those of :class:`ddzbot.kernel.bid_net.KernelBidNet`, bit for bit.
        """
        sums: Sequence[int] = self._first_bias
        for feature in features(rules, hand, bids):
            sums = list(map(add, sums, self._first[feature]))
        units = [_bent(total) for total in sums]
        for rows, biases in self._layers:
            units = [_bent(total) for total in _sums(rows, biases, units)]
        return BidWorth(tuple(_bounded(total) for total in _sums(*self._last, units)))


def _rows(numbers: Sequence[int], width: int) -> List[Sequence[int]]:
    return [numbers[begin : begin + width] for begin in range(0, len(numbers), width)]


def _sums(rows: Sequence[Sequence[int]], biases: Sequence[int], units: Sequence[int]) -> List[int]:
    return [sum(map(mul, row, units)) // WEIGHT_ONE + bias for row, bias in zip(rows, biases)]


def _bounded(total: int) -> int:
    return max(-LARGEST, min(LARGEST, total))


def _bent(total: int) -> int:
    return _bounded(total if total >= 0 else total // BENT)


def build_network(kernel: "Optional[Kernel]", packed: Packed) -> "Union[BidReference, KernelBidNet]":
    """
    Makes a network that values bids, in the kernel if there is one.

    :raises ValueError: if the file is of another kind.
    """
    parameters = parameters_of(packed)
    if kernel is None:
        return BidReference(parameters)
    from ddzbot.kernel.bid_net import KernelBidNet

    return KernelBidNet(kernel, parameters)


LOADER = Loader(NAME, build_network)
