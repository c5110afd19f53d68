"""The one maker of shards: whole files of records, in processes of this machine or on the workers of a cluster."""

import functools
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

import click
from rich.progress import TextColumn

from ..cluster.command import Where, cluster_options, open_cluster, where
from ..cluster.errors import ClusterError
from ..cluster.needs import Needs
from ..shared.bars import progress_bar
from ..shared.interrupts import INTERRUPTED, stop_on_signals
from ..shared.terminal import Console
from ..shared.work.pool import run_in_pool, wants_stop
from .shards import Array, check_folder, missing, remove_parts, shard_name, shard_path, write_columns

console = Console(stderr=True)

Columns = Mapping[str, Array]
"""Type alias: the columns of a shard by name."""


class Stopped(Exception):  # noqa: N818 - not an error: somebody wished it
    """Raised while a shard is played, when somebody wants to stop."""


class Plan(Protocol):
    """What is played, before it is."""

    @property
    def games(self) -> int:
        """Games in a shard."""

    def check(self) -> None:
        """
        Refuses a plan that cannot be played.

        :raises ValueError: with one sentence that names what is wrong.
        """

    def about(self) -> dict[str, Any]:
        """Gets the head of every shard: two shards with the same head and the same games are the same."""


Play = Callable[[Any, int, Callable[[], bool]], tuple[dict[str, int], Columns]]
"""
Type alias: plays the games of a plan's shard that begins with a game, or raises :class:`Stopped` once somebody wants to
stop; gets how much of what it has, and its columns.
"""


class Work(NamedTuple):
    """What there is to do, for any process or worker."""

    plan: Plan
    play: Play
    """A function of a module."""


class Made(NamedTuple):
    """What one shard has, and what it took."""

    counts: dict[str, int]
    """The first of them is what one learns from."""
    seconds: float
    """Processor time."""


def play_shard(work: Work, first: int, stopped: Callable[[], bool]) -> tuple[Made, Columns]:
    """
    Plays a shard, and takes the time.

    :raises Stopped: once *stopped* says so.
    """
    began = time.thread_time()
    counts, columns = work.play(work.plan, first, stopped)
    return Made(counts, time.thread_time() - began), columns


def make_shard(folder: Path, work: Work, first: int) -> Made | None:
    """Makes a shard's file in a process of the pool; None if somebody wanted to stop before it was whole."""
    try:
        made, columns = play_shard(work, first, wants_stop)
    except Stopped:
        return None
    write_columns(shard_path(folder, first, work.plan.games), work.plan.about(), columns)
    return made


def shards_of_worker(work: Work, about: dict[str, Any], firsts: list[int]) -> Generator[Any, None, None]:
    """
    Plays shards on a worker of a cluster, each named by its first game.

    :raises ValueError: if kernel or networks are not those of the client, whose head is *about*.
    """
    from ..cluster.unit import unwanted

    own = work.plan.about()
    if own != about:
        other = ", ".join(name for name in about if own.get(name) != about[name])
        raise ValueError(f"this machine would make other records than the client: its {other} is another")
    for first in firsts:
        try:
            yield play_shard(work, first, unwanted)
        except Stopped:
            return


class _Bar:
    """Shows how many shards are there, and keeps what was made."""

    def __init__(self, shards: int, left: int, quiet: bool) -> None:
        self.made: list[Made] = []
        self._began = time.monotonic()
        self.bar = progress_bar(TextColumn("{task.fields[who]}", markup=False), console=console, disable=quiet)
        self._task = self.bar.add_task("shards", total=shards, completed=shards - left, who="")

    def done(self, made: Made) -> None:
        """Shows a shard that is there now."""
        self.made.append(made)
        records = sum(next(iter(one.counts.values())) for one in self.made)
        self.bar.advance(self._task)
        self.bar.update(self._task, description=f"shards, {records:,} records")

    def found(self, _first: int, made: Made | None) -> None:
        """Shows a shard that came out of a pool; None is one that was given up."""
        if made is not None:
            self.done(made)

    def show(self, text: str) -> None:
        """Shows who plays."""
        self.bar.update(self._task, who=text)

    def summary(self) -> str:
        """Says what this run made, and how fast."""
        counts: Counter[str] = Counter()
        for made in self.made:
            counts.update(made.counts)
        told = ", ".join(f"{number:,} {name}" for name, number in counts.items())
        name, number = next(iter(counts.items()))
        speed = number / sum(made.seconds for made in self.made)
        wall = time.monotonic() - self._began
        return f"{told}; {wall:.0f} s, {speed:,.0f} {name} a second of processor time."


_Command = TypeVar("_Command", bound=Callable[..., Any])


def making_options(command: _Command) -> _Command:
    """Gives a command FOLDER and the options of every maker, ``seed`` and what :func:`make` takes."""
    folder = click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
    seed = click.option("--seed", type=click.IntRange(0), default=1, help="Root seed; every deal follows from it.")
    processes = "Processes that play."
    jobs = click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, help=processes)
    quiet = click.option("--quiet", is_flag=True, help="No progress bar.")
    return folder(seed(jobs(cluster_options(quiet(command)))))


def make(
    folder: Path,
    work: Work,
    games: int,
    jobs: int,
    cluster: str | None,
    cluster_tls: tuple[str, str, str] | None,
    quiet: bool,
) -> None:
    """
    Makes the shards of so many *games* that *folder* still lacks, rounded up to whole ones.

    Where it is stopped, the process ends with :data:`INTERRUPTED`; the same command goes on.

    :raises click.UsageError: for a plan that cannot be played, or a folder with shards of another one.
    """
    plan, place = work.plan, where(cluster, cluster_tls)
    try:
        plan.check()
        folder.mkdir(parents=True, exist_ok=True)
        remove_parts(folder)
        check_folder(folder, plan.about())
    except (ValueError, OSError) as error:
        raise click.UsageError(str(error)) from None
    left = missing(folder, plan.games, games)
    bar = _Bar(-(-games // plan.games), len(left), quiet)
    failure = ""
    with stop_on_signals() as stopped, bar.bar:
        if place:
            failure = _on_cluster(folder, work, left, place, bar, stopped)
        else:
            run_in_pool(jobs, functools.partial(make_shard, folder, work), left, bar.found, stopped, shard_name)
    console.print(bar.summary() if bar.made else "No shard was made." if left else "Nothing was missing.")
    if failure:
        _say(f"Stopped: {failure}. The same command goes on.")
        sys.exit(1)
    if stopped():
        console.print("Stopped by an interrupt; run the same command again to go on.")
        sys.exit(INTERRUPTED)


def _on_cluster(
    folder: Path, work: Work, firsts: list[int], place: Where, bar: _Bar, stopped: Callable[[], bool]
) -> str:
    """Makes shards on a cluster, whose workers send columns; gets why it could not, or an empty text."""
    about = work.plan.about()

    def write(first: int, found: tuple[Made, Columns]) -> None:
        write_columns(shard_path(folder, first, work.plan.games), about, found[1])
        bar.done(found[0])

    try:
        with open_cluster(place, Needs(), _say) as cluster:
            from ..cluster.run import Job

            job = Job(functools.partial(shards_of_worker, work, about), iter(firsts), shard_name, 1, write)
            cluster.play(job, stopped, bar.show)
    except ClusterError as error:
        return str(error)
    return ""


def _say(sentence: str) -> None:
    # What a worker says may have brackets in it.
    console.print(sentence, soft_wrap=True, highlight=False)
