"""The one maker of shards: whole files of records, in processes of this machine or on the workers of a cluster."""

import functools
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import click
from rich.progress import TextColumn

from ..cluster.dispatch import do_all
from ..cluster.errors import ClusterError
from ..cluster.needs import Needs
from ..shared.bars import progress_bar
from ..shared.interrupts import INTERRUPTED, stop_on_signals
from ..shared.options import FOLDER
from ..shared.storage.whole_file import put
from ..shared.terminal import Console
from ..shared.work.pool import WorkersLostError
from ..shared.work.worker import wants_stop
from ..shared.work.workers import Workers, worker_options
from .shards import Array, check_folder, packed_columns, remove_parts, shard_name, shard_path

console = Console(stderr=True)

Columns = Mapping[str, Array]
"""Type alias: the columns of a shard by name."""


class Stopped(Exception):  # noqa: N818 - not an error: the user stopped it
    """Raised while a shard is played, when the run was stopped."""


class Plan(Protocol):
    """The plan of the games to play."""

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
Type alias: plays the games of a plan's shard that begins with a game, or raises :class:`Stopped` once the run is
stopped; returns how much of what it has, and the content of its file: columns, where the work has no files of its own.
"""


class Work(NamedTuple):
    """The work of making shards, for any process or worker; a derived one may have files of its own."""

    plan: Plan
    play: Play
    """A function of a module."""

    def path(self, folder: Path, first: int) -> Path:
        """Names the file of the shard that begins with game *first*."""
        return shard_path(folder, first, self.plan.games)

    def begin(self, folder: Path, about: dict[str, Any]) -> None:
        """
        Begins a folder, or resumes one.

        :raises ValueError: if it has shards of another plan, whose head is not *about*.
        """
        check_folder(folder, about)

    def packed(self, about: dict[str, Any], content: Any) -> bytes:
        """Gets what the file of a shard has."""
        return packed_columns(about, content)


class Tally(NamedTuple):
    """The content of one shard, and its costs."""

    counts: dict[str, int]
    """The first of them is what one learns from."""
    seconds: float
    """CPU seconds."""


def make_shard(work: Work, about: dict[str, Any], first: int) -> tuple[Tally, bytes] | None:
    """
    Plays the shard that begins with game *first* and packs its file; None if it is no longer wanted.

    :raises ValueError: if kernel or networks are not those of the client, whose head is *about*.
    """
    here = work.plan.about()
    if here != about:
        differing = ", ".join(part for part in about if here.get(part) != about[part])
        raise ValueError(f"this machine would make other records than the client: its {differing} is another")
    began = time.thread_time()
    try:
        counts, content = work.play(work.plan, first, wants_stop)
    except Stopped:
        return None
    return Tally(counts, time.thread_time() - began), work.packed(about, content)


class _Bar:
    """Shows how many shards are there, and counts what they have."""

    def __init__(self, shards: int, left: int, quiet: bool) -> None:
        self.tallies: list[Tally] = []
        self._began = time.monotonic()
        self.bar = progress_bar(TextColumn("{task.fields[workers]}", markup=False), console=console, disable=quiet)
        self._task = self.bar.add_task("shards", total=shards, completed=shards - left, workers="")

    def count(self, tally: Tally) -> None:
        """Shows a shard that is there now."""
        self.tallies.append(tally)
        records = sum(next(iter(shard.counts.values())) for shard in self.tallies)
        self.bar.advance(self._task)
        self.bar.update(self._task, description=f"shards, {records:,} records")

    def show(self, text: str) -> None:
        """Shows the workers in the bar."""
        self.bar.update(self._task, workers=text)

    def summary(self) -> str:
        """Says what this run made, and how fast."""
        counts: Counter[str] = Counter()
        for tally in self.tallies:
            counts.update(tally.counts)
        amounts = ", ".join(f"{amount:,} {unit}" for unit, amount in counts.items())
        unit, amount = next(iter(counts.items()))
        speed = amount / sum(tally.seconds for tally in self.tallies)
        wall = time.monotonic() - self._began
        return f"{amounts}; {wall:.0f} s, {speed:,.0f} {unit} a CPU second."


def making_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a command FOLDER and the options of every maker, ``seed`` and what :func:`make` takes."""
    folder = click.argument("folder", type=FOLDER)
    seed = click.option("--seed", type=click.IntRange(0), default=1, help="Root seed; every deal follows from it.")
    quiet = click.option("--quiet", is_flag=True, help="No progress bar.")
    return folder(seed(worker_options("Processes that play.")(quiet(command))))


def make(
    folder: Path, work: Work, games: int, workers: Workers, quiet: bool, needs: Callable[[], Needs] = Needs
) -> None:
    """
    Makes the shards of so many *games* that *folder* still lacks, rounded up to whole ones.

    *needs* says what a worker must have. Where it is stopped, the process ends with :data:`INTERRUPTED`; the same
    command resumes.

    :raises click.UsageError: for a plan that cannot be played, or a folder with shards of another one.
    """
    plan = work.plan
    try:
        plan.check()
        about = plan.about()
        folder.mkdir(parents=True, exist_ok=True)
        remove_parts(folder)
        work.begin(folder, about)
    except (ValueError, OSError) as error:
        raise click.UsageError(str(error)) from None
    left = [game for game in range(0, games, plan.games) if not work.path(folder, game).exists()]
    bar = _Bar(-(-games // plan.games), len(left), quiet)

    def done(first: int, made: tuple[Tally, bytes] | None) -> None:
        if made is not None:
            put(work.path(folder, first), made[1])
            bar.count(made[0])

    failure = ""
    with stop_on_signals() as stopped, bar.bar:
        try:
            shard = functools.partial(make_shard, work, about)
            do_all(workers, shard, left, done, stopped, shard_name, needs(), show=bar.show, tell=_say)
        except (ClusterError, WorkersLostError) as error:
            failure = str(error)
    console.print(bar.summary() if bar.tallies else "No shard was made." if left else "Nothing was missing.")
    if failure:
        _say(f"Stopped: {failure}. Run the same command again to resume.")
        sys.exit(1)
    if stopped():
        console.print("Stopped by an interrupt; run the same command again to resume.")
        sys.exit(INTERRUPTED)


def _say(sentence: str) -> None:
    # The sentence of a worker may have brackets in it.
    console.print(sentence, soft_wrap=True)
