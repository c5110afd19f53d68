"""Bidders over played deals: strategies of the tree, and what two of them are paid in all seatings of a set."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ddzbot.bidding import EQUAL
from ddzbot.game import SEATS
from ddzbot.kernel.bid_net import KernelBidNet
from ddzbot.kernel.bid_records import HEADS, NODES, ONE
from ddzbot.kernel.training import bid_values
from ddzbot.rules import RuleSet

from ...arena.plan import WITH_BIDDING
from .deals import Deals
from .hands import hand_bids
from .tree import BIDS, POSITIONS, best, made, play_auctions

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
    bid_values(net, rules, hands.ctypes.data, nodes.ctypes.data, hands.size, out.ctypes.data)
    return out


def by_points(net: KernelBidNet, rules: RuleSet, equal: int = EQUAL) -> Bidder:
    """Bids as ``bids=points`` does; *equal* is in the network's units."""
    return lambda deals: best(torch.from_numpy(heads_of(net, rules, deals)[..., :BIDS] / ONE), equal / ONE)


def by_hand(net: KernelBidNet, rules: RuleSet) -> Bidder:
    """Bids as ``bids=hand`` does."""

    return lambda deals: made(torch.from_numpy(hand_bids(net.kernel, rules, deals["hands"]))[:, POSITIONS])


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
