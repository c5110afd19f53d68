"""
Processes that analyse: each works on one query at a time, and what waits stands in a bounded line.

A lane is a thread that asks one process. The threads only wait, for a query or for an answer. A process that ends
before its time costs its query an error, and is replaced.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from ...shared.work.answering import Answering, NoAnswerError
from .query import Id, Query

ROOM = 1000
"""Queries that may wait; then no more are read until there is room."""
_PATIENCE = 2.0
"""Seconds that a lane gets to end by itself."""

Answer = dict[str, Any]
"""Type alias: one line of output."""


def _answer(query: Query) -> Answer:
    """Answers in a process; only there is the analysis loaded."""
    from .answer import answer_of

    return answer_of(query)


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
        self._processes = Answering(jobs, _answer)
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
        self._processes.close()

    def stop(self) -> None:
        """
        Gives up whatever waits or runs, and returns when the processes have ended.

        It does not wait long for a lane that cannot get rid of its answer; that one's process ends with this one.
        """
        with self._changed:
            self._stopped = True
            self._waiting.clear()
            self._changed.notify_all()
        self._processes.close()
        for thread in self._threads:
            thread.join(_PATIENCE)

    # What runs in the lanes' threads.

    def _serve(self) -> None:
        while (query := self._next()) is not None:
            try:
                answer = self._processes.ask(query)
            except NoAnswerError:
                answer = {"id": query.id, "error": "the process that analysed this query has ended", "field": None}
            with self._changed:
                self._running.discard(query.id)
                self._changed.notify_all()
            if not self._stopped:
                self._deliver(answer)

    def _next(self) -> Query | None:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closing or self._stopped)
            if self._stopped or not self._waiting:
                return None
            query_id, query = self._waiting.popitem(last=False)
            self._running.add(query_id)
            self._changed.notify_all()
            return query
