"""Which processes work for a command: so many of this machine, or the workers of a cluster."""

import importlib.util
import os
from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

import click

from ..install import how_to_get

_PACKAGE = "distributed"


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
    if importlib.util.find_spec(_PACKAGE) is None:
        raise click.UsageError(f"--cluster: {how_to_get(_PACKAGE)}")
