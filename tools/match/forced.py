"""
What bids cost: games of duplicate sets are played again with another bid forced.

    python -m tools.match.forced champion rule --rules botzone2 --limit 400p --sets 50

For each bid of the first contestant, every other legal bid is forced in its place; the later bids and the play are the
contestants' own. Over many deals the mean difference is what a kind of bid gains or loses; of one deal it says little.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import click
import numpy as np
from rich.progress import Progress
from rich.table import Table

from ddzbot.game import SEATS, shuffled
from ddzbot.rules import RULE_SETS, rule_set
from ddzbot.view import BidView

from ..shared.compiling import kernel_at_start
from ..shared.contestants import parse_contestant
from ..shared.default_rules import AUCTION_RULES
from ..shared.interrupts import Command
from ..shared.limits import parse_limit
from ..shared.seeds import player_seed
from ..shared.terminal import Console
from .plan import LETTERS, Plan
from .table import PlayerTable

PLACES = ("first", "second", "third")
_WITH_BIDDING = [name for name, rules in RULE_SETS.items() if rules.bidding]


class Forced(NamedTuple):
    """A bid that was made, another in its place, and what came of it."""

    position: int
    made: int
    forced: int
    gain: float
    """What the bidder was paid more with the forced bid."""


def forced_bids(plan: Plan, table: PlayerTable, index: int) -> Iterator[Forced]:
    """Plays a set, and again with every other legal bid of contestant A."""
    rules, name = rule_set(plan.rules), plan.deal_seed(index)
    deal = shuffled(rules, name)
    for number, seating in enumerate(plan.seatings):
        seeds = [player_seed(name, number, position) for position in range(SEATS)]
        played = table.play(deal, seating, seeds)
        game = played.game
        assert game is not None
        for position, made in enumerate(game.bids):
            if seating[position] != LETTERS[0]:
                continue
            earlier = game.bids[:position]
            paid = _paid(played.scores, game.landlord_position, position)
            for bid in BidView(rules, deal.hands[position], earlier).legal_bids:
                if bid != made:
                    other = table.play(deal, seating, seeds, {**dict(enumerate(earlier)), position: bid})
                    gain = _paid(other.scores, other.landlord_position, position) - paid
                    yield Forced(position, made, bid, gain)


def _paid(scores: tuple[float, float, float], landlord: int, position: int) -> float:
    return scores[(position - landlord) % SEATS]


def table_of(found: list[Forced]) -> Table:
    """Shows, by place and bid, what the other bids would have been paid more."""
    table = Table("place", "bid made", "forced", "cases", "points more", title="what other bids are paid more")
    cases: dict[tuple[int, int, int], list[float]] = defaultdict(list)
    for position, made, forced, gain in found:
        cases[position, made, forced].append(gain)
    for (position, made, forced), gains in sorted(cases.items()):
        error = 1.96 * float(np.std(gains, ddof=1)) / len(gains) ** 0.5 if len(gains) > 1 else float("nan")
        row = (PLACES[position], str(made), str(forced), str(len(gains)), f"{np.mean(gains):+.2f} ± {error:.2f}")
        table.add_row(*row)
    return table


@click.command(cls=Command)
@click.argument("contestants", nargs=2)
@click.option("--rules", type=click.Choice(_WITH_BIDDING), default=AUCTION_RULES, show_default=True, help="Rule set.")
@click.option("--sets", type=click.IntRange(1), default=20, show_default=True, help="Duplicate sets of six games.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Root seed of the deals.")
@click.option("--namespace", default="gate", show_default=True, help="Which deals.")
@click.option("--limit", default="", help="Limit of a decision: 0.2s, 5000p (playouts) or both with a comma.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def main(
    contestants: tuple[str, str], rules: str, sets: int, seed: int, namespace: str, limit: str, quiet: bool
) -> None:
    """Play the deals of a match between two CONTESTANTS with other bids of the first one forced."""
    plan = Plan(rules, contestants, sets, seed, namespace, limit)
    try:
        plan.check()
        parsed = [parse_contestant(one) for one in contestants]
        if any(one.is_program for one in parsed):
            raise ValueError("programs cannot be forced to bid: name two players")
        parsed_limit = parse_limit(limit)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    kernel_at_start()
    engines = {letter: one.engine() for letter, one in zip(LETTERS, parsed, strict=True)}
    table = PlayerTable(rule_set(rules), parsed_limit, engines)
    found: list[Forced] = []
    with Progress(console=Console(), disable=quiet) as progress:
        bar = progress.add_task("sets", total=sets)
        for index in range(sets):
            found += forced_bids(plan, table, index)
            progress.advance(bar)
    Console().print(table_of(found))


if __name__ == "__main__":
    main()
