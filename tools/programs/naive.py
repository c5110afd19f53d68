"""
The players ``dqn`` and ``a3c``: naive networks with one number for each move of a list, and the best legal one is made.

docs/lab/learners.md explains both, and the lists. What they are shown are the situations of the features ``cql-1``;
the features of their files are named ``dqn-1`` and ``a3c-1``, since a file is found by its features.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ddzbot.cards import Hand
from ddzbot.kernel import native
from ddzbot.net.cql_features import STATE_FEATURES, Facts, facts_of, state_features
from ddzbot.net.loading import Loader
from ddzbot.net.packed import Packed, Shape
from ddzbot.players.base import MOST_DEBUG_MOVES, CannotPlay, Decision, Player
from ddzbot.players.options import read_options
from ddzbot.rules import Move
from ddzbot.search.limit import Limit
from ddzbot.view import View

from .move_lists import BODIES, WHOLE, choices_among, listed_among

WIDTH, INNER = 256, 128


class MoveList(NamedTuple):
    """A fixed list of moves, for each of which a network has a number."""

    size: int
    offered: Callable[[Hand, Sequence[Move]], dict[int, Move]]
    """Gets what a hand and its legal moves make of the list, by places."""

    @property
    def architecture(self) -> str:
        """Names the network: ReLU after the hidden layers; the last one has the numbers."""
        return f"naive-{STATE_FEATURES}-{WIDTH}-{INNER}-{self.size}"


ABSTRACT_MOVES, WHOLE_MOVES = LISTS = MoveList(len(BODIES), choices_among), MoveList(WHOLE, listed_among)


def shapes(outputs: int) -> dict[str, Shape]:
    """Gets the tensors of a network, in torch's layout: (out, in)."""
    layers = {"hidden1": (WIDTH, STATE_FEATURES), "hidden2": (INNER, WIDTH), "moves": (outputs, INNER)}
    return {
        layer + part: shape if part == ".weight" else shape[:1]
        for layer, shape in layers.items()
        for part in (".weight", ".bias")
    }


class NaiveNet:
    """
    The network in numpy, float32.

    :raises WeightsError: for the weights of another network.
    """

    def __init__(self, packed: Packed) -> None:
        fitting = [move_list for move_list in LISTS if move_list.architecture == packed.architecture]
        self.moves = fitting[0] if fitting else ABSTRACT_MOVES
        packed.expect(self.moves.architecture, shapes(self.moves.size))
        self._layers = [
            tuple(
                np.frombuffer(packed.tensors[layer + part].floats(), np.float32).reshape(
                    packed.tensors[layer + part].shape
                )
                for part in (".weight", ".bias")
            )
            for layer in ("hidden1", "hidden2", "moves")
        ]

    def numbers(self, facts: Facts, places: Sequence[int]) -> NDArray[np.float32]:
        """Gets the numbers of the moves at some places."""
        (hidden1, bias1), (hidden2, bias2), (output, bias3) = self._layers
        units = np.maximum(hidden1[:, state_features(facts)].sum(1) + bias1, 0)
        units = np.maximum(hidden2 @ units + bias2, 0)
        numbers: NDArray[np.float32] = output[places] @ units + bias3[places]
        return numbers


def build_network(_kernel: object, packed: Packed) -> NaiveNet:
    """Makes a network; the kernel has no part in it."""
    return NaiveNet(packed)


class NaiveOptions(NamedTuple):
    """The options of the naive players."""

    weights: str | None = None
    """A file to play with instead of the current network."""


class NaivePlayer(Player):
    """Makes the legal move that its network gives the largest number; the seed changes nothing."""

    options_type: type[Any] | None = NaiveOptions
    loader: Loader

    def __init__(self, seed: int = 0, **options: Any) -> None:
        super().__init__(seed)
        self.options: NaiveOptions = read_options(self.name, NaiveOptions, options)

    def choose(self, view: View, limit: Limit) -> Decision:
        """Chooses a move, in well under a millisecond; ``debug`` has the file and the best moves with their numbers."""
        kernel = native()
        loaded = self.loader.load(kernel, view.rules.name, self.options.weights)
        if loaded.net is None:
            raise CannotPlay(loaded.description)
        legal = view.legal_moves() if kernel is None else kernel.legal_moves(view.rules, view.hand, view.to_beat)
        offered = loaded.net.moves.offered(view.hand, legal)
        numbers = dict(zip(offered, loaded.net.numbers(facts_of(view), list(offered)).tolist(), strict=True))
        ranked = sorted(offered, key=lambda place: (-numbers[place], place))
        values = {str(offered[index]): [round(numbers[index], 3)] for index in ranked[:MOST_DEBUG_MOVES]}
        return Decision(offered[ranked[0]], {"weights": loaded.description, "moves": values})


class DqnPlayer(NaivePlayer):
    """Naive DQN: the numbers are values, from 1 for a win to -1 for a loss."""

    name = "dqn"
    features = "dqn-1"
    loader = Loader(features, build_network)


class A3cPlayer(NaivePlayer):
    """A3C: the numbers are logits of its policy, of which the most likely move is made."""

    name = "a3c"
    features = "a3c-1"
    loader = Loader(features, build_network)
