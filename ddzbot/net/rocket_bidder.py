"""
The bidder of DeepRocket: does a hand of 17 cards win as the landlord, yes or no?

It is shown the cards and the fewest moves that empty the hand, and answers with the logit of winning: 73 inputs, 32
hidden units with ReLU, one output. Plain Python with floats in a fixed order: the same on every machine.
"""

from typing import Dict, List, Mapping, Sequence

from ddzbot.cards import BIG_JOKER, Hand, counts
from ddzbot.net.packed import Shape, Tensor
from ddzbot.rules import RuleSet
from ddzbot.split import fewest_moves

_CARDS = 4 * BIG_JOKER + 1
_MOST_FEWEST = 15
BIDDER_INPUTS = _CARDS + _MOST_FEWEST + 1
"""The k-th card of each rank, and the fewest moves, 15 at most."""
BIDDER_HIDDEN = 32

BIDDER_SHAPES: Dict[str, Shape] = {
    "bidder.full1.weight": (BIDDER_HIDDEN, BIDDER_INPUTS),
    "bidder.full1.bias": (BIDDER_HIDDEN,),
    "bidder.full2.weight": (1, BIDDER_HIDDEN),
    "bidder.full2.bias": (1,),
}


def bidder_inputs(rules: RuleSet, hand: Hand) -> List[int]:
    """Lists the inputs that are 1 for a *hand*, in ascending order; all others are 0."""
    cards = [4 * rank + copy for rank, copies in enumerate(counts(hand)) for copy in range(copies)]
    return [*cards, _CARDS + min(fewest_moves(rules, hand), _MOST_FEWEST)]


class Bidder:
    """The bidder out of the tensors of a file. For example ``Bidder(packed.tensors).logit(rules, hand)``."""

    def __init__(self, tensors: Mapping[str, Tensor]) -> None:
        first, bias, last, last_bias = (list(tensors[name].floats()) for name in BIDDER_SHAPES)
        self._columns = [first[place::BIDDER_INPUTS] for place in range(BIDDER_INPUTS)]
        self._bias: Sequence[float] = bias
        self._last: Sequence[float] = last
        self._last_bias = last_bias[0]

    def logit(self, rules: RuleSet, hand: Hand) -> float:
        """Gets the logit of winning as the landlord with *hand*, before anybody has seen the bottom."""
        units = list(self._bias)
        for place in bidder_inputs(rules, hand):
            units = [unit + weight for unit, weight in zip(units, self._columns[place])]
        total = self._last_bias
        for unit, weight in zip(units, self._last):
            if unit > 0:
                total += unit * weight
        return total
