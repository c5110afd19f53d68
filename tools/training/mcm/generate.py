"""
Lets the search play itself, and writes shards of records for the network MCM.

    python -m tools.training.mcm.generate data/mcm --games 27000
"""

import functools
import os
import sys
from collections.abc import Callable
from pathlib import Path

import click

from ddzbot.rules import RULE_SETS

from ...cluster.command import Where, cluster_options, open_cluster, where
from ...cluster.errors import ClusterError
from ...cluster.needs import Needs
from ...shared.default_rules import DEFAULT_RULES
from ...shared.interrupts import INTERRUPTED, Command, stop_on_signals
from ...shared.options import FiniteRange
from ...shared.terminal import Console
from ...shared.work.pool import run_in_pool, wants_stop
from ..shared.shard_bar import ShardBar
from ..shared.shard_files import check_folder, missing, remove_parts, shard_name, shard_path
from .dataset import load_records
from .making import Made, needed_kernel, play_shard
from .plan import DEFAULT, THESIS, Plan
from .selfplay import Stopped
from .shards import write_shard

console = Console(stderr=True)


def make_shard(folder: Path, plan: Plan, first: int) -> Made | None:
    """Makes the shard whose first game this is; None if somebody wanted to stop before it was whole."""
    try:
        made, about, shard = play_shard(plan, first, wants_stop)
    except Stopped:
        return None
    write_shard(shard_path(folder, first, plan.games), about, shard)
    return made


@click.command(context_settings={"show_default": True}, cls=Command)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--games", type=click.IntRange(1), default=1000, help="Games in all, rounded up to whole shards.")
@click.option("--rules", type=click.Choice(list(RULE_SETS)), default=DEFAULT_RULES, help="Rule set of all games.")
@click.option("--seed", type=click.IntRange(0), default=1, help="Root seed; every deal follows from it.")
@click.option("--setting", type=click.Choice([DEFAULT, THESIS]), default=DEFAULT, help="How mctshs plays.")
@click.option("--playouts", type=click.IntRange(1), default=2000, help="Simulations of a decision, at least.")
@click.option("--visits", type=click.IntRange(1), default=100, help="Simulations of each candidate, at least.")
@click.option(
    "--explore", type=FiniteRange(0, 1), default=0.15, help="Share of decisions in which a worse move may be played."
)
@click.option("--shard", type=click.IntRange(1), default=50, help="Games in a shard: what an interrupt can lose.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, help="Processes that play.")
@cluster_options
@click.option("--quiet", is_flag=True, help="No progress bar.")
def main(
    folder: Path,
    games: int,
    rules: str,
    seed: int,
    setting: str,
    playouts: int,
    visits: int,
    explore: float,
    shard: int,
    jobs: int,
    cluster: str | None,
    cluster_tls: tuple[str, str, str] | None,
    quiet: bool,
) -> None:
    """
    Lets the search play against itself, and writes (view, move, payoff) records into shards in FOLDER.

    The same command goes on where an earlier one was stopped, in whatever way, on this machine or with --cluster;
    more --games add to what is there.
    """
    plan = Plan(rules, seed, playouts, visits, explore, shard, setting)
    place = where(cluster, cluster_tls)
    try:
        plan.check()
        folder.mkdir(parents=True, exist_ok=True)
        remove_parts(folder)
        check_folder(folder, plan.about(needed_kernel()))
    except (ValueError, OSError) as error:
        raise click.UsageError(str(error)) from None
    left = missing(folder, plan.games, games)
    bar: ShardBar[Made] = ShardBar(-(-games // plan.games), len(left), console, quiet)
    with stop_on_signals() as stopped, bar:
        failure = _make(folder, plan, left, place or jobs, bar, stopped)
    who = "a cluster" if place else f"{jobs} processes"
    console.print(bar.summary(functools.partial(_told, who)))
    if failure:
        _say(f"Stopped: {failure}. The same command goes on.")
        sys.exit(1)
    if stopped():
        console.print("Stopped by an interrupt; run the same command again to go on.")
        sys.exit(INTERRUPTED)
    with console.status("counting duplicates"):
        records = load_records([folder])
    console.print(records.summary())


def _make(
    folder: Path, plan: Plan, firsts: list[int], who: Where | int, bar: ShardBar[Made], stopped: Callable[[], bool]
) -> str:
    """Makes shards on a cluster or in so many processes, and gets why a cluster could not, or an empty text."""
    if isinstance(who, int):
        run_in_pool(who, functools.partial(make_shard, folder, plan), firsts, bar.found, stopped, shard_name)
        return ""
    try:
        with open_cluster(who, Needs(), _say) as cluster:
            from .on_cluster import make_shards

            make_shards(cluster, folder, plan, firsts, bar.done, stopped, bar.show)
    except ClusterError as error:
        return str(error)
    return ""


def _say(sentence: str) -> None:
    # What a worker says may have brackets in it.
    console.print(sentence, soft_wrap=True, highlight=False)


def _told(who: str, made: list[Made], wall: float) -> str:
    """Says what was made, and how fast."""
    total = Made(*map(sum, zip(*made, strict=True)))
    return (
        f"{total.records:,} records of {total.decisions:,} decisions with {total.playouts / total.decisions:,.0f} "
        f"simulations each; {wall:.0f} s with {who}, {total.records / total.seconds:,.0f} records "
        f"and {total.playouts / total.seconds:,.0f} simulations a second of processor time."
    )


if __name__ == "__main__":
    main()
