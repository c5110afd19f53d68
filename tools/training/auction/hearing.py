"""
What the auction tells of the hidden hands: how much likelier the true ones become, for a landlord who has heard it.

    python -m tools.training.auction.hearing DEALS --deals 2000

The hidden hands are compared with others that the landlord cannot tell from them: the same cards, divided at random. A
bid is as likely as the kernel takes it to be (src/rollout/rollout_bids.c).
"""

from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from ddzbot.cards import RANK_COUNT
from ddzbot.game import SEATS
from ddzbot.kernel.bid_net import KernelBidNet
from ddzbot.kernel.bid_records import BIDS, NODES, ONE
from ddzbot.rules import RuleSet, rule_set

from ...shared.interrupts import Command
from ...shared.terminal import Console
from .bidders import Bidder, by_hand, by_points, values_of
from .chosen import chosen_net
from .deals import Deals, read_deals, read_head
from .tree import AFTER, LEGAL, Ending

WORLDS = 60
"""Divisions of the hidden cards that the true one is compared with."""
STYLES, ASTRAY = (1, 2, 4), 0.02
HEATS = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6)

Numbers = NDArray[np.float64]


def chances(heads: NDArray[np.int32], nodes: NDArray[np.int64], bids: NDArray[np.int64], heat: float) -> Numbers:
    """Gets how likely each of *bids* is at its node, from the heads of the hands that may have made it."""
    legal = np.array(LEGAL)[nodes]
    values = np.where(legal, heads[..., :BIDS] / ONE, -np.inf)
    above = values - values.max(-1, keepdims=True)
    chance = np.zeros(bids.shape)
    for style in STYLES:
        shares = np.exp(above / (heat * style))
        chance += np.take_along_axis(shares, bids[..., None], -1)[..., 0] / shares.sum(-1) / len(STYLES)
    found: Numbers = (1 - ASTRAY) * chance + ASTRAY / legal.sum(-1)
    return found


def divided(unseen: NDArray[np.uint64], dealt: int, chance: np.random.Generator) -> NDArray[np.uint64]:
    """Draws hands of so many cards out of each set of cards, as the same cards could have been dealt."""
    shifts = np.arange(0, 4 * RANK_COUNT, 4, dtype=np.uint64)
    hands = np.zeros(len(unseen), np.uint64)
    for at, cards in enumerate(unseen):
        ranks = np.repeat(shifts, (cards >> shifts & np.uint64(15)).astype(np.int64))
        hands[at] = np.left_shift(np.uint64(1), chance.choice(ranks, dealt, replace=False)).sum(dtype=np.uint64)
    return hands


def heard_by(strategy: NDArray[np.int64], deal: int) -> tuple[int, list[tuple[int, int, int]]]:
    """Gets the landlord's position in a deal, and each bid as (position, node, bid); *strategy* is [deals][nodes]."""
    node, made = 0, []
    while True:
        bid = int(strategy[deal, node])
        made.append((len(NODES[node]), node, bid))
        then = AFTER[node][bid]
        if isinstance(then, Ending):
            return then.landlord, made
        assert then is not None
        node = then


def gains(net: KernelBidNet, rules: RuleSet, deals: Deals, bidder: Bidder, heats: tuple[float, ...]) -> Numbers:
    """
    Gets, for each heat and deal, the log of how much likelier the auction is with the true hands than with others.
    """
    chance = np.random.default_rng(1)
    strategy = bidder(deals).argmax(-1).numpy()
    sums = np.zeros((len(heats), len(deals), 1 + WORLDS))
    for deal, one in enumerate(deals):
        landlord, made = heard_by(strategy, deal)
        hidden = [(landlord + seat) % SEATS for seat in (1, 2)]
        first, second = (one["hands"][position] for position in hidden)
        drawn = divided(np.repeat(first + second, WORLDS), rules.dealt, chance)
        hands = dict(zip(hidden, (np.append(first, drawn), np.append(second, first + second - drawn)), strict=True))
        for position, node, bid in made:
            if position == landlord:
                continue
            nodes = np.full(1 + WORLDS, node)
            heads = values_of(net, rules, hands[position], nodes)
            for at, heat in enumerate(heats):
                sums[at, deal] += np.log(chances(heads, nodes, np.full(1 + WORLDS, bid), heat))
    found: Numbers = sums[..., 0] - np.log(np.exp(sums).mean(-1))
    return found


@click.command(cls=Command)
@click.argument("source", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--weights", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Instead of the reigning."
)
@click.option("--deals", default=1000, show_default=True, type=click.IntRange(2), help="The first so many.")
def main(source: Path, weights: Path | None, deals: int) -> None:
    """Measure what auctions over the deals in SOURCE tell of hidden hands."""
    rules = rule_set(read_head(source)["rules"])
    net = chosen_net(rules.name, weights)
    dealt = read_deals(source, deals)
    title = f"how much likelier the true hands become, in nats ({len(dealt):,} deals)"
    table = Table("lowest temperature", "bids=points", "bids=hand", title=title)
    columns = [gains(net, rules, dealt, bidder(net, rules), HEATS) for bidder in (by_points, by_hand)]
    for at, heat in enumerate(HEATS):
        cells = [f"{column[at].mean():.3f} ± {1.96 * column[at].std() / len(dealt) ** 0.5:.3f}" for column in columns]
        table.add_row(f"{heat:g}", *cells)
    Console().print(table)


if __name__ == "__main__":
    main()
