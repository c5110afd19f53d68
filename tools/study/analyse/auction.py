"""
The auction: what each legal bid is worth.

The other cards are dealt at random, the others bid as the champion does, and the landlord of that auction takes the
bottom and searches a little: the win rate of the search is that of the landlord's side. Deals in which an earlier
bidder would have bid something else are dealt again, as far as that is possible.

All bids are judged by the same deals. Their points are what the champion's network for bids expects: it learned from
games with all their bombs and springs. If there is none, or it learned other payments, there are no points.
"""

import random
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from ddzbot.bidding import bid_by_hand, hand_points
from ddzbot.cards import RANK_COUNT, UNIT, Hand, count
from ddzbot.game import HIGHEST_BID, SEATS, Deal, auction, start
from ddzbot.kernel import native
from ddzbot.kernel.bid_records import BidWorth as NetWorth
from ddzbot.kernel.binding import Kernel
from ddzbot.net import bid_net
from ddzbot.players.base import CannotPlay
from ddzbot.players.champion import ChampionPlayer
from ddzbot.players.mctshs import SETTINGS, USUAL_PLAYOUTS
from ddzbot.search.deadline import Deadline
from ddzbot.search.limit import Limit
from ddzbot.search.slices import SearchResult
from ddzbot.search.tree import TreeSearch
from ddzbot.view import BidView, View

from ...shared.message import Message
from .model import BidAnalysis, BidWorth

PLAYOUTS = 200
"""Playouts of each landlord's search."""
MOST_TRIES = 50
"""Hands that are tried for one with which an earlier bidder bids what was bid."""
NODES = 4000
"""Moves that such a search's tree has room for."""


class BidOutcome(NamedTuple):
    """What a bid leads to in one deal."""

    win: float
    """The probability that the bidder's side wins."""
    landlord: bool
    """Whether the bidder becomes the landlord."""


def analyse_bid(view: BidView, limit: Limit, *, seed: int = 0) -> BidAnalysis:
    """
    Estimates every legal bid within *limit*; at most four searches of 200 playouts go into a deal.

    Without the kernel there are no estimates, only the recommended bid, which is :func:`usual_bid`.
    """
    deadline = Deadline(limit)
    kernel = native()
    bids = view.legal_bids
    outcomes: list[list[BidOutcome]] = []
    points = points_of_bids(view)
    if kernel is not None:
        playouts = USUAL_PLAYOUTS if deadline.is_endless else limit.playouts
        most = None if playouts is None else max(1, playouts // (PLAYOUTS * SEATS))
        chance = random.Random(f"bid/{seed}/{view.hand}/{view.bids}")
        while most is None or len(outcomes) < most:
            if outcomes and deadline.is_over():
                break
            outcomes.append(_outcomes(kernel, view, _deal(view, chance), chance.getrandbits(64)))
    return BidAnalysis(
        bid=usual_bid(view),
        bids=tuple(_worth(bid, [row[index] for row in outcomes], points[bid]) for index, bid in enumerate(bids)),
        points=hand_points(view.rules, view.hand),
        deals=len(outcomes),
        seconds=deadline.elapsed(),
        notes={"method": Message("searched deals")}
        if outcomes
        else {"method": Message("recommended bid only"), "kernel": "no kernel"},
    )


def usual_bid(view: BidView) -> int:
    """Gets the bid that the champion makes; by the count of the hand where it has no network for bids."""
    try:
        return ChampionPlayer().bid(view)
    except CannotPlay:
        return bid_by_hand(view)


def points_of_bids(view: BidView) -> Sequence[float | None]:
    """Gets the points that the champion's network expects of the bids 0 to 3; None if they are unknown."""
    loaded = bid_net.LOADER.load(native(), view.rules.name)
    if not loaded.pays_as(view.rules):
        return [None] * (HIGHEST_BID + 1)
    worth: NetWorth = loaded.net.worth(view.rules, view.hand, view.bids)
    return worth.bids


def _worth(bid: int, outcomes: list[BidOutcome], points: float | None) -> BidWorth:
    if not outcomes:
        return BidWorth(bid, None, None, None)
    wins, landlords = ([column[index] for column in outcomes] for index in range(2))
    return BidWorth(bid, sum(wins) / len(wins), points, sum(landlords) / len(landlords))


def _deal(view: BidView, chance: random.Random) -> Deal:
    """Deals the other cards; each earlier bidder again until its hand fits its bid, or it was tried often enough."""
    unseen = view.rules.deck - view.hand
    left = [UNIT[rank] for rank in range(RANK_COUNT) for _ in range(count(unseen, rank))]
    hands: list[Hand] = []
    for position in range(SEATS):
        if position == len(view.bids):
            hands.append(view.hand)
            continue
        for _ in range(MOST_TRIES):
            chance.shuffle(left)
            hand = sum(left[: view.rules.dealt])
            if position > len(view.bids) or _fits(view, hand, position):
                break
        hands.append(hand)
        left = left[view.rules.dealt :]
    return Deal(view.rules, (hands[0], hands[1], hands[2]), sum(left))


def _fits(view: BidView, hand: Hand, position: int) -> bool:
    """Checks if an earlier bidder with that *hand* bids what was bid: as the champion does, or by the count of it."""
    heard = BidView(view.rules, hand, view.bids[:position])
    return view.bids[position] in (usual_bid(heard), bid_by_hand(heard))


def _outcomes(kernel: Kernel, view: BidView, deal: Deal, seed: int) -> list[BidOutcome]:
    """Gets what each legal bid leads to in *deal*."""

    @cache
    def landlord_wins(position: int) -> float:
        return _landlord_wins(kernel, deal, position, seed)

    outcomes = []
    for bid in view.legal_bids:
        bids = (*view.bids, bid)
        while (result := auction(bids)) is None:
            bids = (*bids, usual_bid(BidView(deal.rules, deal.hands[len(bids)], bids)))
        outcomes.append(_outcome(view, result[0], landlord_wins(result[0])))
    return outcomes


def _landlord_wins(kernel: Kernel, deal: Deal, position: int, seed: int) -> float:
    """Gets the share of games that the landlord at *position* wins in a short search that does not see the others."""
    view = View.of(start(deal, (), position), 0)
    options = SETTINGS["default"].options._replace(root_margin=0)
    return share_won(TreeSearch(kernel, view, options, seed, nodes=NODES).run(Deadline(Limit(playouts=PLAYOUTS))))


def share_won(result: SearchResult) -> float:
    """Gets the share of all playouts that were won: the best move's own share is that of a lucky one."""
    return sum(move.wins for move in result.moves) / sum(move.visits for move in result.moves)


def _outcome(view: BidView, landlord: int, landlord_wins: float) -> BidOutcome:
    seat = (len(view.bids) - landlord) % SEATS
    return BidOutcome(landlord_wins if seat == 0 else 1 - landlord_wins, seat == 0)
