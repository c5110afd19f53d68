"""
Plays things on a cluster: few units on the way, a lost worker's again, and a killer of workers by its name.

A unit is some things (sets of a match, a shard) that one thread of a worker plays. The result of a thing does not
depend on the worker, on the other things of its unit, or on the number of attempts. So a lost unit is simply
played again, by dask as long as one of its intended workers is there, and otherwise by us. dask gives up on a
unit with which too many workers died; it cannot tell which of the units that were waiting there it was, so each thing
of all of them is then played with nothing else on the way.
"""

import pickle
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from dask.typing import Key
from distributed import CancelledError, Client, Future
from distributed.scheduler import KilledWorker

from ..shared.work.pool import LOSSES, ends_every_worker
from .connect import lost
from .errors import ClusterError
from .guard import Guard
from .unit import Function, UnitResult, call

Thing = TypeVar("Thing")

_AHEAD = 2
"""Units of each thread: one that plays, and one that waits for it to end."""

_UNIT_SECONDS = 1.0
"""The seconds that a unit of several things should take: many times dask's overhead, and not much to lose."""

_LOOK_SECONDS = 0.02


@dataclass(frozen=True)
class Job(Generic[Thing]):
    """A job: the function, its things, and the receiver of its results."""

    function: Function
    things: Iterator[Thing]
    name: Callable[[Thing], str]
    """For messages, such as ``set 3 of pairing 0``."""
    most: int
    """Things in a unit, at most."""
    done: Callable[[Thing, Any], None]
    """Is called with each thing and what was found for it."""


@dataclass(frozen=True)
class _Unit(Generic[Thing]):
    future: Future[Any]
    things: list[Thing]
    workers: frozenset[str]
    """Those that may play it."""
    alone: bool
    """It is a suspect, and nothing else is on the way."""


class ClusterRun(Generic[Thing]):
    """One job on one cluster."""

    def __init__(self, client: Client, address: str, guard: Guard, job: Job[Thing]) -> None:
        self.found = 0
        """The number of things that were played."""
        self.sent = 0
        """The number of bytes that were sent to the workers."""
        self._client = client
        self._address = address
        self._guard = guard
        self._job = job
        self._again: deque[Thing] = deque()
        self._suspects: deque[Thing] = deque()
        self._losses: Counter[Thing] = Counter()
        self._waiting: dict[Key, _Unit[Thing]] = {}
        self._ended: SimpleQueue[tuple[Key, UnitResult | Exception]] = SimpleQueue()
        self._size = 1
        assert client.loop is not None  # it has been started
        self._loop = client.loop

    def play(self, stopped: Callable[[], bool], look: Callable[[], None]) -> None:
        """
        Plays everything, or until *stopped* says so; *look* is called many times a second.

        :raises ClusterError: if the cluster fails. Results until then have been passed on.
        """
        try:
            while not stopped() and (self._waiting or self._left()):
                if self._client.status != "running":
                    raise lost(self._address)
                self._guard.look()
                look()
                if not self._take():
                    time.sleep(_LOOK_SECONDS)
                self._rescue()
                self._submit()
        finally:
            self._cancel()

    def _cancel(self) -> None:
        """Leaves the workers nothing to do. Without a scheduler they leave off by themselves."""
        if self._waiting and self._client.status == "running":
            with suppress(OSError, RuntimeError):
                self._client.cancel([unit.future for unit in self._waiting.values()])

    def _left(self) -> bool:
        if not self._again:
            self._again.extend(islice(self._job.things, 1))
        return bool(self._again or self._suspects)

    def _submit(self) -> None:
        """Sends what the workers can take; a suspect only when nothing else is on the way."""
        room = _AHEAD * sum(self._guard.threads.values())
        if self._suspects:
            if room and not self._waiting:
                self._send([self._suspects.popleft()], alone=True)
            return
        while len(self._waiting) < room and self._left():
            things = [self._again.popleft() for _ in range(min(self._size, len(self._again)))]
            self._send([*things, *islice(self._job.things, self._size - len(things))], alone=False)

    def _send(self, things: list[Thing], alone: bool) -> None:
        workers = frozenset(self._guard.threads)
        unit = call(self._job.function, things)
        self.sent += len(unit)
        try:
            future = self._client.submit(pickle.loads, unit, workers=sorted(workers), pure=False)
        except (OSError, RuntimeError) as error:
            raise lost(self._address, error) from None
        self._waiting[future.key] = _Unit(future, things, workers, alone)
        self._loop.add_callback(self._follow, future)

    async def _follow(self, future: Future[Any]) -> None:
        """Waits in dask's thread for what comes of a unit, which may be nothing good."""
        result: UnitResult | Exception
        try:
            result = await self._client.gather(future, asynchronous=True)
        except Exception as error:
            result = error
        self._ended.put((future.key, result))

    def _rescue(self) -> None:
        """Takes back what waits for workers of which none is there any more; dask would wait for them for ever."""
        for key, unit in list(self._waiting.items()):
            if unit.workers.isdisjoint(self._guard.threads):
                del self._waiting[key]
                unit.future.cancel()
                for thing in unit.things:
                    self._lose(thing, unit)

    def _lose(self, thing: Thing, unit: _Unit[Thing]) -> None:
        self._losses[thing] += 1
        if self._losses[thing] < LOSSES:
            (self._suspects if unit.alone else self._again).append(thing)
        else:
            self._losses[thing] = 0
            self._suspect(thing, unit, sorted(unit.workers)[-1])

    def _suspect(self, thing: Thing, unit: _Unit[Thing], worker: str) -> None:
        if unit.alone:
            raise ClusterError(ends_every_worker(self._job.name(thing), worker))
        self._suspects.append(thing)

    def _take(self) -> bool:
        """Takes what has come in, and tells whether it was anything."""
        taken = False
        with suppress(Empty):
            while True:
                key, result = self._ended.get_nowait()
                taken = True
                unit = self._waiting.pop(key, None)
                if unit is not None:
                    self._judge(unit, result)
        return taken

    def _judge(self, unit: _Unit[Thing], result: UnitResult | Exception) -> None:
        if isinstance(result, UnitResult):
            self._count(unit, result)
        elif isinstance(result, KilledWorker):
            for thing in unit.things:
                self._suspect(thing, unit, result.last_worker.address)
        elif isinstance(result, OSError | CancelledError) or self._client.status != "running":
            raise lost(self._address)
        else:
            raise ClusterError(f"{self._job.name(unit.things[0])} cannot be played on this cluster ({result})")

    def _count(self, unit: _Unit[Thing], played: UnitResult) -> None:
        for thing, result in zip(unit.things, played.found, strict=False):
            self._job.done(thing, result)
            self.found += 1
        left = unit.things[len(played.found) :]
        if played.failure:
            raise ClusterError(f"{self._job.name(left[0])} failed on worker {played.worker}: {played.failure}")
        self._again.extend(left)
        each = max(played.seconds / max(len(played.found), 1), 1e-6)
        self._size = max(1, min(2 * self._size, self._job.most, int(_UNIT_SECONDS / each)))
