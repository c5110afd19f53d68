"""
Makes a bench of decisions with precise values: ``python -m tools lab decisions make FOLDER --decisions 20000``.

The champion plays games against itself. Of each game and seat one decision is drawn in which several moves compete and
nothing is proved, and each of these moves is played out in the same worlds. The same command goes on where it was
stopped, with any number of processes, and the same command makes the same bytes.
"""

import functools
import os
import sys
import time
from pathlib import Path
from typing import NamedTuple

import click

from ddzbot.rules import RULE_SETS

from ...shared.bars import progress_bar
from ...shared.default_rules import DEFAULT_RULES
from ...shared.interrupts import INTERRUPTED, Command, stop_on_signals
from ...shared.terminal import Console
from ...shared.work.pool import run_in_pool
from .decision import write_unit
from .drawing import decisions_of, needed_kernel
from .recipe import HALVES, UNIT, Recipe, begin, missing_units, network_of

console = Console(stderr=True)


class Made(NamedTuple):
    """A unit that was written."""

    decisions: int
    seconds: float
    """Of processor time."""


def make_unit(folder: Path, recipe: Recipe, unit: int) -> Made | None:
    """Makes a unit; None if nobody waits for it before it is whole."""
    began = time.process_time()
    found = decisions_of(recipe, unit)
    if found is None:
        return None
    write_unit(folder, unit, found)
    return Made(len(found), time.process_time() - began)


@click.command(context_settings={"show_default": True}, cls=Command)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--decisions", type=click.IntRange(1), default=20_000, help=f"In all, rounded up to units of {UNIT}.")
@click.option("--rules", type=click.Choice(list(RULE_SETS)), default=DEFAULT_RULES, help="Rule set of all games.")
@click.option("--seed", type=click.IntRange(0), default=1, help="Root seed; every deal and world follows from it.")
@click.option("--player", default="champion", help="Who plays the games.")
@click.option("--limit", default="100p", help="Limit of a decision in the games, in playouts.")
@click.option(
    "--worlds", type=click.IntRange(HALVES, 8000), default=300, help="Worlds of a decision: its playouts a move."
)
@click.option("--drawn", type=click.IntRange(1, 16), default=4, help="Worlds that are drawn for each one taken.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, help="Processes.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def main(
    folder: Path,
    decisions: int,
    rules: str,
    seed: int,
    player: str,
    limit: str,
    worlds: int,
    drawn: int,
    jobs: int,
    quiet: bool,
) -> None:
    """Make a bench in FOLDER, or go on with it; more --decisions add to what is there."""
    needed_kernel()
    try:
        recipe = Recipe(rules, seed, player, limit, worlds, drawn, network_of(rules))
        recipe.check()
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    begin(folder, recipe)
    units = missing_units(folder, decisions)
    made: list[Made] = []
    with stop_on_signals() as stopped, progress_bar(console=console, disable=quiet) as progress:
        whole = -(-decisions // UNIT) * UNIT
        bar = progress.add_task("decisions", total=whole, completed=whole - UNIT * len(units))

        def done(_unit: int, one: Made | None) -> None:
            if one is not None:
                made.append(one)
                progress.advance(bar, one.decisions)

        run_in_pool(jobs, functools.partial(make_unit, folder, recipe), units, done, stopped)
    console.print(_summary(made), highlight=False)
    if stopped():
        console.print("Stopped by an interrupt; run the same command again to go on.")
        sys.exit(INTERRUPTED)


def _summary(made: list[Made]) -> str:
    total = Made(*map(sum, zip(*made, strict=True))) if made else Made(0, 0.0)
    if not total.seconds:
        return "Nothing was made."
    return (
        f"{total.decisions:,} decisions in {total.seconds / 60:,.1f} minutes of processor time, "
        f"{total.decisions / total.seconds:.1f} a second."
    )
