"""
What a network for bids is worth: ``python -m tools.training.auction.study DEALS --weights weights/bid-....ddzw``.

DEALS is a folder of :mod:`tools.training.auction.generate`, of another seed than the network learned from. The games
are those that the deals were played with, so that a hundred thousand auctions take seconds.
"""

from pathlib import Path

import click
from rich.table import Table

from ddzbot.kernel.bid_net import KernelBidNet
from ddzbot.rules import RuleSet, rule_set

from ...shared.interrupts import Command
from ...shared.terminal import Console
from .bidders import Bidder, always, by_hand, by_points, duel
from .calibration import Calibration, bid_shares, bottom_table, calibrate, draw
from .chosen import chosen_net
from .deals import Deals, read_deals, read_head


def print_calibration(found: list[Calibration], console: Console) -> None:
    """Prints predicted and paid by tenths."""
    for one in found:
        table = Table("tenth", "predicted", "paid", "cases", title=f"{one.what}: mean error {one.mean_error:.3f}")
        for number, tenth in enumerate(one.tenths, 1):
            paid = f"{tenth.paid:+.3f} ± {1.96 * tenth.error:.3f}"
            table.add_row(str(number), f"{tenth.predicted:+.3f}", paid, f"{tenth.cases:,}")
        console.print(table)


def print_bids(net: KernelBidNet, rules: RuleSet, deals: Deals, console: Console) -> None:
    """Prints how often each bid is made by place."""
    shares, unbid = bid_shares(net, rules, deals)
    table = Table(
        "place", "0", "1", "2", "3", title=f"bids in {len(deals):,} deals, %; nobody bids in {100 * unbid:.2f} %"
    )
    for place, row in enumerate(shares):
        table.add_row(("first", "second", "third")[place], *(f"{100 * share:.1f}" for share in row))
    console.print(table)


def print_duels(net: KernelBidNet, rules: RuleSet, deals: Deals, console: Console) -> None:
    """Prints what it is paid more a seat than other bidders, in duplicate sets of six."""
    others: dict[str, Bidder] = {"bids=hand": by_hand(net, rules), "always 3": always(3), "never": always(0)}
    table = Table(
        "bids=points against", "points a seat more", title="duplicate sets of six, games of the network alone"
    )
    for name, other in others.items():
        table.add_row(name, str(duel(deals, by_points(net, rules), other)))
    console.print(table)


def print_bottom(net: KernelBidNet, rules: RuleSet, deals: Deals, console: Console) -> None:
    """Prints what the bottom adds by kind of hand."""
    table = Table(
        *("the 17 cards", "hands", "points", "joker in the bottom", "a 2, no joker", "neither"),
        title="points of the landlord, for each of the stake",
    )
    for row in bottom_table(net, rules, deals):
        table.add_row(row.kind, f"{row.hands:,}", *(f"{number:+.2f}" for number in row[2:]))
    console.print(table)


@click.command(cls=Command)
@click.argument("source", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--weights", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Instead of the reigning."
)
@click.option("--deals", type=click.IntRange(100), help="Only the first so many.")
@click.option("--picture", type=click.Path(dir_okay=False, path_type=Path), help="Draw the calibration into this file.")
def main(source: Path, weights: Path | None, deals: int | None, picture: Path | None) -> None:
    """Study a network for bids over the deals in SOURCE."""
    rules = rule_set(read_head(source)["rules"])
    net = chosen_net(rules.name, weights)
    dealt, console = read_deals(source, deals), Console()
    print_bids(net, rules, dealt, console)
    print_duels(net, rules, dealt, console)
    found = calibrate(net, rules, dealt)
    print_calibration(found, console)
    print_bottom(net, rules, dealt, console)
    if picture:
        draw(picture, found)


if __name__ == "__main__":
    main()
