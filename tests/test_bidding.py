"""The hand count and the bids that follow from it."""

import pytest

from ddzbot.bidding import bid_by_hand, hand_points
from ddzbot.cards import parse_hand
from ddzbot.game import is_legal_bid, shuffled
from ddzbot.rules import BOTZONE2
from ddzbot.view import BidView

STRONG = "34556789TJQKA22LB"
MIDDLING = "34556678899JQK22B"
WEAK = "3345568899TJJKKA2"


def bid(hand: str, bids: tuple[int, ...] = ()) -> int:
    return bid_by_hand(BidView(BOTZONE2, parse_hand(hand), bids))


def points(hand: str) -> int:
    return hand_points(BOTZONE2, parse_hand(hand))


def test_points_are_high_cards_and_bombs_less_moves() -> None:
    assert points(STRONG) == 9
    assert {card: points("3579" + card) - points("3579") + 1 for card in "BL2A"} == {"B": 5, "L": 3, "2": 2, "A": 1}
    assert (points("4444"), points("444")) == (0, -1)
    assert points("34567") == points("34568") + 4


@pytest.mark.parametrize(
    ("hand", "bids", "expected"),
    [
        (STRONG, (), 3),
        (WEAK, (), 0),
        (MIDDLING, (), 2),
        (MIDDLING, (1,), 2),
        (MIDDLING, (0, 1), 2),
        (MIDDLING, (2,), 0),
    ],
)
def test_a_hand_bids_by_its_points_unless_another_player_did(hand: str, bids: tuple[int, ...], expected: int) -> None:
    assert bid(hand, bids) == expected


def test_every_bid_is_legal() -> None:
    for number in range(30):
        hands = shuffled(BOTZONE2, f"test/bidding/{number}").hands
        for bids in [(), (1,), (2,), (0, 2), (1, 2)]:
            assert is_legal_bid(bids, bid_by_hand(BidView(BOTZONE2, hands[len(bids)], bids)))
