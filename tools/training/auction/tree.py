"""
The auction as a tree of ten nodes, for many deals at once: what each bid pays when all bidders have a strategy.

Once a deal has been played with the landlord at each position, every auction over it is arithmetic. A strategy is
``[deals][nodes][bids]``, the probability of each bid by the hand that bids at the node; nodes are those of
:data:`ddzbot.kernel.bid_records.NODES`.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from ddzbot.game import HIGHEST_BID, SEATS, auction, is_legal_bid
from ddzbot.kernel.bid_records import NODES

BIDS = HIGHEST_BID + 1
POSITIONS = tuple(len(heard) for heard in NODES)
"""The position that bids at each node."""
LEGAL = tuple(tuple(is_legal_bid(heard, bid) for bid in range(BIDS)) for heard in NODES)
"""The legal bids at each node."""
_BACK = tuple(sorted(range(len(NODES)), key=lambda node: -POSITIONS[node]))


class Ending(NamedTuple):
    """An auction that is over."""

    landlord: int
    stake: int


def after(node: int, bid: int) -> "Ending | int":
    """Gets the node that a bid leads to, or how the auction ends with it."""
    heard = (*NODES[node], bid)
    result = auction(heard)
    return NODES.index(heard) if result is None else Ending(*result)


AFTER = tuple(
    tuple(after(node, bid) if LEGAL[node][bid] else None for bid in range(BIDS)) for node in range(len(NODES))
)
"""The node or end after every bid; None for those that are not legal."""


class Auctions(NamedTuple):
    """The values of a strategy; dimensions of nodes and bids have zeros where a bid is not legal."""

    paid: Tensor
    """[deals][nodes][bids]: the bidder's points, expected over the later bids."""
    reached: Tensor
    """[deals][nodes]: the probability that the auction comes there."""
    stays: Tensor
    """[deals][nodes][bids]: the probability that no bid follows that one."""
    landlord: Tensor
    """[deals][nodes][positions]: the probability that each position becomes the landlord."""
    stake: Tensor
    """[deals]: the expected stake."""


def play_auctions(points: Tensor, strategy: Tensor) -> Auctions:
    """
    Follows a strategy in every deal. *points* is ``[deals][positions]``: what the landlord at each position is paid for
    each of the stake; the peasants lose half of it each.
    """
    deals = len(points)
    worth: dict[int, Tensor] = {}
    passed: dict[int, Tensor] = {}
    landlords: dict[int, Tensor] = {}
    stakes: dict[int, Tensor] = {}
    paid, stays = torch.zeros(deals, len(NODES), BIDS), torch.zeros(deals, len(NODES), BIDS)
    for node in _BACK:
        worth[node], landlords[node] = torch.zeros(deals, SEATS), torch.zeros(deals, SEATS)
        stakes[node] = torch.zeros(deals)
        for bid, then in enumerate(AFTER[node]):
            if then is None:
                continue
            share = strategy[:, node, bid]
            if isinstance(then, Ending):
                payoff = _payoff(points, then)
                landlord = torch.nn.functional.one_hot(torch.tensor(then.landlord), SEATS).float().expand(deals, SEATS)
                stay, stake = torch.ones(deals), torch.full((deals,), float(then.stake))
            else:
                payoff, landlord, stay, stake = worth[then], landlords[then], passed[then], stakes[then]
            paid[:, node, bid] = payoff[:, POSITIONS[node]]
            stays[:, node, bid] = stay
            worth[node] += share[:, None] * payoff
            landlords[node] += share[:, None] * landlord
            stakes[node] += share * stake
        passed[node] = strategy[:, node, 0] * stays[:, node, 0]
    landlord = torch.stack([landlords[node] for node in range(len(NODES))], 1)
    return Auctions(paid, reached(strategy), stays, landlord, stakes[0])


def reached(strategy: Tensor) -> Tensor:
    """Gets the probability that each auction comes to each node."""
    reach = torch.zeros(strategy.shape[:2])
    reach[:, 0] = 1
    for node, row in enumerate(AFTER):
        for bid, then in enumerate(row):
            if isinstance(then, int):
                reach[:, then] = reach[:, node] * strategy[:, node, bid]
    return reach


def _payoff(points: Tensor, ending: Ending) -> Tensor:
    """Gets [deals][positions]."""
    shares = torch.full((SEATS,), -0.5)
    shares[ending.landlord] = 1.0
    return ending.stake * points[:, ending.landlord, None] * shares


def best(bids: Tensor, equal: float = 0.0) -> Tensor:
    """
    Gets the strategy [deals][nodes][bids] that makes the bid of the highest value, or the lowest one that is no more
    than *equal* points below it.
    """
    legal = torch.tensor(LEGAL)
    values = bids.masked_fill(~legal, -torch.inf)
    chosen = (values >= values.amax(-1, keepdim=True) - equal).float().argmax(-1)
    return torch.nn.functional.one_hot(chosen, BIDS).float()


def strategy_of(bids: Tensor) -> Tensor:
    """Gets the strategy [deals][nodes][bids] that makes those *bids*, [deals][nodes], where they are legal, else 0."""
    legal = torch.tensor(LEGAL)[torch.arange(len(NODES)), bids]
    return torch.nn.functional.one_hot(torch.where(legal, bids, 0), BIDS).float()


def soft(bids: Tensor, temperature: float, epsilon: float) -> Tensor:
    """Gets the epsilon-soft strategy of a softmax of the values; *temperature* is in points."""
    legal = torch.tensor(LEGAL)
    return epsilon_soft(torch.softmax((bids / temperature).masked_fill(~legal, -torch.inf), -1), epsilon)


def epsilon_soft(strategy: Tensor, epsilon: float) -> Tensor:
    """Gets the strategy that makes any legal bid with the probability *epsilon*, and otherwise follows another."""
    legal = torch.tensor(LEGAL)
    return (1 - epsilon) * strategy + epsilon * legal / legal.sum(-1, keepdim=True)
