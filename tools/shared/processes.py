"""Pools of processes that end when their parent does, and leave Ctrl-C to it."""

import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from multiprocessing.context import SpawnContext
from typing import Any

from .orphans import end_with_parent

__all__ = ["CONTEXT", "process_pool"]

CONTEXT: SpawnContext = get_context("spawn")
"""A fresh interpreter for each: a fork copies the threads of progress bars and libraries half alive, and may hang."""


def process_pool(jobs: int, begin: Callable[..., None] | None = None, *arguments: Any) -> ProcessPoolExecutor:
    """Makes a pool of *jobs* processes, in each of which *begin* is called first, with the *arguments*."""
    return ProcessPoolExecutor(jobs, CONTEXT, _begin, (begin, arguments))


def _begin(begin: Callable[..., None] | None, arguments: tuple[Any, ...]) -> None:
    # Ctrl-C reaches the whole process group; only the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    end_with_parent()
    if begin is not None:
        begin(*arguments)
