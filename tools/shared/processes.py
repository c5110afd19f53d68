"""Pools of processes that end when their parent does, and leave Ctrl-C to it."""

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context
from multiprocessing.context import SpawnContext
from typing import Any, TypeVar

from .orphans import end_with_parent

__all__ = ["CONTEXT", "process_pool", "run_in_pool"]

Thing = TypeVar("Thing")
Found = TypeVar("Found")

_LOOK_SECONDS = 0.2
"""How long a wish to stop may go unseen."""

CONTEXT: SpawnContext = get_context("spawn")
"""A fresh interpreter for each: a fork copies the threads of progress bars and libraries half alive, and may hang."""


def process_pool(jobs: int, begin: Callable[..., None] | None = None, *arguments: Any) -> ProcessPoolExecutor:
    """Makes a pool of *jobs* processes, in each of which *begin* is called first, with the *arguments*."""
    return ProcessPoolExecutor(jobs, CONTEXT, _begin, (begin, arguments))


def run_in_pool(
    pool: ProcessPoolExecutor,
    ahead: int,
    function: Callable[[Thing], Found],
    things: Iterator[Thing],
    done: Callable[[Thing, Found], None],
    stopped: Callable[[], bool],
) -> None:
    """
    Calls *function* for all *things* in a pool, and *done* here with each one and what came of it.

    At most *ahead* of them are begun or wait for a process. Once *stopped* says so, nothing new begins, and the caller
    shuts the pool down.

    :raises BrokenProcessPool: if a process dies although nobody wants to stop.
    """
    running: dict[Future[Found], Thing] = {}
    try:
        while not stopped():
            for thing in islice(things, ahead - len(running)):
                running[pool.submit(function, thing)] = thing
            if not running:
                return
            for future in wait(running, timeout=_LOOK_SECONDS, return_when=FIRST_COMPLETED).done:
                thing = running.pop(future)
                done(thing, future.result())
    except BrokenProcessPool:
        # A signal to the whole group ends the workers too; without one it is a failure.
        if not stopped():
            raise


def _begin(begin: Callable[..., None] | None, arguments: tuple[Any, ...]) -> None:
    # Ctrl-C reaches the whole process group; only the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    end_with_parent()
    if begin is not None:
        begin(*arguments)
