"""Reviews the bids of a recorded game, by the points that the champion's network for bids expects of each."""

from ddzbot.game import HIGHEST_BID, SEATS
from ddzbot.view import BidView

from ...records.record import GameRecord
from ..analyse.auction import points_of_bids
from .decisions import swing_of
from .model import Bid, Review, mark_of

LANDLORD = 0


def bid_reviews(record: GameRecord, number: int) -> list[Review]:
    """Reviews each bid of an auction that is over, by a hand that is known; none where nothing tells its points."""
    if record.landlord_position is None or not record.rules.bidding:
        return []
    reviews = []
    for position, bid in enumerate(record.bids):
        hand, heard = record.hands[position], [earlier for earlier in record.bids[:position] if earlier is not None]
        if bid is None or hand is None or len(heard) < position:
            continue
        if review := _review(record, number, BidView(record.rules, hand, tuple(heard)), bid):
            reviews.append(review)
    return reviews


def _review(record: GameRecord, number: int, view: BidView, made: int) -> Review | None:
    points = {bid: worth for bid, worth in enumerate(points_of_bids(view)) if worth is not None}
    if made not in view.legal_bids or len(points) <= HIGHEST_BID:
        return None
    best = max(view.legal_bids, key=lambda bid: (points[bid], bid == made))
    position = len(view.bids)
    seat = (position - (record.landlord_position or 0)) % SEATS
    loss = points[best] - points[made]
    mark = mark_of(loss / swing_of(record.rules, LANDLORD, HIGHEST_BID), 0.0, False)
    return Review(
        game=number,
        ply=position,
        phase="auction",
        seat=seat,
        name=record.names[position],
        made=Bid(made),
        best=Bid(best),
        loss=loss,
        error=None,
        points=True,
        win_loss=0.0,
        points_loss=loss,
        cost=loss,
        mark=mark,
        proved=False,
        why=("bid_too_high" if made > best else "bid_too_low") if mark else "",
    )
