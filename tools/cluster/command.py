"""
What commands that can play on a cluster share: the options, and the way there.

Nothing of dask is imported before somebody asks for a cluster.
"""

import importlib.util
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from ..shared.install import how_to_get
from .needs import Needs

if TYPE_CHECKING:
    from distributed import Client

    from .guard import Guard
    from .run import Job

Command = TypeVar("Command", bound=Callable[..., Any])
Thing = TypeVar("Thing")

PACKAGE = "distributed"

_SHOW_SECONDS = 1.0
_PATIENCE_SECONDS = 5.0


class Where(NamedTuple):
    """Which cluster, as the command line says."""

    address: str
    tls: tuple[str, str, str] | None
    """Files of the authority's certificate, of one's own, and of its key."""


def cluster_options(command: Command) -> Command:
    """Gives a command ``--cluster`` and ``--cluster-tls``; :func:`where` reads them."""
    files = click.option(
        "--cluster-tls",
        nargs=3,
        metavar="CA CERT KEY",
        type=click.Path(exists=True, dir_okay=False),
        help="With --cluster tls://...: the files of the authority's certificate, of yours and of its key.",
    )
    address = click.option(
        "--cluster", metavar="ADDRESS", help="Play on the workers of this dask scheduler, such as tcp://10.0.0.7:8786."
    )
    return address(files(command))


def where(address: str | None, tls: tuple[str, str, str] | None) -> Where | None:
    """
    Gets the cluster that was asked for, or None.

    :raises click.UsageError: for options that do not go together, and where dask is not installed.
    """
    if address is None:
        if tls:
            raise click.UsageError("--cluster-tls goes with --cluster")
        return None
    context = click.get_current_context()
    for name in ("jobs", "workers"):
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name} is for this machine; on a cluster play as many as it has workers")
    if importlib.util.find_spec(PACKAGE) is None:
        raise click.UsageError(f"--cluster: {how_to_get(PACKAGE)}")
    return Where(address, tls)


class Cluster:
    """An open cluster whose workers may be checked, and used."""

    def __init__(self, place: Where, client: "Client", guard: "Guard", say: Callable[[str], None]) -> None:
        self._place = place
        self._client = client
        self._guard = guard
        self._say = say

    def play(self, job: "Job[Thing]", stopped: Callable[[], bool], show: Callable[[str], None]) -> int:
        """
        Plays a job, or until *stopped* says so; *show* is told now and then how many workers play how fast.

        Gets how many bytes went to the workers.

        :raises ClusterError: if it cannot go on. What was done until then is done.
        """
        from .run import Run

        run = Run(self._client, self._place.address, self._guard, job)
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
                self._say(f"Waiting for a worker of {self._place.address}; {how}.")

        run.play(stopped, look)
        return run.sent


@contextmanager
def open_cluster(place: Where, needs: Needs, say: Callable[[str], None]) -> Iterator[Cluster]:
    """
    Connects to a cluster; *say* gets a sentence for each worker that is refused.

    :raises ClusterError: if there is none.
    """
    from .connect import connected
    from .guard import Guard

    with connected(place.address, place.tls) as client:
        guard = Guard(client, place.address, needs, say)
        try:
            yield Cluster(place, client, guard, say)
        finally:
            guard.close()
