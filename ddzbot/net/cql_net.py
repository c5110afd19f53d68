"""The network of CQL, features ``cql-1``: numpy computes it where there is one, else plain Python."""

from operator import add, mul
from typing import TYPE_CHECKING, List, Optional, Sequence, Union

from ddzbot.net.cql_divisions import Offer
from ddzbot.net.cql_features import NAME, Facts, move_features, state_features
from ddzbot.net.cql_layers import ARCHITECTURE, LAYERS, SHAPES, Judgement
from ddzbot.net.loading import Loader
from ddzbot.net.packed import Packed

if TYPE_CHECKING:
    from ddzbot.kernel.binding import Kernel
    from ddzbot.net.cql_numpy import CqlNumpy


class CqlReference:
    """
    The network in plain Python. For example ``CqlReference(packed).judge(facts, offer).best``.

    :raises WeightsError: for the weights of another network.
    """

    name = "Python"

    def __init__(self, packed: Packed) -> None:
        packed.expect(ARCHITECTURE, SHAPES)
        floats = {layer: list(tensor.floats()) for layer, tensor in packed.tensors.items()}
        self._rows = {
            layer: [floats[layer + ".weight"][begin : begin + width] for begin in range(0, width * outputs, width)]
            for layer, (outputs, width) in LAYERS.items()
        }
        # The first layers add up columns, since most features are 0.
        self._columns = {layer: list(zip(*self._rows[layer])) for layer in ("state1", "group1")}
        self._biases = {layer: floats[layer + ".bias"] for layer in LAYERS}

    def judge(self, facts: Facts, offer: Offer) -> Judgement:
        """Values the divisions of an offer, and the moves of the best one."""
        state = self._layer("state2", self._first("state1", state_features(facts)))
        groups = [self._layer("group2", self._first("group1", move_features(move))) for move in offer.moves]
        pooled = [list(map(max, *(groups[index] for index in (own * 2)))) for own in offer.divisions]
        divisions = [self._value("division", state + pool) for pool in pooled]
        best = divisions.index(max(divisions))
        choices = offer.choices(best)
        moves = [self._value("move", state + pooled[best] + groups[index]) for index in choices]
        return Judgement(divisions, best, choices, moves)

    def _first(self, name: str, features: Sequence[int]) -> List[float]:
        sums: Sequence[float] = self._biases[name]
        for feature in features:
            sums = list(map(add, sums, self._columns[name][feature]))
        return [max(0.0, total) for total in sums]

    def _sums(self, name: str, units: Sequence[float]) -> List[float]:
        return [sum(map(mul, row, units)) + bias for row, bias in zip(self._rows[name], self._biases[name])]

    def _layer(self, name: str, units: Sequence[float]) -> List[float]:
        return [max(0.0, total) for total in self._sums(name, units)]

    def _value(self, stage: str, units: Sequence[float]) -> float:
        return self._sums(stage + "3", self._layer(stage + "2", self._layer(stage + "1", units)))[0]


def build_network(kernel: "Optional[Kernel]", packed: Packed) -> "Union[CqlReference, CqlNumpy]":
    """
    Makes the network, in numpy if there is one; the kernel has no part in it.

    :raises WeightsError: for the weights of another network.
    """
    from ddzbot.net.cql_numpy import CqlNumpy

    try:
        return CqlNumpy(packed)
    except ImportError:
        return CqlReference(packed)


LOADER = Loader(NAME, build_network)
