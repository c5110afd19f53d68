"""What plays before the tournament does, in a process of its own."""

import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import ParamSpec, TypeVar

from ..shared.orphans import end_with_parent

__all__ = ["apart"]

P = ParamSpec("P")
R = TypeVar("R")


def apart(function: Callable[P, R], *arguments: P.args, **options: P.kwargs) -> R:
    """
    Calls a function in another process, and raises here what it raises there.

    Players may use libraries with threads, and whoever has threads must not start the processes that play.
    """
    with ProcessPoolExecutor(1, initializer=_begin) as pool:
        return pool.submit(function, *arguments, **options).result()


def _begin() -> None:
    end_with_parent()
    # Ctrl-C reaches the whole process group; only the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
