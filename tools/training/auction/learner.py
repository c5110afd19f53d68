"""
The training of the network that values bids: rounds of gradient steps, each with the strategy of the round before.

In a round bidders follow a softmax of the averaged network's values, or count their hand; the network learns what every
bid pays then, at every node, as often as the node is reached. Rounds continue until bids and values agree: a quantal
response equilibrium (R. McKelvey, T. Palfrey, "Quantal Response Equilibria for Normal Form Games", 1995) whose
temperature falls.
"""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import asdict, dataclass
from math import cos, pi
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from ddzbot.bidding import EQUAL_POINTS
from ddzbot.game import SEATS
from ddzbot.kernel.bid_records import DOWN, LANDLORD, MOST_FEWEST, NODES, ONE, WINS
from ddzbot.kernel.binding import Kernel
from ddzbot.rules import RuleSet

from .. import loop
from ..figures import LogLine
from .deals import Deals
from .hands import fewest_of, hand_bids
from .network import AuctionNet, hand_features
from .tree import BIDS, LEGAL, POSITIONS, Auctions, best, epsilon_soft, play_auctions, reached, soft, strategy_of


@dataclass(frozen=True)
class Schedule:
    """The length and the rates of a training."""

    rounds: int = 16
    steps: int = 40
    """Steps of a round."""
    batch: int = 1024
    """Deals of a step; each has ten nodes."""
    rate: float = 0.003
    last_rate: float = 0.00003
    hottest: float = 0.4
    """The temperature of the bidders in the first round, in points; it falls by *cooling* a round to *coldest*."""
    cooling: float = 0.75
    coldest: float = 0.05
    epsilon: float = 0.004
    """The share of bids that are any legal one, so that nothing is never heard."""
    others: float = 0.5
    """
    The share of bidders who count their hand instead. If all bid by one network, bids below 3 carry no
    information, since the last player bids 3 after them anyway; against players that count their hand they do.
    """

    def temperature(self, number: int) -> float:
        """Gets the temperature of a round."""
        return max(self.coldest, self.hottest * self.cooling**number)

    def rate_at(self, step: int) -> float:
        """Gets the learning rate of a step: a cosine from *rate* to *last_rate*."""
        share = step / (self.rounds * self.steps)
        return self.last_rate + (self.rate - self.last_rate) * (1 + cos(pi * share)) / 2


class DealArrays:
    """Deals as the network sees them, and what they paid."""

    def __init__(self, kernel: Kernel, rules: RuleSet, deals: Deals) -> None:
        hands = np.ascontiguousarray(deals["hands"])
        self._features = hand_features(hands, np.minimum(fewest_of(kernel, rules, hands), MOST_FEWEST))
        self._bids = hand_bids(kernel, rules, hands)
        self.points = (deals["scores"] / (100.0 * deals["stake"][:, None])).astype(np.float32)
        """[deals][positions]: the landlord's points for each of the stake, by its position."""
        self.won = (deals["won"][:, None] >> np.arange(SEATS) & 1).astype(np.float32)

    def __len__(self) -> int:
        return len(self.points)

    def part(self, which: "NDArray[np.int64] | slice") -> tuple[Tensor, Tensor, Tensor]:
        """Gets the features of the hands, points and wins of some deals."""
        return (
            torch.from_numpy(self._features[which]).float(),
            torch.from_numpy(self.points[which]),
            torch.from_numpy(self.won[which]),
        )

    def by_hand(self, which: "NDArray[np.int64] | slice") -> Tensor:
        """Gets the strategy of bidders who count their hand."""
        return strategy_of(torch.from_numpy(self._bids[which])[:, POSITIONS])


