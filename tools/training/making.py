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
from .shards import Array, check_folder, remove_parts, shard_name, shard_path, write_columns

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


Play = Callable[[Any, int, Callable[[], bool]], tuple[dict[str, int], Any]]
"""
Type alias: plays the games of a plan's shard that begins with a game, or raises :class:`Stopped` once somebody wants to
stop; gets how much of what it has, and what its file has: columns, where the work has no files of its own.
"""


class Work(NamedTuple):
    """What there is to do, for any process or worker; a derived one may have files of its own."""

    plan: Plan
    play: Play
    """A function of a module."""

    def path(self, folder: Path, first: int) -> Path:
        """Names the file of the shard that begins with game *first*."""
        return shard_path(folder, first, self.plan.games)

    def begin(self, folder: Path, about: dict[str, Any]) -> None:
        """
        Begins a folder, or goes on with one.

        :raises ValueError: if it has shards of another plan, whose head is not *about*.
        """
        check_folder(folder, about)

    def write(self, path: Path, about: dict[str, Any], content: Any) -> None:
        """Writes the file of a shard in one step."""
        write_columns(path, about, content)


class Tally(NamedTuple):
    """What one shard has, and what it took."""

    counts: dict[str, int]
    """The first of them is what one learns from."""
    seconds: float
    """Processor time."""


def play_shard(work: Work, first: int, stopped: Callable[[], bool]) -> tuple[Tally, Any]:
    """
    Plays a shard, and takes the time.

    :raises Stopped: once *stopped* says so.
    """
    began = time.thread_time()
    counts, content = work.play(work.plan, first, stopped)
    return Tally(counts, time.thread_time() - began), content


def make_shard(folder: Path, work: Work, first: int) -> Tally | None:
    """Makes a shard's file in a process of the pool; None if somebody wanted to stop before it was whole."""
    try:
        tally, content = play_shard(work, first, wants_stop)
    except Stopped:
        return None
    work.write(work.path(folder, first), work.plan.about(), content)
    return tally


def shards_of_worker(work: Work, about: dict[str, Any], firsts: list[int]) -> Generator[Any, None, None]:
    """
    Plays shards on a worker of a cluster, each named by its first game.

    :raises ValueError: if kernel or networks are not those of the client, whose head is *about*.
    """
    from ..cluster.unit import unwanted

    here = work.plan.about()
    if here != about:
        other = ", ".join(name for name in about if here.get(name) != about[name])
        raise ValueError(f"this machine would make other records than the client: its {other} is another")
    for first in firsts:
        try:
            yield play_shard(work, first, unwanted)
        except Stopped:
            return


class _Bar:
    """Shows how many shards are there, and counts what they have."""

    def __init__(self, shards: int, left: int, quiet: bool) -> None:
        self.tallies: list[Tally] = []
        self._began = time.monotonic()
        self.bar = progress_bar(TextColumn("{task.fields[who]}", markup=False), console=console, disable=quiet)
        self._task = self.bar.add_task("shards", total=shards, completed=shards - left, who="")

    def count(self, _first: int, tally: Tally | None) -> None:
        """Shows a shard that is there now; None is one that was given up."""
        if tally is not None:
            self.tallies.append(tally)
            records = sum(next(iter(one.counts.values())) for one in self.tallies)
            self.bar.advance(self._task)
            self.bar.update(self._task, description=f"shards, {records:,} records")

    def show(self, text: str) -> None:
        """Shows who plays."""
        self.bar.update(self._task, who=text)

    def summary(self) -> str:
        """Says what this run made, and how fast."""
        counts: Counter[str] = Counter()
        for tally in self.tallies:
            counts.update(tally.counts)
        amounts = ", ".join(f"{number:,} {name}" for name, number in counts.items())
        name, number = next(iter(counts.items()))
        speed = number / sum(tally.seconds for tally in self.tallies)
        wall = time.monotonic() - self._began
        return f"{amounts}; {wall:.0f} s, {speed:,.0f} {name} a second of processor time."


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
        work.begin(folder, plan.about())
    except (ValueError, OSError) as error:
        raise click.UsageError(str(error)) from None
    left = [first for first in range(0, games, plan.games) if not work.path(folder, first).exists()]
    bar = _Bar(-(-games // plan.games), len(left), quiet)
    failure = ""
    with stop_on_signals() as stopped, bar.bar:
        if place:
            failure = _on_cluster(folder, work, left, place, bar, stopped)
        else:
            run_in_pool(jobs, functools.partial(make_shard, folder, work), left, bar.count, stopped, shard_name)
    console.print(bar.summary() if bar.tallies else "No shard was made." if left else "Nothing was missing.")
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

    def write(first: int, shard: tuple[Tally, Any]) -> None:
        tally, content = shard
        work.write(work.path(folder, first), about, content)
        bar.count(first, tally)

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
