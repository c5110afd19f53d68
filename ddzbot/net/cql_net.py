"""
The network of combinational Q-learning: architecture ``cql-366-256-128``, features ``cql-1``, inference without torch.

Two stages, as in the paper (You et al. 2019), with widths of our own. ReLU stands after every layer but the last ones:

* a situation becomes 128 numbers (366 -> 256 -> 128), and each move of the offered divisions too (79 -> 64 -> 128);
* a division is the largest of its moves' numbers, one by one, so that their order does not matter;
* the first stage values each division: situation and division, 256 -> 128 -> 64 -> 1;
* the second one values each move that the best division allows: situation, division and move, 384 -> 128 -> 64 -> 1.

A value is what the own side expects of the game: 1 a win, -1 a loss. Numpy computes it where there is one
(:mod:`ddzbot.net.cql_numpy`), else this module in plain Python.
"""

from operator import add, mul
from typing import TYPE_CHECKING, Dict, List, NamedTuple, Optional, Sequence, Union

from ddzbot.net.cql_divisions import Offer
from ddzbot.net.cql_features import MOVE_FEATURES, NAME, STATE_FEATURES, Facts, move_features, state_features
from ddzbot.net.loading import Loader
from ddzbot.net.packed import Packed, Shape

if TYPE_CHECKING:
    from ddzbot.kernel.binding import Kernel
    from ddzbot.net.cql_numpy import CqlNumpy

ARCHITECTURE = "cql-366-256-128"
WIDTH, UNITS, MOVE_UNITS, INNER, LAST = 256, 128, 64, 128, 64

_LAYERS = {
    "state1": (WIDTH, STATE_FEATURES),
    "state2": (UNITS, WIDTH),
    "group1": (MOVE_UNITS, MOVE_FEATURES),
    "group2": (UNITS, MOVE_UNITS),
    "division1": (INNER, 2 * UNITS),
    "division2": (LAST, INNER),
    "division3": (1, LAST),
    "move1": (INNER, 3 * UNITS),
    "move2": (LAST, INNER),
    "move3": (1, LAST),
}
SHAPES: Dict[str, Shape] = {
    name + part: shape if part == ".weight" else shape[:1]
    for name, shape in _LAYERS.items()
    for part in (".weight", ".bias")
}
"""The tensors, in torch's layout: (out, in)."""


class Judged(NamedTuple):
    """What the network thinks of an offer."""

    divisions: List[float]
    """The value of each division."""
    division: int
    """The best one."""
    choices: List[int]
    """The places of the moves that it allows."""
    moves: List[float]
    """The value of each of these."""

    @property
    def best(self) -> int:
        """The place of the best move."""
        return self.choices[self.moves.index(max(self.moves))]


class CqlTwin:
    """
    The network in plain Python. For example ``CqlTwin(packed).judge(facts, offer).best``.

    :raises WeightsError: for the weights of another network.
    """

    name = "Python"

    def __init__(self, packed: Packed) -> None:
        packed.expect(ARCHITECTURE, SHAPES)
        floats = {name: list(tensor.floats()) for name, tensor in packed.tensors.items()}
        self._rows = {
            name: [floats[name + ".weight"][at : at + width] for at in range(0, width * outputs, width)]
            for name, (outputs, width) in _LAYERS.items()
        }
        # The first layers add up columns, since most features are 0.
        self._columns = {name: list(zip(*self._rows[name])) for name in ("state1", "group1")}
        self._biases = {name: floats[name + ".bias"] for name in _LAYERS}

    def judge(self, facts: Facts, offer: Offer) -> Judged:
        """Values the divisions of an offer, and the moves of the best one."""
        state = self._layer("state2", self._first("state1", state_features(facts)))
        groups = [self._layer("group2", self._first("group1", move_features(move))) for move in offer.moves]
        pooled = [list(map(max, *(groups[place] for place in (own * 2)))) for own in offer.divisions]
        divisions = [self._value("division", state + pool) for pool in pooled]
        best = divisions.index(max(divisions))
        choices = offer.choices(best)
        moves = [self._value("move", state + pooled[best] + groups[place]) for place in choices]
        return Judged(divisions, best, choices, moves)

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


def made(kernel: "Optional[Kernel]", packed: Packed) -> "Union[CqlTwin, CqlNumpy]":
    """
    Makes the network, in numpy if there is one; the kernel has no part in it.

    :raises WeightsError: for the weights of another network.
    """
    from ddzbot.net.cql_numpy import CqlNumpy

    try:
        return CqlNumpy(packed)
    except ImportError:
        return CqlTwin(packed)


_LOADER = Loader(NAME, made)
reigning_cql_net, cql_net_of_file, forget = _LOADER.reigning, _LOADER.of_file, _LOADER.forget
