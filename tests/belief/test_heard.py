"""The ways in which the auction may have gone, as each seat can know."""

import itertools

import pytest

from ddzbot.belief.heard import HeardBid, ways_heard
from ddzbot.game import SEATS, auction, shuffled, start
from ddzbot.rules import BOTZONE, BOTZONE2, ICGA, RuleSet
from ddzbot.view import View
from tests.auctions import endings


def view_of(bids: tuple[int, ...], seat: int, rules: RuleSet = BOTZONE2) -> View:
    result = auction(bids)
    assert result is not None
    return View.of(start(shuffled(rules, "ways"), bids, result[0]), seat)


def test_who_passed_first_knows_two_ways_of_a_two() -> None:
    assert ways_heard(view_of((0, 1, 2), 1)) == [
        {2: HeardBid((0,), 0), 0: HeardBid((0, 0), 2)},
        {2: HeardBid((0,), 1), 0: HeardBid((0, 1), 2)},
    ]


@pytest.mark.parametrize("bids", list(endings()), ids=str)
def test_what_was_bid_is_one_of_the_ways_and_all_end_alike(bids: tuple[int, ...]) -> None:
    landlord = auction(bids)[0]  # type: ignore[index]
    for seat, rules in itertools.product(range(SEATS), (BOTZONE2, ICGA)):
        ways = ways_heard(view_of(bids, seat, rules))
        real = {
            (position - landlord) % SEATS: HeardBid(bids[:position], bid)
            for position, bid in enumerate(bids)
            if (position - landlord) % SEATS != seat
        }
        assert real in ways
        assert len(ways) == 1 or rules is BOTZONE2
        assert len(ways) <= 3
        assert all(seat not in way for way in ways)


def test_without_an_auction_there_is_nothing_to_hear() -> None:
    assert ways_heard(View.of(start(shuffled(BOTZONE, "ways")), 0)) == []
