"""
The bidder of DeepRocket, features ``yesno-1``: does a hand of 17 cards win as the landlord, yes or no?

It is shown the cards and the fewest moves that empty the hand, and answers with the logit of winning: 73 inputs, 32
hidden units with ReLU, one output. Plain Python with floats in a fixed order: the same on every machine. It has a file
of its own, so that other players can bid by it without the networks that play.
"""

from typing import TYPE_CHECKING, Dict, List, Optional, Sequence

from ddzbot.cards import BIG_JOKER, Hand, counts
from ddzbot.net.loading import Loader
from ddzbot.net.packed import Packed, Shape
from ddzbot.rules import RuleSet
from ddzbot.split import fewest_moves

if TYPE_CHECKING:
    from ddzbot.kernel.binding import Kernel

NAME = "yesno-1"
"""The version of the features, as weights files name it."""
ARCHITECTURE = "yesno-73-32-1"
_CARDS = 4 * BIG_JOKER + 1
_MOST_FEWEST = 15
INPUTS = _CARDS + _MOST_FEWEST + 1
"""The k-th card of each rank, and the fewest moves, 15 at most."""
HIDDEN = 32

SHAPES: Dict[str, Shape] = {
    "full1.weight": (HIDDEN, INPUTS),
    "full1.bias": (HIDDEN,),
    "full2.weight": (1, HIDDEN),
    "full2.bias": (1,),
}
"""The tensors of a file, in torch's layout: (out, in)."""


def inputs_of(rules: RuleSet, hand: Hand) -> List[int]:
    """Lists the inputs that are 1 for a *hand*, in ascending order; all others are 0."""
    cards = [4 * rank + copy for rank, copies in enumerate(counts(hand)) for copy in range(copies)]
    return [*cards, _CARDS + min(fewest_moves(rules, hand), _MOST_FEWEST)]


class Bidder:
    """
    The bidder of a file. For example ``Bidder(packed).logit(rules, hand)``.

    :raises WeightsError: for weights of another network.
    """

    def __init__(self, packed: Packed) -> None:
        packed.expect(ARCHITECTURE, SHAPES)
        hidden, bias, output, output_bias = (list(packed.tensors[tensor].floats()) for tensor in SHAPES)
        self._columns = [hidden[column::INPUTS] for column in range(INPUTS)]
        self._bias: Sequence[float] = bias
        self._last: Sequence[float] = output
        self._last_bias = output_bias[0]

    def logit(self, rules: RuleSet, hand: Hand) -> float:
        """Gets the logit of winning as the landlord with *hand*, before the bottom is shown."""
        units = list(self._bias)
        for column in inputs_of(rules, hand):
            units = [unit + weight for unit, weight in zip(units, self._columns[column])]
        total = self._last_bias
        for unit, weight in zip(units, self._last):
            if unit > 0:
                total += unit * weight
        return total


def build_network(_: "Optional[Kernel]", packed: Packed) -> Bidder:
    """
    Makes the bidder of a file.

    :raises WeightsError: if the file is of another kind.
    """
    return Bidder(packed)


LOADER = Loader(NAME, build_network)
