"""
Work in processes, each of which is a :class:`tools.shared.work.worker.Worker`.

Each of them has one thing to do at a time. So the thing that a dead one had is known, and another process does it: a
process that the system kills for want of memory costs nothing but time. A thing that ends every process that does it is
named.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import Generic, TypeVar, cast

import click

from ..message import Message
from .worker import Pipe, Worker

Thing = TypeVar("Thing")
Found = TypeVar("Found")

LOSSES = 3
"""How many workers a thing may cost before it is named."""

_LOOK_SECONDS = 0.2
"""How long a wish to stop may go unseen."""

_END_SECONDS, _CUT_SECONDS = 10.0, 1.0
"""How long a process may take to end once its files are closed, and in the middle of its work."""


class WorkersLostError(click.ClickException):
    """Raised for a thing that ends every process that does it; the message is one sentence that names it."""


def ends_every_worker(name: str, last: str) -> str:
    """Makes the message that a thing ends every worker, here or on a cluster; *last* is how the last one ended."""
    sentence = (
        "{name} ends every worker that plays it, the last one {last}; the worker's own output may have the reason"
    )
    return Message(sentence, name=name, last=last)


def run_in_pool(
    jobs: int,
    function: Callable[[Thing], Found],
    things: Iterable[Thing],
    done: Callable[[Thing, Found], None],
    stopped: Callable[[], bool] = lambda: False,
    name: Callable[[Thing], str] = str,
    begin: Callable[[], None] | None = None,
    lost: Callable[[Thing, str], Found] | None = None,
) -> None:
    """
    Calls *function* for all *things* in so many processes, and *done* here with each one and what came of it.

    Once *stopped* returns True, or after an exception such as Ctrl-C, what is under way is ended in the middle, with
    the programs that it runs; what has come in counts.

    Each process calls *begin* first. An exception there is raised here.
    For a thing that ends every process *lost* makes its result, from how the last one ended.

    :raises WorkersLostError: if a thing has cost so many processes that it must be its fault; it has this *name*. Not
        with *lost*.
    """
    pool = _Pool(jobs, function, things, done, stopped, name, begin, lost)
    try:
        pool.play()
    finally:
        pool.close()


@dataclass
class _Unit(Generic[Thing]):
    thing: Thing
    losses: int = 0
    """How many processes died with it."""


class _PoolWorker(Worker, Generic[Thing]):
    """One process, with one unit to do."""

    unit: _Unit[Thing] | None = None
    """What it is doing; None while it waits."""

    def give(self, unit: _Unit[Thing]) -> None:
        self.unit = unit
        # One that has just died is found by its silence.
        with suppress(OSError):
            self.send(unit.thing)


class _Pool(Generic[Thing, Found]):
    """The processes, each of which begins when there is something for it."""

    def __init__(
        self,
        jobs: int,
        function: Callable[[Thing], Found],
        things: Iterable[Thing],
        done: Callable[[Thing, Found], None],
        stopped: Callable[[], bool],
        name: Callable[[Thing], str],
        begin: Callable[[], None] | None,
        lost: Callable[[Thing, str], Found] | None,
    ) -> None:
        self._jobs = jobs
        self._work = function, begin
        self._units = map(_Unit, things)
        self._again: deque[_Unit[Thing]] = deque()
        self._done = done
        self._stopped = stopped
        self._name = name
        self._lost = lost
        self._workers: list[_PoolWorker[Thing]] = []

    def play(self) -> None:
        """Does everything, or until the user interrupts; then it takes what has come in."""
        stopped = False
        while not stopped:
            self._fill()
            busy = {worker.pipe: worker for worker in self._workers if worker.unit}
            if not busy:
                return
            stopped = self._stopped()
            for pipe in wait(busy, 0.0 if stopped else _LOOK_SECONDS):
                self._take(busy[cast(Pipe, pipe)])

    def close(self) -> None:
        """Ends the processes, in the middle of what they are doing if they are."""
        busy = any(worker.unit for worker in self._workers)
        until = time.monotonic() + (_CUT_SECONDS if busy else _END_SECONDS)
        for worker in self._workers:
            worker.pipe.close()
            if busy:
                worker.cut()
        for worker in self._workers:
            worker.end(max(until - time.monotonic(), 0.0))

    def _fill(self) -> None:
        """Gives every process something to do, as long as there is anything and no interrupt."""
        idle = [worker for worker in self._workers if worker.unit is None]
        while not self._stopped() and (idle or len(self._workers) < self._jobs):
            unit = self._again.popleft() if self._again else next(self._units, None)
            if unit is None:
                return
            if not idle:
                idle.append(_PoolWorker(*self._work))
                self._workers += idle
            idle.pop().give(unit)

    def _take(self, worker: _PoolWorker[Thing]) -> None:
        """Takes what came of a unit, or has it done again if the process died."""
        unit = worker.unit
        assert unit is not None
        try:
            is_result, result = worker.receive()
        except (EOFError, OSError):
            self._lose(worker, unit)
            return
        if not is_result:
            error, trace = result
            raise error from RuntimeError(f"in a worker:\n{trace}")
        worker.unit = None
        # Before anything else, so that it need not wait.
        self._fill()
        self._done(unit.thing, result)

    def _lose(self, worker: _PoolWorker[Thing], unit: _Unit[Thing]) -> None:
        self._workers.remove(worker)
        how = worker.end(_END_SECONDS)
        if not self._stopped():
            # A signal to the whole group ends the workers too, and may be heard here after they are dead.
            time.sleep(_LOOK_SECONDS)
        unit.losses += 1
        if unit.losses == LOSSES and not self._stopped():
            if self._lost is not None:
                self._done(unit.thing, self._lost(unit.thing, how))
                return
            raise WorkersLostError(ends_every_worker(self._name(unit.thing), how))
        self._again.append(unit)
