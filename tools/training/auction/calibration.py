"""What a network for bids predicts against what was paid, and what the bottom adds, over deals that it never saw."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ddzbot.bidding import EQUAL
from ddzbot.cards import BIG_JOKER, LITTLE_JOKER, TWO
from ddzbot.game import SEATS
from ddzbot.kernel.bid_net import KernelBidNet
from ddzbot.kernel.bid_records import BIDS, DOWN, LANDLORD, NODES, ONE
from ddzbot.rules import RuleSet

from ...shared.whole_files import written_whole
from .bidders import by_points, heads_of, landlord_points
from .deals import Deals
from .hands import fewest_of
from .tree import POSITIONS, best, play_auctions, reached

TENTHS = 10
Numbers = NDArray[np.float64]


class Tenth(NamedTuple):
    """A tenth of the cases, by what was predicted."""

    predicted: float
    paid: float
    error: float
    """The standard error of what was paid."""
    cases: int


class Calibration(NamedTuple):
    """What was predicted of one thing and what was paid, by tenths of the cases."""

    what: str
    tenths: list[Tenth]

    @property
    def mean_error(self) -> float:
        """The mean absolute difference between predicted and paid."""
        return float(np.mean([abs(one.predicted - one.paid) for one in self.tenths] or [np.inf]))


def by_tenths(what: str, predicted: Numbers, paid: Numbers) -> Calibration:
    """Sorts the cases by what was predicted, and compares the means of each tenth; of few cases fewer parts."""
    parts = np.array_split(np.argsort(predicted, kind="stable"), max(1, min(TENTHS, len(predicted) // 2)))
    tenths = [
        Tenth(
            float(predicted[part].mean()),
            float(paid[part].mean()),
            float(paid[part].std(ddof=1) / len(part) ** 0.5),
            len(part),
        )
        for part in parts
        if len(part) > 1
    ]
    return Calibration(what, tenths)


def calibrate(net: KernelBidNet, rules: RuleSet, deals: Deals) -> list[Calibration]:
    """
    Plays the auction of every deal by the best bids, and compares what the network said with what was paid: of the bids
    that were made, of landlords who bid, and of both peasants.
    """
    heads = heads_of(net, rules, deals) / ONE
    points = landlord_points(deals)
    strategy = best(torch.from_numpy(heads[..., :BIDS]), EQUAL / ONE)
    auctions = play_auctions(points, strategy)
    deal, node = np.nonzero(reached(strategy).numpy())
    bid = strategy.argmax(-1).numpy()[deal, node]
    landlord = auctions.landlord[:, 0].argmax(-1).numpy()[deal]
    paid = points.numpy()[deal, landlord].astype(np.float64)
    seat = (np.array(POSITIONS)[node] - landlord) % SEATS
    found = [
        by_tenths("points of a bid", heads[deal, node, bid], auctions.paid.numpy()[deal, node, bid].astype(np.float64))
    ]
    led = (seat == 0) & (bid > 0)
    found.append(by_tenths("landlord, each of the stake", heads[deal, node, LANDLORD + bid - 1][led], paid[led]))
    for own, name in ((1, "landlord_down"), (2, "landlord_up")):
        sits = seat == own
        predicted = heads[deal, node, DOWN + own - 1][sits]
        found.append(by_tenths(f"{name}, each of the stake", predicted, -paid[sits] / 2))
    return found


class BottomRow(NamedTuple):
    """What landlords with hands of one kind were paid, for each of the stake, by what the bottom has."""

    kind: str
    hands: int
    points: float
    with_joker: float
    with_two: float
    without: float


_KINDS = (("at most 5 moves", 0, 5), ("6 moves", 6, 6), ("7 moves", 7, 7), ("8 moves", 8, 8), ("9 or more", 9, 20))


def bottom_table(net: KernelBidNet, rules: RuleSet, deals: Deals) -> list[BottomRow]:
    """Compares landlords by the fewest moves of their 17 cards, and by whether the bottom has a joker, or else a 2."""
    fewest = fewest_of(net.kernel, rules, deals["hands"])
    points = landlord_points(deals).numpy()
    bottom = deals["bottom"]
    jokers = (bottom >> np.uint64(4 * LITTLE_JOKER) & np.uint64(15)) + (bottom >> np.uint64(4 * BIG_JOKER))
    joker = np.broadcast_to((jokers > 0)[:, None], points.shape)
    two = np.broadcast_to((bottom >> np.uint64(4 * TWO) & np.uint64(15) > 0)[:, None], points.shape) & ~joker
    rows = []
    for kind, least, most in _KINDS:
        of_kind = (fewest >= least) & (fewest <= most)
        means = [float(points[of_kind & part].mean()) for part in (joker | ~joker, joker, two, ~joker & ~two)]
        rows.append(BottomRow(kind, int(of_kind.sum()), *means))
    return rows


def draw(path: Path, found: list[Calibration]) -> None:
    """Draws predicted against paid into a .png file."""
    figure = Figure(figsize=(10, 7), layout="constrained")
    for place, one in enumerate(found):
        axes = figure.add_subplot(2, 2, place + 1)
        predicted = [tenth.predicted for tenth in one.tenths]
        paid = [tenth.paid for tenth in one.tenths]
        if not predicted:
            continue
        ends = [min(*predicted, *paid), max(*predicted, *paid)]
        axes.plot(ends, ends, color="0.7")
        axes.errorbar(predicted, paid, [1.96 * tenth.error for tenth in one.tenths], fmt="o", capsize=3)
        axes.set(xlabel="predicted", ylabel="paid", title=f"{one.what}: mean error {one.mean_error:.3f}")
        axes.grid(alpha=0.3)
    with written_whole(path) as file:
        figure.savefig(file, format="png", dpi=110)


def bid_shares(net: KernelBidNet, rules: RuleSet, deals: Deals) -> tuple[Numbers, float]:
    """Gets how often each bid is made by who is asked, [positions][bids], and in which share of deals nobody bids."""
    strategy = by_points(net, rules)(deals)
    visits = reached(strategy)
    made = np.zeros((SEATS, BIDS))
    for node, position in enumerate(POSITIONS):
        made[position] += (visits[:, node, None] * strategy[:, node]).sum(0).numpy()
    last = NODES.index((0, 0))
    unbid = float((visits[:, last] * strategy[:, last, 0]).mean())
    return made / made.sum(1, keepdims=True), unbid
