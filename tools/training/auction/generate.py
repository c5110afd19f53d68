"""
Plays deals for the auction's network: ``python -m tools.training.auction.generate FOLDER --deals 2000000``.

Each deal is played three times by the network alone, with the landlord at each position, over the hidden bottom. The
same command goes on where it was stopped.
"""

from pathlib import Path

import click

from ddzbot.kernel import native
from ddzbot.kernel.fast_net import FastNet
from ddzbot.net.fast_features import NAME
from ddzbot.net.fast_net import seats_of
from ddzbot.net.packed import WeightsError, read
from ddzbot.net.reigning import reigning
from ddzbot.rules import rule_set

from ...shared.bars import progress_bar
from ...shared.default_rules import AUCTION_RULES
from ...shared.interrupts import Command
from .deals import UNIT_DEALS, DealFolder


@click.command(cls=Command)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--deals", default=2_000_000, show_default=True, help="Deals to have in the end, three games each.")
@click.option("--rules", "rules_name", default=AUCTION_RULES, show_default=True, help="Rule set, one with bidding.")
@click.option("--seed", default=1, show_default=True, help="Root of all deals.")
@click.option(
    "--weights",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The network that plays, instead of the reigning one.",
)
@click.option("--quiet", is_flag=True, help="No progress bar.")
def main(folder: Path, deals: int, rules_name: str, seed: int, weights: Path | None, quiet: bool) -> None:
    """Play deals into FOLDER, or go on with it."""
    kernel = native()
    if kernel is None:
        raise click.ClickException("Playing deals needs the kernel: run make kernel.")
    rules = rule_set(rules_name)
    if not rules.bidding:
        raise click.UsageError(f"rules {rules_name} have no auction")
    try:
        packed = read(str(weights), known=[NAME]) if weights else reigning(NAME, rules_name).network
    except WeightsError as error:
        raise click.ClickException(str(error)) from None
    if packed is None:
        raise click.ClickException(f"no network reigns for {NAME} under {rules_name}")
    net = FastNet(kernel, seats_of(packed))
    made = DealFolder(folder, rules_name, seed, packed.sha256)
    units = made.missing(deals)
    with progress_bar(disable=quiet) as progress:
        whole = -(-deals // UNIT_DEALS)
        bar = progress.add_task("deals", total=whole * UNIT_DEALS, completed=(whole - len(units)) * UNIT_DEALS)
        for unit in units:
            made.play(net, rules, unit)
            progress.advance(bar, UNIT_DEALS)


if __name__ == "__main__":
    main()
