"""Does the units of a bench in one process or in several, and can be stopped at any moment."""

import functools
from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

from ...shared.work.pool import run_in_pool, wants_stop

Thing = TypeVar("Thing", contravariant=True)
Found = TypeVar("Found", covariant=True)
Result = TypeVar("Result")
Unit = TypeVar("Unit")

Stopped = Callable[[], bool]
"""Type alias: tells whether somebody wants to stop."""


class UnitWork(Protocol[Thing, Found]):
    """What is done with a unit; it gives None where it was stopped."""

    def __call__(self, thing: Thing, /, *, stopped: Stopped) -> Found | None:
        """Does it."""


def run_units(
    work: UnitWork[Unit, Result],
    units: Iterable[Unit],
    jobs: int,
    done: Callable[[Result], None],
    stopped: Stopped,
) -> None:
    """Calls *work* for all *units* in so many processes, or in this one, and *done* here with each result."""
    if jobs > 1:
        there = functools.partial(work, stopped=wants_stop)
        run_in_pool(jobs, there, units, lambda _unit, found: None if found is None else done(found), stopped, _name)
        return
    for unit in units:
        found = None if stopped() else work(unit, stopped=stopped)
        if found is None:
            return
        done(found)


def _name(unit: object) -> str:
    return f"unit {unit[0] if isinstance(unit, tuple) else unit}"
