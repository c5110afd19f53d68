"""
Processes that analyse: each works on one query at a time, and what waits stands in a bounded line.

A lane is a thread that owns one process. The threads only wait, for a query or for an answer. A process that ends
before its time costs its query an error and is replaced; one whose owner is gone ends by itself.
"""

import signal
import threading
from collections import OrderedDict
from collections.abc import Callable
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from ..shared.work.orphans import end_with_parent
from .query import Id, Query

ROOM = 1000
"""Queries that may wait; then no more are read until there is room."""
_PATIENCE = 2.0
"""Seconds that a process or a lane gets to end by itself."""

Answer = dict[str, Any]
"""Type alias: one line of output."""


def work(connection: Connection) -> None:
    """Answers queries until the other end is closed: the whole of an analysing process."""
    from .answer import answer_of

    end_with_parent()
    while True:
        try:
            query = connection.recv()
        except (EOFError, OSError):
            return
        answer = answer_of(query)
        try:
            connection.send(answer)
        except OSError:
            return  # nobody is left to hear it


class Lanes:
    """
    The line of waiting queries and the lanes that serve it. For example::

        lanes = Lanes(2, print)
        lanes.add(query)
        lanes.finish()

    *jobs* processes work at a time. *deliver* gets each answer, from any thread and in no order.
    """

    def __init__(self, jobs: int, deliver: Callable[[Answer], None], room: int = ROOM) -> None:
        self._deliver = deliver
        self._room = room
        self._waiting: OrderedDict[Id, Query] = OrderedDict()
        self._running: set[Id] = set()
        self._changed = threading.Condition()
        self._closing = self._stopped = False
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(jobs)]
        for thread in self._threads:
            thread.start()

    def add(self, query: Query) -> bool:
        """
        Lets a query wait for its turn, once there is room; returns False if one with its id is in flight.

        A query is in flight until its answer is known.
        """
        with self._changed:
            if self._is_in_flight(query.id):
                return False
            self._changed.wait_for(lambda: self._stopped or len(self._waiting) < self._room)
            self._waiting[query.id] = query
            self._changed.notify_all()
        return True

    def _is_in_flight(self, query_id: Id) -> bool:
        return query_id in self._waiting or query_id in self._running

    def drop(self, query_id: Id) -> bool:
        """Drops a query that waits and delivers that it was dropped; returns False for one that does not wait."""
        with self._changed:
            dropped = self._waiting.pop(query_id, None) is not None
            self._changed.notify_all()
        if dropped:
            self._deliver({"id": query_id, "dropped": True})
        return dropped

    def finish(self) -> None:
        """Waits until every query is answered and every process has ended."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def stop(self) -> None:
        """
        Gives up whatever waits or runs, and returns when the processes have ended.

        It does not wait long for a lane that cannot get rid of its answer; that one's process ends with this one.
        """
        with self._changed:
            self._stopped = True
            self._waiting.clear()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(_PATIENCE)

    # What runs in the lanes' threads.

    def _serve(self) -> None:
        worker = _Worker()
        while (query := self._next()) is not None:
            answer = worker.ask(query, lambda: self._stopped)
            with self._changed:
                self._running.discard(query.id)
                self._changed.notify_all()
            if not self._stopped:
                self._deliver(answer)
        worker.end(at_once=self._stopped)

    def _next(self) -> Query | None:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closing or self._stopped)
            if self._stopped or not self._waiting:
                return None
            query_id, query = self._waiting.popitem(last=False)
            self._running.add(query_id)
            self._changed.notify_all()
            return query


class _Worker:
    """One analysing process, started at its first query, and again when it is gone."""

    def __init__(self) -> None:
        self._context = get_context("spawn")
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None

    def ask(self, query: Query, is_stopped: Callable[[], bool]) -> Answer:
        """Gets the answer to a query, or an error if the process ends before it answers."""
        if self._connection is None:
            self._connection = self._started()
        try:
            self._connection.send(query)
            while not self._connection.poll(0.1):
                if is_stopped():
                    return {}
            answer: Answer = self._connection.recv()
            return answer
        except (EOFError, OSError):
            self.end(at_once=True)
            return {"id": query.id, "error": "the process that analysed this query has ended", "field": None}

    def _started(self) -> Connection:
        # Ctrl-C is for the main thread: a process inherits what the thread that starts it does not hear. The tracker's
        # own start lets the thread hear again, and so comes first.
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        ours, theirs = self._context.Pipe()
        self._process = self._context.Process(target=work, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        return ours

    def end(self, at_once: bool) -> None:
        """Ends the process, *at_once* or after it has noticed that nothing more will come."""
        if self._connection is None or self._process is None:
            return
        self._connection.close()
        self._connection = None
        if not at_once:
            self._process.join(_PATIENCE)
        if self._process.is_alive():
            self._process.kill()
        self._process.join()
