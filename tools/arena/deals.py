"""
Write deals into a file that matches can be played from, all of them or those that are not lopsided.

    python -m tools deals deals.txt --count 500 --seed 1 --chance 20 80
    python -m tools match champion rhcp --deals deals.txt
"""

import gzip
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import click

from ddzbot.bidding import hand_points
from ddzbot.evaluation import network_alone
from ddzbot.game import Deal, shuffled, start
from ddzbot.players.base import CannotPlay
from ddzbot.rules import RULE_SETS, rule_set
from ddzbot.view import View

from ..shared.compiling import kernel_at_start
from ..shared.default_rules import DEFAULT_RULES
from ..shared.errors import InputError
from ..shared.interrupts import Command
from ..shared.options import FILE, FiniteRange
from ..shared.seeds import deal_seed
from ..shared.storage.whole_file import written_whole
from ..shared.terminal import say
from .matches.deals_file import deals_text
from .options import Root, root_option

MOST_IN_VAIN = 10_000
"""Deals in a row that may fail before the filters are thought to be too narrow."""

Filter = Callable[[Deal], bool]


def points_apart(deal: Deal) -> int:
    """Gets how far the best and the worst of the three hands as dealt are apart, in points of a bidder by hand."""
    points = [hand_points(deal.rules, hand) for hand in deal.hands]
    return max(points) - min(points)


def chance_of(deal: Deal) -> float:
    """
    Gets the landlord's chance of winning by the network, 0 to 1, from what the landlord sees before the first lead.

    The landlord is the first position; where there is an auction, the seat with the hand of the most points.

    :raises CannotPlay: without a network.
    """
    landlord = 0
    if deal.rules.bidding:
        landlord = max(range(len(deal.hands)), key=lambda position: hand_points(deal.rules, deal.hands[position]))
    view = View.of(start(deal, landlord_position=landlord), 0)
    return max(move.win for move in network_alone(view, 0).moves)


def kept_deals(rules: str, root: Root, filters: list[Filter]) -> Iterator[tuple[Deal, str]]:
    """
    Yields the deals of a seed that pass all *filters*, in order, with their names.

    :raises ValueError: after :data:`MOST_IN_VAIN` deals in a row that did not, and for a namespace that is not a word.
    """
    in_vain, index = 0, 0
    while in_vain < MOST_IN_VAIN:
        name = deal_seed(root.seed, root.namespace, index)
        deal = shuffled(rule_set(rules), name)
        index += 1
        in_vain += 1
        if all(passes(deal) for passes in filters):
            in_vain = 0
            yield deal, name
    raise ValueError(f"of {MOST_IN_VAIN:,} deals in a row none passed: the filters are too narrow")


def _filters(points: int | None, chance: tuple[float, float] | None) -> list[Filter]:
    filters: list[Filter] = []
    if points is not None:
        filters.append(lambda deal: points_apart(deal) <= points)
    if chance is not None:
        low, high = chance
        filters.append(lambda deal: low <= 100 * chance_of(deal) <= high)
    return filters


@click.command(cls=Command, help=__doc__, context_settings={"show_default": True})
@click.argument("file", type=FILE)
@click.option("--rules", type=click.Choice(list(RULE_SETS)), default=DEFAULT_RULES, help="Rule set of the deals.")
@click.option("--count", type=click.IntRange(1, 100_000), default=100, help="How many to write.")
@root_option()
@click.option(
    "--points-apart", "points", type=click.IntRange(0), help="Keep deals with hands at most this many points apart."
)
@click.option(
    "--chance",
    nargs=2,
    type=FiniteRange(0, 100),
    help="Keep deals with a chance of the landlord between these two, in percent, by the network.",
)
def main(
    file: Path,
    rules: str,
    count: int,
    seed: Root,
    points: int | None,
    chance: tuple[float, float] | None,
) -> None:
    """Writes the deals, and prints how many were looked at."""
    if chance and chance[0] > chance[1]:
        raise click.UsageError(f"--chance {chance[0]:g} {chance[1]:g}: the lower one comes first")
    if chance:
        kernel_at_start()
    try:
        passing = kept_deals(rules, seed, _filters(points, chance))
        deals = list(islice(passing, count))
        content = deals_text(rule_set(rules), deals, _remark(seed, points, chance)).encode()
        with written_whole(file, make_folder=False) as whole:
            whole.write(gzip.compress(content, mtime=0) if file.suffix == ".gz" else content)
    except (ValueError, CannotPlay) as error:
        raise InputError(str(error)) from None
    except OSError as error:
        raise InputError(f"deals file {file}: it cannot be written ({error.strerror})") from None
    last_index = int(deals[-1][1].rpartition("/")[2])
    say(f"{file}: {count} of the first {last_index + 1} deals of {seed}, rules {rules}")


def _remark(seed: Root, points: int | None, chance: tuple[float, float] | None) -> str:
    parts = [f"deals {seed}"]
    if points is not None:
        parts.append(f"hands at most {points} points apart")
    if chance is not None:
        parts.append(f"landlord wins {chance[0]:g} to {chance[1]:g} % by the network")
    return ", ".join(parts)


if __name__ == "__main__":
    main()
