"""
Lets the champion play itself, and writes shards of records for the networks of DeepRocket.

    python -m tools.training.rocket.generate data/rocket --games 72000
"""

import functools
import os
import sys
import time
from pathlib import Path
from typing import NamedTuple

import click

from ddzbot.rules import RULE_SETS

from ...shared.default_rules import DEFAULT_RULES
from ...shared.interrupts import INTERRUPTED, Command, stop_on_signals
from ...shared.options import FiniteRange
from ...shared.terminal import Console
from ...shared.work.pool import run_in_pool, wants_stop
from ..shared.shard_bar import ShardBar
from ..shared.shard_files import check_folder, missing, remove_parts, shard_name, shard_path, write_columns
from .games import Stopped, taught_game
from .plan import Plan
from .shards import shard_of

console = Console(stderr=True)


class Made(NamedTuple):
    """What one shard took."""

    records: int
    questions: int
    seconds: float
    """Processor time."""


def make_shard(folder: Path, plan: Plan, first: int) -> Made | None:
    """Makes the shard whose first game this is; None if somebody wanted to stop before it was whole."""
    began = time.thread_time()
    player = plan.player()
    try:
        games = [taught_game(plan, player, index, wants_stop) for index in range(first, first + plan.games)]
    except Stopped:
        return None
    columns = shard_of(games)
    write_columns(shard_path(folder, first, plan.games), plan.about(), columns)
    return Made(len(columns["label"]), len(columns["kicker_label"]), time.thread_time() - began)


@click.command(context_settings={"show_default": True}, cls=Command)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--games", type=click.IntRange(1), default=1000, help="Games in all, rounded up to whole shards.")
@click.option("--rules", type=click.Choice(list(RULE_SETS)), default=DEFAULT_RULES, help="Rule set of all games.")
@click.option("--seed", type=click.IntRange(0), default=1, help="Root seed; every deal follows from it.")
@click.option("--teacher", default="champion", help="Who plays: the champion, with any of its options.")
@click.option("--playouts", type=click.IntRange(0), default=20, help="Playouts of a decision; 0: its network alone.")
@click.option(
    "--explore", type=FiniteRange(0, 1), default=0.1, help="Share of decisions in which another good move is played."
)
@click.option("--shard", type=click.IntRange(1), default=250, help="Games in a shard: what an interrupt can lose.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, help="Processes that play.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def main(
    folder: Path,
    games: int,
    rules: str,
    seed: int,
    teacher: str,
    playouts: int,
    explore: float,
    shard: int,
    jobs: int,
    quiet: bool,
) -> None:
    """
    Lets the champion play against itself, and writes what it chose into shards in FOLDER.

    The same command goes on where an earlier one was stopped, in whatever way; more --games add to what is there.
    """
    plan = Plan(rules, seed, teacher, playouts, explore, shard)
    try:
        plan.check()
        folder.mkdir(parents=True, exist_ok=True)
        remove_parts(folder)
        check_folder(folder, plan.about())
    except (ValueError, OSError) as error:
        raise click.UsageError(str(error)) from None
    left = missing(folder, plan.games, games)
    bar: ShardBar[Made] = ShardBar(-(-games // plan.games), len(left), console, quiet)
    with stop_on_signals() as stopped, bar:
        run_in_pool(jobs, functools.partial(make_shard, folder, plan), left, bar.found, stopped, shard_name)
    console.print(bar.summary(_told))
    if stopped():
        console.print("Stopped by an interrupt; run the same command again to go on.")
        sys.exit(INTERRUPTED)


def _told(made: list[Made], wall: float) -> str:
    total = Made(*map(sum, zip(*made, strict=True)))
    return (
        f"{total.records:,} decisions and {total.questions:,} questions for kickers; {wall:.0f} s, "
        f"{total.records / total.seconds:,.0f} decisions a second of processor time."
    )


if __name__ == "__main__":
    main()
