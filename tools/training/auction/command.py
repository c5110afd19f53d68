"""The commands of the network for bids."""

from pathlib import Path
from typing import Any

import click
import torch

from ddzbot.rules import RULE_SETS, rule_set

from ...cluster.needs import Needs
from ...shared.default_rules import AUCTION_RULES
from ...shared.interrupts import Command
from ...shared.options import EXISTING_FOLDER
from ..kernel import needed_kernel
from ..loop import Marks, Training, loop_options, run
from ..making import Work, making_options
from ..making import make as make_shards
from .deals import Plan, play_unit, read_deals
from .learner import AuctionLearner, DealArrays, Schedule

CHECKED = 8_192
"""Deals that are kept to check the rounds on, the last ones."""


@click.command(cls=Command, context_settings={"show_default": True})
@making_options
@click.option(
    "--count",
    "deals",
    type=click.IntRange(1),
    default=2_000_000,
    help="Deals to have in the end, three games each, rounded up to files.",
)
@click.option(
    "--rules",
    type=click.Choice([name for name, rules in RULE_SETS.items() if rules.bidding]),
    default=AUCTION_RULES,
    help="Rule set, one with bidding.",
)
@click.option(
    "--weights",
    type=click.Path(exists=True, dir_okay=False),
    help="The network that plays, instead of the current one.",
)
def make(folder: Path, seed: int, deals: int, rules: str, weights: str | None, **options: Any) -> None:
    """Play deals with the landlord at each position into FOLDER, or resume it."""
    needed_kernel()
    needs = Needs(files=(weights,) if weights else ())
    make_shards(folder, Work(Plan(rules, seed, weights or ""), play_unit), deals, needs=lambda: needs, **options)


@click.command(cls=Command, context_settings={"show_default": True})
@loop_options
@click.argument("source", metavar="DEALS", type=EXISTING_FOLDER)
@click.option("--first", "deals", type=click.IntRange(2 * CHECKED), help="Take only the first so many; all by default.")
@click.option("--rounds", default=Schedule.rounds, help="Until bids and values agree.")
@click.option("--steps", default=Schedule.steps, help="Steps of a round.")
@click.option("--batch", default=Schedule.batch, help="Deals of a step.")
@click.option("--others", default=Schedule.others, help="Share of bidders who count their hand.")
@click.option("--threads", default=1, help="Of torch.")
def learn(
    folder: Path,
    seed: int,
    source: Path,
    deals: int | None,
    rounds: int,
    steps: int,
    batch: int,
    others: float,
    threads: int,
    **loop: Any,
) -> None:
    """Train the network that values bids in FOLDER on DEALS that make has played, or resume it."""
    kernel = needed_kernel()
    torch.set_num_threads(threads)
    try:
        dealt, head = read_deals(source, deals)
    except (ValueError, OSError) as error:
        raise click.UsageError(str(error)) from None
    if len(dealt) < 2 * CHECKED:
        raise click.ClickException(f"{source} has {len(dealt):,} deals: {2 * CHECKED:,} are the fewest")
    rules = rule_set(head["rules"])
    learned, tested = DealArrays(kernel, rules, dealt[:-CHECKED]), DealArrays(kernel, rules, dealt[-CHECKED:])
    source_of_deals = {
        "rules": rules.name,
        "deals": len(dealt),
        "deals_seed": head["seed"],
        "played_by": head["weights"],
    }
    learner = AuctionLearner(Schedule(rounds, steps, batch, others=others), seed, learned, tested, source_of_deals)
    run(Training(folder, learner), Marks(rounds), Marks(), **loop)
