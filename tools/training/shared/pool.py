"""Runs one function on many things in several processes, and can be stopped at any moment."""

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing.synchronize import Event
from typing import TypeVar

from ...shared.processes import CONTEXT, process_pool

Thing = TypeVar("Thing")
Found = TypeVar("Found")

_AHEAD = 2
"""Things in the queue of each worker."""

_LOOK_SECONDS = 0.2
"""How long a wish to stop may go unseen."""

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
    wish = CONTEXT.Event()
    pool = process_pool(jobs, _begin_worker, wish)
    waiting: set[Future[Found | None]] = set()
    try:
        while not stopped():
            for thing in islice(things, _AHEAD * jobs - len(waiting)):
                waiting.add(pool.submit(function, thing))
            if not waiting:
                return
            finished, waiting = wait(waiting, timeout=_LOOK_SECONDS, return_when=FIRST_COMPLETED)
            for future in finished:
                _report(future, done)
    except BrokenProcessPool:
        # A signal to the whole group ends the workers too; without one it is a failure.
        if not stopped():
            raise
    finally:
        wish.set()
        pool.shutdown(wait=True, cancel_futures=True)


def _report(future: Future[Found | None], done: Callable[[Found], None]) -> None:
    found = future.result()
    if found is not None:
        done(found)


def _begin_worker(wish: Event) -> None:
    global _wish
    _wish = wish
