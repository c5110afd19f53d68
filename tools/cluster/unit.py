"""
The worker's side of a unit: some sets or a shard, played one after the other.

A scheduler unpickles every function that it gets, and it may run without this project. So it gets
``pickle.loads`` and bytes, and only the worker that opens those finds the call inside.
"""

import pickle
import time
from collections.abc import Callable, Generator
from contextlib import closing
from typing import Any, NamedTuple

from distributed import get_worker

from ..shared.work.worker import asked_otherwise

Function = Callable[[Any], Generator[Any, None, None]]
"""Takes a list of things, and yields what it found for each of them in turn."""


class UnitResult(NamedTuple):
    """The results of a unit."""

    worker: str
    found: list[Any]
    """One result for each thing, in order; fewer if one failed."""
    seconds: float
    failure: str
    """The error of the next thing, or an empty text."""


class _Call:
    """Opened by pickle, it is the result of the call."""

    def __init__(self, function: Function, things: list[Any]) -> None:
        self._parts = function, things

    def __reduce__(self) -> tuple[Callable[..., UnitResult], tuple[Any, ...]]:
        return play_unit, self._parts


def call(function: Function, things: list[Any]) -> bytes:
    """Packs a unit: on a worker ``pickle.loads`` of this plays it, and gets what :func:`play_unit` returns."""
    return pickle.dumps(_Call(function, things))


def play_unit(function: Function, things: list[Any]) -> UnitResult:
    """Plays a unit on a worker. An error is returned, not raised: dask would lose its place."""
    began = time.monotonic()
    results: list[Any] = []
    failure = ""
    asked_otherwise.wants_stop = unwanted
    try:
        with closing(function(things)) as playing:
            for result in playing:
                results.append(result)
                if unwanted():
                    break
    except Exception as error:
        failure = f"{type(error).__name__}: {error}"
    return UnitResult(get_worker().address, results, time.monotonic() - began, failure)


def unwanted() -> bool:
    """Checks in a unit whether its result is no longer wanted: the match was stopped, or its client is gone."""
    worker = get_worker()
    task = worker.state.tasks.get(worker.get_current_task())
    return task is None or task.state not in ("executing", "long-running")