class AuctionLearner(loop.Learner):
    """
    The network that learns, its average, and where it stands.

    It learns from the deals *learned*, and each round is checked on those of *kept*; *source* says how they are made.
    """

    recipe = "auction"
    unit = "rounds"
    figures = ("temperature", "loss", "error", "changed", "passed_out", "stake", "bids_0", "bids_1", "bids_2")

    def __init__(
        self, schedule: Schedule, seed: int, learned: DealArrays, kept: DealArrays, source: dict[str, Any]
    ) -> None:
        torch.manual_seed(seed)
        self.schedule, self.seed = schedule, seed
        self._learned, self._kept, self._source = learned, kept, source
        self.net = AuctionNet()
        self.averaged = deepcopy(self.net)
        self.before = deepcopy(self.net)
        """The average at the beginning of the round: what the bidders bid by."""
        self._optimizer = torch.optim.Adam(self.net.parameters(), schedule.rate)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that must stay the same to resume a folder, by option name."""
        how = asdict(self.schedule)
        return {**self._source, "seed": self.seed, "goal": how.pop("rounds"), **how}

    def round(self) -> LogLine:
        """Learns a round, and checks it."""
        temperature, loss = self.schedule.temperature(self.done), self.learn()
        changes = check(self.averaged, self.before, self._kept)
        numbers = (
            *(round(temperature, 4), round(loss, 5), round(changes.error, 4), round(100 * changes.changed, 3)),
            *(round(100 * changes.passed_out, 3), round(changes.stake, 4)),
            *(" ".join(f"{100 * share:.1f}" for share in row) for row in changes.bids),
        )
        return dict(zip(self.figures, numbers, strict=True))

    def learn(self) -> float:
        """Goes through a round, and gets its mean loss."""
        self.before.load_state_dict(self.averaged.state_dict())
        temperature, losses = self.schedule.temperature(self.done), []
        for step in range(self.done * self.schedule.steps, (self.done + 1) * self.schedule.steps):
            chance = np.random.default_rng([self.seed, step])
            losses.append(self._step(self._learned, chance, step, temperature))
        self.done += 1
        return float(np.mean(losses))

    def _step(self, table: DealArrays, chance: np.random.Generator, step: int, temperature: float) -> float:
        which = chance.integers(len(table), size=self.schedule.batch)
        hands, points, won = table.part(which)
        counts = torch.from_numpy(chance.random((len(which), SEATS)) < self.schedule.others)
        with torch.no_grad():
            own = soft(self.before(hands)[..., :BIDS], temperature, self.schedule.epsilon)
            others = epsilon_soft(table.by_hand(which), self.schedule.epsilon)
            auctions = play_auctions(points, torch.where(counts[:, POSITIONS, None], others, own))
        for group in self._optimizer.param_groups:
            group["lr"] = self.schedule.rate_at(step)
        loss = loss_of(self.net(hands), points, won, auctions)
        self._optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self._optimizer.step()
        keep = min(0.985, (step + 1) / (step + 10))
        with torch.no_grad():
            for mean, weight in zip(self.averaged.parameters(), self.net.parameters(), strict=True):
                mean.lerp_(weight, 1 - keep)
        return loss.item()

    def state(self) -> dict[str, Any]:
        """Gets everything that a later process needs to resume."""
        return {part: getattr(self, part).state_dict() for part in _PARTS}

    def load(self, state: Mapping[str, Any]) -> None:
        """Resumes from a checkpoint."""
        for part in _PARTS:
            getattr(self, part).load_state_dict(state["learner"][part])


_PARTS = ("net", "averaged", "before", "_optimizer")
_POINTS_SCALE, _BIDS_SCALE = 12.0, 30.0
"""About how much points for each of the stake, and points of an auction, vary around what a hand lets expect."""


def loss_of(heads: Tensor, points: Tensor, won: Tensor, auctions: Auctions) -> Tensor:
    """
    Compares all heads with what was paid, each node weighed by how often it is reached.

    The heads of the bids learn what a bid pays; those of the landlord what was paid where no higher bid followed; those
    of a peasant what was paid where another position became the landlord.
    """
    weights = auctions.reached / auctions.reached.mean(0, keepdim=True).clamp(min=1e-6)
    weights = weights.clamp(max=20)
    legal = torch.tensor(LEGAL).float()
    of_bids = ((heads[..., :BIDS] - auctions.paid) ** 2 * legal).sum(-1) / _BIDS_SCALE
    own = torch.tensor(POSITIONS)
    as_landlord = _role_loss(
        heads, LANDLORD, WINS, points[:, own, None], won[:, own, None], auctions.stays[..., 1:] * legal[:, 1:]
    )
    losses = of_bids + as_landlord.sum(-1)
    for seat, head in ((1, DOWN), (2, DOWN + 1)):
        landlord = (own - seat) % SEATS
        chance = auctions.landlord[:, torch.arange(len(NODES)), landlord]
        of_seat = _role_loss(
            heads,
            head,
            head + WINS - LANDLORD,
            -points[:, landlord, None] / 2,
            1 - won[:, landlord, None],
            chance[..., None],
        )
        losses = losses + of_seat.sum(-1)
    return (weights * losses).mean()


def _role_loss(heads: Tensor, head: int, win_head: int, paid: Tensor, won: Tensor, weights: Tensor) -> Tensor:
    """Gets the losses of one role at all nodes, [deals][nodes][stakes]."""
    stakes = weights.shape[-1]
    of_points = (heads[..., head : head + stakes] - paid) ** 2 / _POINTS_SCALE
    logits = heads[..., win_head : win_head + stakes]
    of_wins = functional.binary_cross_entropy_with_logits(logits, won.expand_as(logits), reduction="none")
    return weights * (of_points + of_wins)


@dataclass
class Check:
    """Statistics of a network's bids on deals that it did not learn from."""

    changed: float
    """The share of bids that the network of the round before would not have made."""
    bids: list[list[float]]
    """[positions][bids]: the share of each bid among the bids of a position."""
    passed_out: float
    """The share of deals without a bid."""
    stake: float
    error: float
    """The mean squared error of the first bidder's points as landlord at stake 3, for each of the stake."""


@torch.no_grad()
def check(net: AuctionNet, before: AuctionNet, table: DealArrays, part: int = 8192) -> Check:
    """Plays the auctions of all deals by the best bids."""
    changed = asked = passed_out = stake = error = 0.0
    bids = torch.zeros(SEATS, BIDS)
    for begin in range(0, len(table), part):
        hands, points, _ = table.part(slice(begin, begin + part))
        heads = net(hands)
        now, then = (best(values[..., :BIDS], EQUAL_POINTS / ONE) for values in (heads, before(hands)))
        error += float(((heads[:, 0, LANDLORD + 2] - points[:, 0]) ** 2).sum())
        auctions = play_auctions(points, now)
        visits = reached(now)
        changed += float((visits * (now != then).any(-1)).sum())
        asked += float(visits.sum())
        passed_out += float((visits[:, NODES.index((0, 0))] * now[:, NODES.index((0, 0)), 0]).sum())
        stake += float(auctions.stake.sum())
        for node, position in enumerate(POSITIONS):
            bids[position] += (visits[:, node, None] * now[:, node]).sum(0)
    shares = bids / bids.sum(-1, keepdim=True)
    return Check(changed / asked, shares.tolist(), *(total / len(table) for total in (passed_out, stake, error)))
