"""What a seat heard of the auction: the ways in which the hidden seats may have bid."""

from typing import Dict, Iterator, List, NamedTuple, Tuple

from ddzbot.game import HIGHEST_BID, SEATS, auction, is_legal_bid
from ddzbot.view import View


class HeardBid(NamedTuple):
    """A bid of a hidden seat."""

    earlier: Tuple[int, ...]
    """What that seat had heard when it bid."""
    bid: int


Way = Dict[int, HeardBid]
"""Type alias: one way in which the auction may have gone, by hidden seat; seats that were not asked are not in it."""


def ways_heard(view: View) -> List[Way]:
    """
    Lists the ways in which the auction may have gone, as far as *view* tells; none where there was no auction.

    For example, who passed first and sees position 2 play at 2 knows that position 1 bid 0 or 1: two ways.
    """
    if not view.rules.bidding:
        return []
    found = []
    for bids in _auctions(()):
        if auction(bids) == (view.landlord_position, view.stake) and _fits(bids, view):
            found.append(_way(bids, view))
    return found


def _auctions(heard: Tuple[int, ...]) -> Iterator[Tuple[int, ...]]:
    if auction(heard) is not None:
        yield heard
        return
    for bid in range(HIGHEST_BID + 1):
        if is_legal_bid(heard, bid):
            yield from _auctions((*heard, bid))


def _fits(bids: Tuple[int, ...], view: View) -> bool:
    return all(known in (None, bid) for known, bid in zip(view.bids, bids))


def _way(bids: Tuple[int, ...], view: View) -> Way:
    seats = [(position - view.landlord_position) % SEATS for position in range(len(bids))]
    return {
        seat: HeardBid(bids[:position], bid)
        for position, (seat, bid) in enumerate(zip(seats, bids))
        if seat != view.seat
    }
