"""
The one door to everything that works in units: in processes of this machine, or on the workers of a cluster.

Nothing of dask is imported before a cluster is used.
"""

import importlib.util
import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from ..shared.install import how_to_get
from ..shared.terminal import say
from ..shared.work.pool import run_in_pool
from ..shared.work.worker import wants_stop
from .needs import Needs

if TYPE_CHECKING:
    from distributed import Client

    from .guard import Guard
    from .run import Job

Thing = TypeVar("Thing")
Found = TypeVar("Found")

PACKAGE = "distributed"

_SHOW_SECONDS = 1.0
_PATIENCE_SECONDS = 5.0


def on_stderr(sentence: str) -> None:
    """Says what is not the result of a command."""
    say(sentence, err=True)


class Workers(NamedTuple):
    """The processes that work: so many of this machine, or the workers of a cluster."""

    jobs: int
    place: str | None = None
    """The address of a scheduler."""

    @property
    def words(self) -> list[str]:
        """The options that say so to another command."""
        if self.place is None:
            return ["--jobs", str(self.jobs)]
        return ["--cluster", self.place]


def worker_options(
    sentence: str, name: str = "jobs", usual: int = os.cpu_count() or 1, most: int | None = None
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Gives a command ``--jobs``, or another *name* and ``--cluster``: it gets its :class:`Workers`."""

    def with_crew(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def called(*words: Any, cluster: str | None, **options: Any) -> Any:
            _check(name, cluster)
            return command(*words, workers=Workers(options.pop(name), cluster), **options)

        address = click.option(
            "--cluster",
            metavar="ADDRESS",
            help="Work on the workers of this dask scheduler, such as tcp://10.0.0.7:8786.",
        )
        jobs = click.option(f"--{name}", type=click.IntRange(1, most), default=usual, show_default=True, help=sentence)
        return jobs(address(called))

    return with_crew


def _check(jobs: str, address: str | None) -> None:
    """
    Makes sure that the command can work on the cluster that was asked for.

    :raises click.UsageError: for options that do not go together, and where dask is not installed.
    """
    if address is None:
        return
    if click.get_current_context().get_parameter_source(jobs) is click.core.ParameterSource.COMMANDLINE:
        raise click.UsageError(f"--{jobs} is for this machine; on a cluster play as many as it has workers")
    if importlib.util.find_spec(PACKAGE) is None:
        raise click.UsageError(f"--cluster: {how_to_get(PACKAGE)}")


def do_all(
    workers: Workers,
    function: Callable[[Thing], Found],
    things: Iterable[Thing],
    done: Callable[[Thing, Found], None],
    stopped: Callable[[], bool] = lambda: False,
    name: Callable[[Thing], str] = str,
    needs: Needs | None = None,
    most: int = 1,
    show: Callable[[str], None] = lambda text: None,
    tell: Callable[[str], None] = on_stderr,
) -> None:
    """
    Calls *function* for all *things*, here or there, as :func:`tools.shared.work.pool.run_in_pool` does.

    On a cluster *needs* is what a worker must have, and a worker gets at most *most* things at once. *show* is called
    now and then with a line about the workers, and *tell* with messages for the user.

    :raises WorkersLostError: here, for a thing that ends every process that does it.
    :raises ClusterError: there, if the cluster fails. Results until then have been passed to *done*.
    """
    if workers.place is None:
        run_in_pool(workers.jobs, function, things, done, stopped, name)
        return
    with open_cluster(workers.place, needs or Needs(), tell) as cluster:
        from .run import Job

        cluster.play(Job(partial(_each, function), iter(things), name, most, done), stopped, show)


def _each(function: Callable[[Thing], Found], things: list[Thing]) -> Generator[Found, None, None]:
    """Calls it on a worker; an answer that is no longer wanted is dropped."""
    for thing in things:
        result = function(thing)
        if wants_stop():
            return
        yield result


class Cluster:
    """An open cluster, whose workers are checked before they are used."""

    def __init__(self, place: str, client: "Client", guard: "Guard", tell: Callable[[str], None]) -> None:
        self._place = place
        self._client = client
        self._guard = guard
        self._tell = tell

    def play(self, job: "Job[Thing]", stopped: Callable[[], bool], show: Callable[[str], None]) -> int:
        """
        Plays a job to its end, or until *stopped* returns true; *show* is called now and then with the number of
        workers and their speed.

        Returns the number of bytes that were sent to the workers.

        :raises ClusterError: if the cluster fails. Results until then have been passed to *done*.
        """
        from .run import ClusterRun

        run = ClusterRun(self._client, self._place, self._guard, job)
        began = shown = time.monotonic()
        patient = True

        def look() -> None:
            nonlocal shown, patient
            now, workers = time.monotonic(), len(self._guard.threads)
            if now - shown > _SHOW_SECONDS:
                shown = now
                show(f"{workers} worker{'' if workers == 1 else 's'}, {run.found / (now - began):.2f}/s")
            if patient and not workers and now - began > _PATIENCE_SECONDS:
                patient = False
                how = "docs/guide/cluster.md says how to start one"
                self._tell(f"Waiting for a worker of {self._place}; {how}.")

        run.play(stopped, look)
        return run.sent


@contextmanager
def open_cluster(place: str, needs: Needs, tell: Callable[[str], None]) -> Iterator[Cluster]:
    """
    Connects to a cluster; *tell* gets a sentence for each worker that is refused.

    :raises ClusterError: if there is none.
    """
    from .connect import connected
    from .guard import Guard

    with connected(place) as client:
        guard = Guard(client, place, needs, tell)
        try:
            yield Cluster(place, client, guard, tell)
        finally:
            guard.close()
