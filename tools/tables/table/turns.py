"""
Work in a few threads at a time, and its order.

A caller that waits for a turn holds no thread, and loses the place when it is cancelled.
"""

import asyncio
import threading
from collections.abc import Callable
from typing import Protocol, TypeVar
from weakref import WeakKeyDictionary

Result = TypeVar("Result")


class Asker(Protocol):
    """A caller that asks for turns again and again, such as a table."""

    @property
    def urgency(self) -> int:
        """The rank of the caller now: the smallest comes first."""


class Turns:
    """
    So many *places* to work at once, in one event loop.

    The most urgent come first, among those the one without a turn for the longest time, and then the one that asked
    first. For example::

        turns = Turns(2)
        found = await turns.run(lambda: 6 * 7)
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: dict[asyncio.Future[None], Asker | None] = {}
        self._turns = 0
        self._last: WeakKeyDictionary[Asker, int] = WeakKeyDictionary()

    async def run(self, work: Callable[[], Result], asker: Asker | None = None) -> Result:
        """
        Does *work* in a thread when it is the turn of *asker*, and gets what it returns or raises.

        Work that has begun is done to its end, even after its caller has gone: so long it keeps its place.
        """
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[called] = asker
        self._call()
        try:
            await called
        except asyncio.CancelledError:
            self._waiting.pop(called, None)
            if not called.cancelled():
                self._end()
            raise
        return await in_thread(work, self._end)

    def _call(self) -> None:
        while self._free and (waiting := [waiter for waiter in self._waiting if not waiter.done()]):
            called = min(waiting, key=self._order)
            asker = self._waiting.pop(called)
            self._free -= 1
            self._turns += 1
            if asker is not None:
                self._last[asker] = self._turns
            called.set_result(None)

    def _order(self, called: "asyncio.Future[None]") -> tuple[int, int]:
        asker = self._waiting[called]
        return (0, 0) if asker is None else (asker.urgency, self._last.get(asker, 0))

    def _end(self) -> None:
        self._free += 1
        self._call()


async def in_thread(function: Callable[[], Result], ended: Callable[[], None] = lambda: None) -> Result:
    """
    Runs *function* in a thread of its own, and gets what it returns or raises.

    The thread is a daemon, so that a server can stop without waiting for a bot. *ended* is called in the event
    loop when the thread has ended, even after the caller has gone.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def deliver(result: Result | None, error: BaseException | None) -> None:
        ended()
        if future.done():  # the caller was cancelled
            return
        if error is None:
            future.set_result(result)  # type: ignore[arg-type]
        else:
            future.set_exception(error)

    def work() -> None:
        result: Result | None = None
        failure: BaseException | None = None
        try:
            result = function()
        except Exception as error:  # handed to the caller
            failure = error
        try:
            loop.call_soon_threadsafe(deliver, result, failure)
        except RuntimeError:  # the loop is closed: the caller has gone
            return

    try:
        threading.Thread(target=work, daemon=True).start()
    except RuntimeError:  # the system gives no thread
        ended()
        raise
    return await future
