"""
What the bidder of DeepRocket is paid more a seat than other bidders, over played deals that it has not learned from.

    python -m tools.training.auction.generate data/fresh --deals 16384 --seed 12
    python -m tools.training.rocket.bids results/rocket data/fresh

The first row is what the players bid by (:data:`ddzbot.bidding.YES`), the others need higher or lower chances.
"""

from pathlib import Path

import click
import numpy as np
import torch
from rich.table import Table

from ddzbot.bidding import YES
from ddzbot.rules import rule_set

from ...shared.interrupts import Command
from ...shared.terminal import Console
from ..auction.bidders import Bidder, by_hand, by_points, duel
from ..auction.chosen import chosen_net
from ..auction.deals import Deals, read_deals, read_head
from ..auction.tree import POSITIONS, made
from .bidder import hands_of
from .evaluate import read_model

OTHERS = ((0.0, 0.0, 0.0), (-0.4, -0.2, 0.0), (-0.8, -0.6, -0.4), (-1.2, -0.8, -0.4), (-1.4, -1.1, -0.8))
"""Logits that are tried beside those of the players."""


def by_answers(model: torch.nn.Module, inputs: torch.Tensor, needed: tuple[float, ...]) -> Bidder:
    """Bids as ``deeprocket`` does with these thresholds; *inputs* are those of three hands a deal, as of the deals."""

    def strategy(deals: Deals) -> torch.Tensor:
        with torch.no_grad():
            logits = model(inputs.float()).reshape(len(deals), -1)
        worth = torch.stack([logits >= each for each in needed]).sum(0)
        return made(worth[:, list(POSITIONS)])

    return strategy


@click.command(cls=Command)
@click.argument("output", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("source", type=click.Path(exists=True, file_okay=False, path_type=Path))
def main(output: Path, source: Path) -> None:
    """Let the bidder in OUTPUT bid over the deals in SOURCE, against the count of the hand and the champion's bids."""
    rules = rule_set(read_head(source)["rules"])
    net, deals = chosen_net(rules.name), read_deals(source)
    try:
        model, _ = read_model(output, "bidder")
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    inputs = hands_of(source, None)[0].inputs
    table = Table("1, 2, 3 from a chance of", "against bids=hand", "against bids=points", title="points a seat more")
    for needed in (YES, *OTHERS):
        ours = by_answers(model, inputs, needed)
        chances = ", ".join(f"{100 / (1 + np.exp(-each)):.0f} %" for each in needed)
        table.add_row(chances, *(str(duel(deals, ours, other(net, rules))) for other in (by_hand, by_points)))
    Console().print(table)


if __name__ == "__main__":
    main()
