"""Runs one function on many things in several processes, and can be stopped at any moment."""

from collections.abc import Callable, Iterator
from multiprocessing.synchronize import Event
from typing import TypeVar

from ...shared import processes

Thing = TypeVar("Thing")
Found = TypeVar("Found")

_AHEAD = 2
"""Things in the queue of each worker."""

_wish: Event | None = None


def wants_stop() -> bool:
    """Checks in a worker whether it shall give up what it does."""
    return _wish is not None and _wish.is_set()


def run_in_pool(
    function: Callable[[Thing], Found | None],
    things: Iterator[Thing],
    jobs: int,
    done: Callable[[Found], None],
    stopped: Callable[[], bool],
) -> None:
    """
    Calls *function* for all *things* in *jobs* processes, and *done* here with each result that is not None.

    Once *stopped* says so, :func:`wants_stop` is true in the workers, and nothing new begins.
    """
    wish = processes.CONTEXT.Event()
    pool = processes.process_pool(jobs, _begin_worker, wish)

    def report(_thing: Thing, found: Found | None) -> None:
        if found is not None:
            done(found)

    try:
        processes.run_in_pool(pool, _AHEAD * jobs, function, things, report, stopped)
    finally:
        wish.set()
        pool.shutdown(wait=True, cancel_futures=True)


def _begin_worker(wish: Event) -> None:
    global _wish
    _wish = wish
