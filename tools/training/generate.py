"""
Self-play of the search into shards of records for the network MCM.

    python -m tools.training.generate data/mcm --games 27000
"""

import functools
import os
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ddzbot.kernel import describe, native
from ddzbot.kernel.binding import Kernel
from ddzbot.rules import RULE_SETS
from tools.training.dataset import load_records
from tools.training.plan import Plan
from tools.training.pool import run_in_pool, wants_stop
from tools.training.selfplay import Stopped, searched_game
from tools.training.shards import read_about, remove_parts, shard_of, shard_path, shard_paths, write_shard
from tools.training.stopping import INTERRUPTED, stop_on_signals

console = Console(stderr=True)


class Made(NamedTuple):
    """What one shard took."""

    records: int
    decisions: int
    playouts: int
    seconds: float
    """Processor time."""


def missing(folder: Path, plan: Plan, games: int) -> list[int]:
    """Lists the first games of the shards that *folder* still lacks for so many games."""
    return [first for first in range(0, games, plan.games) if not shard_path(folder, first, plan.games).exists()]


def check_folder(folder: Path, about: dict[str, Any]) -> None:
    """
    Refuses a folder with shards of another plan.

    :raises ValueError: with one sentence that says what differs.
    """
    for path in shard_paths(folder):
        have = read_about(path)
        for name, value in about.items():
            if have.get(name) != value:
                raise ValueError(
                    f"shard {path} is of other games: {name} is {have.get(name)!r} there and {value!r} here; "
                    "name another folder"
                )


def make_shard(folder: Path, plan: Plan, first: int) -> Made | None:
    """Makes the shard whose first game this is; None if somebody wanted to stop before it was whole."""
    began = time.process_time()
    kernel = _kernel()
    try:
        decisions = [
            one for game in range(first, first + plan.games) for one in searched_game(kernel, plan, game, wants_stop)
        ]
    except Stopped:
        return None
    shard = shard_of(decisions)
    write_shard(shard_path(folder, first, plan.games), plan.about(kernel), shard)
    playouts = sum(one.playouts for one in decisions)
    return Made(len(shard.move), len(decisions), playouts, time.process_time() - began)


def _kernel() -> Kernel:
    kernel = native()
    if kernel is None:
        raise ValueError(f"self-play needs the kernel, which `make kernel` compiles ({describe()})")
    return kernel


@click.command(context_settings={"show_default": True})
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--games", type=click.IntRange(1), default=1000, help="Games in all, rounded up to whole shards.")
@click.option("--rules", type=click.Choice(list(RULE_SETS)), default="botzone", help="Rule set of all games.")
@click.option("--seed", type=click.IntRange(0), default=1, help="Root seed; every deal follows from it.")
@click.option("--playouts", type=click.IntRange(1), default=2000, help="Simulations of a decision, at least.")
@click.option("--visits", type=click.IntRange(1), default=100, help="Simulations of each candidate, at least.")
@click.option("--explore", type=float, default=0.15, help="Share of decisions in which a worse move may be played.")
@click.option("--shard", type=click.IntRange(1), default=50, help="Games in a shard: what an interrupt can lose.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, help="Processes that play.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def main(
    folder: Path,
    games: int,
    rules: str,
    seed: int,
    playouts: int,
    visits: int,
    explore: float,
    shard: int,
    jobs: int,
    quiet: bool,
) -> None:
    """
    Lets the search play against itself, and writes (view, move, payoff) records into shards in FOLDER.

    The same command goes on where an earlier one was stopped, in whatever way; more --games add to what is there.
    """
    plan = Plan(rules, seed, playouts, visits, explore, shard)
    try:
        plan.check()
        folder.mkdir(parents=True, exist_ok=True)
        remove_parts(folder)
        check_folder(folder, plan.about(_kernel()))
    except (ValueError, OSError) as error:
        raise click.UsageError(str(error)) from None
    stopped = stop_on_signals()
    left = missing(folder, plan, games)
    with _Bar(-(-games // plan.games), len(left), jobs, quiet) as bar:
        run_in_pool(functools.partial(make_shard, folder, plan), iter(left), jobs, bar.done, stopped)
    console.print(bar.summary())
    if stopped():
        console.print("Stopped by an interrupt; run the same command again to go on.")
        sys.exit(INTERRUPTED)
    with console.status("counting duplicates"):
        records = load_records([folder])
    console.print(records.summary())


class _Bar:
    """The progress bar with the speed so far."""

    def __init__(self, shards: int, left: int, jobs: int, quiet: bool) -> None:
        self._made: list[Made] = []
        self._began = time.monotonic()
        self._jobs = jobs
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("shards"),
            TimeRemainingColumn(),
            console=console,
            disable=quiet,
        )
        self._task = self._bar.add_task("playing", total=shards, completed=shards - left)

    def __enter__(self) -> "_Bar":
        self._bar.start()
        return self

    def __exit__(self, *exception: Any) -> None:
        self._bar.stop()

    def done(self, made: Made) -> None:
        """Shows a shard that is there now."""
        self._made.append(made)
        self._bar.advance(self._task)
        self._bar.update(self._task, description=f"{sum(one.records for one in self._made):,} records")

    def summary(self) -> str:
        """Says what this run made, and how fast."""
        total = Made(*map(sum, zip(*self._made, strict=True))) if self._made else Made(0, 0, 0, 0.0)
        wall = time.monotonic() - self._began
        if not total.seconds:
            return "Nothing was missing."
        return (
            f"{total.records:,} records of {total.decisions:,} decisions with {total.playouts / total.decisions:,.0f} "
            f"simulations each; {wall:.0f} s with {self._jobs} processes, {total.records / total.seconds:,.0f} records "
            f"and {total.playouts / total.seconds:,.0f} simulations a second of processor time."
        )


if __name__ == "__main__":
    main()
