"""
Counts how often players keep their bombs in recorded games: ``python -m tools lab bombs FILE``.

A case is a position and a rank of which the two hidden seats held all four cards, one of them has played some and the
other none, and it is open whether that other one holds more than one (:func:`ddzbot.belief.models.bomb_holder`).
What each belief expects of the cases is printed too.
"""

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import click
from rich.progress import track
from rich.table import Table

from ddzbot.belief.models import bomb_holder
from ddzbot.belief.worlds import BELIEFS, worlds_of_belief
from ddzbot.cards import RANK_COUNT, RANKS, count

from ..records.files import records_in
from ..records.record import RecordError
from ..shared.interrupts import Command
from ..shared.options import EXISTING_FILE
from ..shared.terminal import Console
from .fit_belief.examples import Example, examples_of, with_all_hands

EVERY = 4
"""One position in so many is looked at; a multiple of 3 would show each game to one seat only."""


class Case(NamedTuple):
    """One case, and what each belief expects of it."""

    rank: int
    out: int
    """The cards of the rank that have not been played."""
    held: int
    """Those that the seat holds which has played none."""
    expected: dict[str, list[float]]
    """By belief: the probability of each number of cards, from 0 to :attr:`out`."""


class Expectation(NamedTuple):
    """What a belief expects of some cases: percentages, and the mean log loss of the number that is held."""

    many: float
    whole: float
    log_loss: float


def cases_of(examples: Iterable[Example]) -> Iterator[Case]:
    """Yields all cases of some positions."""
    for example in examples:
        certain, view = example.certain, example.view
        played = view.played(certain.seats[0]), view.played(certain.seats[1])
        worlds = {belief: worlds_of_belief(view, belief, certain) for belief in BELIEFS}
        for rank in range(RANK_COUNT):
            silent = bomb_holder(certain.unseen, played, rank)
            if silent is not None and count(certain.least[silent], rank) <= 1 < count(certain.most[silent], rank):
                out, of_first = count(certain.unseen, rank), count(example.held, rank)
                seat = certain.seats[silent]
                expected = {
                    belief: [each.probability(seat, rank, cards) for cards in range(out + 1)]
                    for belief, each in worlds.items()
                }
                yield Case(rank, out, out - of_first if silent else of_first, expected)


def expectation(cases: list[Case], belief: str) -> Expectation:
    """Gets what a belief expects of all of *cases*, of which there is at least one."""
    total = len(cases)
    return Expectation(
        100 * sum(sum(case.expected[belief][2:]) for case in cases) / total,
        100 * sum(case.expected[belief][case.out] for case in cases) / total,
        -sum(math.log(case.expected[belief][case.held]) for case in cases) / total,
    )


def table_of_ranks(cases: list[Case]) -> Table:
    """Makes the table of what was held, by rank, beside what uniform hands expect."""
    table = Table("rank", "cases", "more than one %", "by chance %", "all %", "by chance %")
    for ranks in (*([rank] for rank in range(RANK_COUNT)), range(RANK_COUNT)):
        chosen = [case for case in cases if case.rank in ranks]
        if chosen:
            chance = expectation(chosen, "uniform")
            many = 100 * sum(case.held > 1 for case in chosen) / len(chosen)
            whole = 100 * sum(case.held == case.out for case in chosen) / len(chosen)
            figures = (f"{share:.1f}" for share in (many, chance.many, whole, chance.whole))
            table.add_row(RANKS[ranks[0]] if len(ranks) == 1 else "all", f"{len(chosen):,}", *figures)
    return table


def table_of_beliefs(cases: list[Case]) -> Table:
    """Makes the table of what each belief expects of all cases."""
    table = Table("belief", "more than one %", "all %", "log loss")
    for belief in BELIEFS:
        expected = expectation(cases, belief)
        table.add_row(belief, f"{expected.many:.1f}", f"{expected.whole:.1f}", f"{expected.log_loss:.3f}")
    return table


@click.command(cls=Command)
@click.argument("file", type=EXISTING_FILE)
def main(file: Path) -> None:
    """Count how often players keep their bombs in the games of FILE, and what each belief expects."""
    console = Console()
    try:
        examples = examples_of(with_all_hands(records_in(file)), EVERY)
        cases = list(cases_of(track(examples, "reading", total=None, console=console, transient=True)))
    except RecordError as error:
        raise click.ClickException(str(error)) from None
    if not cases:
        raise click.ClickException(f"{file}: there is no case in games with all hands known")
    console.print(table_of_ranks(cases))
    console.print(table_of_beliefs(cases))
