"""How much a hand is worth before the bottom is known: a plain count of what wins tricks."""

from ddzbot.cards import BIG_JOKER, LITTLE_JOKER, TWO, Hand, count
from ddzbot.view import BidView

# Points a hand needs for a bid of 1, 2 and 3.
_THRESHOLDS = (4, 5, 7)


def hand_points(hand: Hand) -> int:
    """
    Counts what wins tricks: 4 for the big joker, 3 for the little one, 2 for each 2, 1 for each ace, 4 for a bomb.

    For example, ``34556789TJQKA22LB`` counts 1 + 4 + 3 + 4 = 12. An average hand of 17 cards counts about 6.
    """
    points = 4 * count(hand, BIG_JOKER) + 3 * count(hand, LITTLE_JOKER)
    points += 2 * count(hand, TWO) + count(hand, TWO - 1)
    return points + 4 * sum(count(hand, rank) == 4 for rank in range(TWO + 1))


def bid_by_hand(view: BidView) -> int:
    """Chooses the highest bid that the hand is worth if that is above the earlier bids, otherwise 0."""
    worth = sum(hand_points(view.hand) >= needed for needed in _THRESHOLDS)
    return worth if worth in view.legal_bids else 0
