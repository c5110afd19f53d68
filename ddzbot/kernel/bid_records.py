"""Inputs and outputs of the network that values bids, as src/include/ddz_auction.h has them; without ctypes."""

from typing import Any, NamedTuple, Sequence, Tuple

from ddzbot.cards import BIG_JOKER

NODES: Tuple[Tuple[int, ...], ...] = ((), (0,), (1,), (2,), (0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0))
"""The earlier bids that a bidder may have heard."""

CARDS = 4 * BIG_JOKER + 1
"""The features of the cards: ``4 * rank + k - 1`` for the k-th of a rank."""
MOST_FEWEST = 15
"""More moves count as so many."""
FEATURES = CARDS + len(NODES) + MOST_FEWEST + 1
"""Those of the cards, of what was heard, and of the fewest moves that empty the hand."""
HIDDEN, INNER = 128, 32
ONE = 1024
"""The integer for 1.0 in units, outputs, biases and the weights of the first layer."""
WEIGHT_ONE = 2048
"""The integer for 1.0 in the weights of the other layers."""
BENT = 8
"""A unit below 0 is divided by this, rounded down."""
LARGEST = 1 << 24
"""Units and answers stop here, whatever the parameters are."""

BIDS = 4
"""Heads 0 to 3: the expected points of bidding that much, the later bidders bidding by this network too."""
LANDLORD, DOWN, UP = 4, 7, 8
"""Heads 4 to 6: the points for each of the stake as the landlord at stake 1 to 3; 7, 8: those of the peasants."""
WINS = 9
"""Heads 9 to 13: the logits of winning in the same five roles."""
HEADS = 14


class BidWorth(NamedTuple):
    """The expected points of a hand for a bidder, before the bottom is shown."""

    heads: Tuple[int, ...]
    """:data:`HEADS` integers of the network: expected points and logits, both times 1024."""

    @property
    def bids(self) -> Tuple[float, ...]:
        """The expected points of bidding 0, 1, 2 and 3 for the bidder; the number of an illegal bid means nothing."""
        return tuple(head / ONE for head in self.heads[:BIDS])


class BidParameters(NamedTuple):
    """The tensors of a file, row by row; weights are arrays of 16 bits, biases of 32."""

    first: Any
    first_bias: Any
    second: Any
    second_bias: Any
    third: Any
    third_bias: Any
    last: Any
    last_bias: Any


def node_of(bids: Sequence[int]) -> int:
    """
    Gets the number of what was heard, an index into :data:`NODES`.

    :raises ValueError: for bids that have ended the auction.
    """
    return NODES.index(tuple(bids))
