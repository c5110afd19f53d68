"""
Bidding before the bottom is known: by the points that a network expects, by DeepRocket's yes or no, or by a count
of the hand.

The count is what wins tricks, less the moves that it takes. docs/design/auction.md says where the network comes from.
"""

from typing import TYPE_CHECKING, Union

from ddzbot.cards import ACE, BIG_JOKER, LITTLE_JOKER, TWO, Hand, count, counts
from ddzbot.rules import RuleSet
from ddzbot.split import fewest_moves
from ddzbot.view import BidView

if TYPE_CHECKING:
    from ddzbot.kernel.bid_net import KernelBidNet
    from ddzbot.net.bid_net import BidReference
    from ddzbot.net.rocket_bidder import Bidder

# Each hand of the 3,000 deals train/bid/0 to train/bid/2999 was made landlord (botzone2) in a game of three rule
# players. Games won by points, in per cent: -6 or less 19, -5 24, -4 30, -3 39, -2 41, -1 44, 0 48, 1 57, 2 59, 3 65,
# 4 70, 5 76, 6 or more 79; over all hands 46. From 0 points on the landlord breaks even. Below that a low bid still
# costs less than a peasant's share of what a stronger hand would win.
THRESHOLDS = (-2, -1, 0)
"""The points that a hand needs for a bid of 1, 2 and 3."""


def hand_points(rules: RuleSet, hand: Hand) -> int:
    """
    Counts 5 for the big joker, 3 for the little one, 2 for each 2, 1 for each ace and each bomb, -1 for each move.

    The moves are the fewest that empty the hand. For example, ``34556789TJQKA22LB`` counts 5 + 3 + 4 + 1 for its
    cards, and needs 4 moves: 34556789TJQKA is a chain and a 5, and the pair and the rocket are two more. Together 9.
    The weights are those of a logistic regression on the games named above, rounded.
    """
    points = 5 * count(hand, BIG_JOKER) + 3 * count(hand, LITTLE_JOKER) + 2 * count(hand, TWO) + count(hand, ACE)
    return points + counts(hand).count(4) - fewest_moves(rules, hand)


def bid_by_hand(view: BidView) -> int:
    """Chooses the highest bid that the hand is worth if that is above the earlier bids, otherwise 0."""
    points = hand_points(view.rules, view.hand)
    worth = sum(points >= needed for needed in THRESHOLDS)
    return worth if worth in view.legal_bids else 0


EQUAL_POINTS = 102
"""Bids are equal whose values differ by no more than this, in 1024ths of a point: the network knows them no better."""


def bid_by_points(view: BidView, net: "Union[BidReference, KernelBidNet]") -> int:
    """
    Chooses the legal bid of which *net* expects the most points, and of equal ones the lowest.

    For example, with a hand that expects 0.4 points of bidding 1, and 0.6 of leaving the landlord to others, it bids 0.
    """
    heads = net.worth(view.rules, view.hand, view.bids).heads
    most = max(heads[bid] for bid in view.legal_bids)
    return next(bid for bid in view.legal_bids if heads[bid] >= most - EQUAL_POINTS)


YES_LOGITS = (-1.0, -0.7, -0.4)
"""
The logits of winning that DeepRocket's bidder needs for a bid of 1, 2 and 3: chances of 27, 33 and 40 %.

A hand that does not bid loses too, as a peasant against the stronger hand that does. So less than a half is enough;
docs/lab/learners.md has what other thresholds are paid.
"""


def bid_by_answer(view: BidView, bidder: "Bidder") -> int:
    """Chooses the highest bid that the hand is worth by *bidder* if that is above the earlier bids, otherwise 0."""
    logit = bidder.logit(view.rules, view.hand)
    worth = sum(logit >= needed for needed in YES_LOGITS)
    return worth if worth in view.legal_bids else 0
