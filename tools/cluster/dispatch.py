"""
The one door to everything that works in units: in processes of this machine, or on the workers of a cluster.

Nothing of dask is imported before a cluster is used.
"""

import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from ..shared.terminal import say
from ..shared.work.pool import run_in_pool
from ..shared.work.worker import wants_stop
from ..shared.work.workers import Workers
from .needs import Needs

if TYPE_CHECKING:
    from distributed import Client

    from .guard import Guard
    from .run import Job

Thing = TypeVar("Thing")
Found = TypeVar("Found")

_SHOW_SECONDS = 1.0
_PATIENCE_SECONDS = 5.0


def on_stderr(sentence: str) -> None:
    """Says what is not the result of a command."""
    say(sentence, err=True)


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
