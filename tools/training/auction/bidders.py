"""Bidders over played deals: strategies of the tree, and what two of them are paid in all seatings of a set."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ddzbot.bidding import THRESHOLDS
from ddzbot.cards import ACE, BIG_JOKER, LITTLE_JOKER, RANK_COUNT, TWO
from ddzbot.game import SEATS
from ddzbot.kernel.bid_net import KernelBidNet
from ddzbot.kernel.bid_records import HEADS, NODES, ONE
from ddzbot.rules import RuleSet

from ...match.plan import WITH_BIDDING
from .deals import Deals
from .network import fewest_of
from .tree import BIDS, LEGAL, POSITIONS, best, play_auctions

Bidder = Callable[[Deals], Tensor]
"""Type alias: makes the strategy [deals][nodes][bids] of some deals."""


class Duel(NamedTuple):
    """What one bidder is paid more than another a seat, over duplicate sets of six seatings."""

    points: float
    error: float
    """The standard error over sets."""
    sets: int

    def __str__(self) -> str:
        low, high = self.points - 1.96 * self.error, self.points + 1.96 * self.error
        return f"{self.points:+.3f} ({low:+.3f} to {high:+.3f}; {self.sets:,} sets)"


def heads_of(net: KernelBidNet, rules: RuleSet, deals: Deals) -> NDArray[np.int32]:
    """Values every hand at every node where it may bid: [deals][nodes][HEADS], 1024 a point."""
    hands = np.ascontiguousarray(deals["hands"][:, list(POSITIONS)])
    nodes = np.ascontiguousarray(np.broadcast_to(np.arange(len(NODES), dtype=np.uint8), hands.shape))
    out = np.empty((*hands.shape, HEADS), np.int32)
    where = (hands.ctypes.data, nodes.ctypes.data, hands.size, out.ctypes.data)
    net.kernel.library.call("ddz_bid_values", net.address, net.kernel.splits(rules), *where)
    return out


def by_points(net: KernelBidNet, rules: RuleSet) -> Bidder:
    """Bids as ``bids=points`` does, the lowest of equal bids."""
    return lambda deals: best(torch.from_numpy(heads_of(net, rules, deals)[..., :BIDS] / ONE))


def by_hand(net: KernelBidNet, rules: RuleSet) -> Bidder:
    """Bids as ``bids=hand`` does."""

    def strategy(deals: Deals) -> Tensor:
        points = hand_points(net, rules, deals["hands"].reshape(-1)).reshape(-1, SEATS)
        worth = sum((points >= needed).astype(np.int64) for needed in THRESHOLDS)
        return _made(torch.from_numpy(np.asarray(worth)[:, list(POSITIONS)]))

    return strategy


def always(bid: int) -> Bidder:
    """Makes the same bid wherever it is legal."""
    return lambda deals: _made(torch.full((len(deals), len(NODES)), bid))


def _made(bids: Tensor) -> Tensor:
    """Makes those bids where they are legal, otherwise 0."""
    legal = torch.tensor(LEGAL)[torch.arange(len(NODES)), bids]
    return torch.nn.functional.one_hot(torch.where(legal, bids, 0), BIDS).float()


def hand_points(net: KernelBidNet, rules: RuleSet, hands: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Counts hands as :func:`ddzbot.bidding.hand_points` does."""
    counts = (np.ascontiguousarray(hands)[:, None] >> np.arange(0, 4 * RANK_COUNT, 4, dtype=np.uint64)) & np.uint64(15)
    held = counts.astype(np.int64)
    high = 5 * held[:, BIG_JOKER] + 3 * held[:, LITTLE_JOKER] + 2 * held[:, TWO] + held[:, ACE]
    fewest = fewest_of(net.kernel, rules, np.ascontiguousarray(hands)).astype(np.int64)
    total: NDArray[np.int64] = high + (held == 4).sum(1) - fewest
    return total


def landlord_points(deals: Deals) -> Tensor:
    """Gets what the landlord at each position was paid for each of the stake, [deals][positions]."""
    return torch.from_numpy((deals["scores"] / (100.0 * deals["stake"][:, None])).astype(np.float32))


def duel(deals: Deals, first: Bidder, second: Bidder) -> Duel:
    """Lets two bidders play all six seatings of each deal; the games are those that the deals were played with."""
    points = landlord_points(deals)
    strategies = {"A": first(deals), "B": second(deals)}
    sums = torch.zeros(len(deals))
    for seating in WITH_BIDDING:
        by_node = [strategies[seating[position]][:, node] for node, position in enumerate(POSITIONS)]
        landlord, stake = played(torch.stack(by_node, 1))
        for position, letter in enumerate(seating):
            paid = stake * points.gather(1, landlord[:, None])[:, 0] * torch.where(landlord == position, 1.0, -0.5)
            sums += paid if letter == "A" else -paid
    seats = SEATS * len(WITH_BIDDING) / 2
    differences = (sums / seats).numpy().astype(np.float64)
    return Duel(float(differences.mean()), float(differences.std(ddof=1) / len(deals) ** 0.5), len(deals))


def played(strategy: Tensor) -> tuple[Tensor, Tensor]:
    """Gets who becomes the landlord, and the stake, where every bid is certain: two tensors of [deals]."""
    found = play_auctions(torch.zeros(len(strategy), SEATS), strategy)
    return found.landlord[:, 0].argmax(-1), found.stake
