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


def test_the_example_counts_nine_points() -> None:
    assert points(STRONG) == 9


@pytest.mark.parametrize(("card", "worth"), [("B", 5), ("L", 3), ("2", 2), ("A", 1)])
def test_a_high_card_counts_its_points_less_one_for_its_move(card: str, worth: int) -> None:
    assert points("3579" + card) - points("3579") == worth - 1


def test_a_bomb_counts_one_point() -> None:
    assert (points("4444"), points("444")) == (0, -1)


def test_fewer_moves_count_more() -> None:
    assert points("34567") == points("34568") + 4


def test_a_strong_hand_bids_three() -> None:
    assert bid(STRONG) == 3


def test_a_weak_hand_does_not_bid() -> None:
    assert bid(WEAK) == 0


@pytest.mark.parametrize(("bids", "expected"), [((), 2), ((1,), 2), ((0, 1), 2), ((2,), 0)])
def test_a_middling_hand_bids_two_unless_somebody_did(bids: tuple[int, ...], expected: int) -> None:
    assert bid(MIDDLING, bids) == expected


def test_every_bid_is_legal() -> None:
    for number in range(30):
        hands = shuffled(BOTZONE2, f"test/bidding/{number}").hands
        for bids in [(), (1,), (2,), (0, 2), (1, 2)]:
            assert is_legal_bid(bids, bid_by_hand(BidView(BOTZONE2, hands[len(bids)], bids)))
