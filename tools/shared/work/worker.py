"""
A process of our own that does one thing at a time: it is sent one, and sends back what came of it.

It is a fresh interpreter: a fork copies the threads of progress bars and libraries half alive, and may hang. It leaves
Ctrl-C to its parent, and ends when that does or wants it to, in the middle of its work, too. Its output goes to stderr:
the parent's stdout has a form.
"""

import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context, resource_tracker
from multiprocessing.context import SpawnContext
from typing import Any, TypeAlias

from ..message import Message
from .orphans import end_with

if sys.platform == "win32":
    from multiprocessing.connection import PipeConnection

    Pipe: TypeAlias = "PipeConnection[Any, Any]"
else:
    from multiprocessing.connection import Connection

    Pipe: TypeAlias = "Connection[Any, Any]"

CONTEXT: SpawnContext = get_context("spawn")

_END_SECONDS = 5.0
"""How long the system may take to let a process go that was killed; then it is left to it."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM)

asked_otherwise = threading.local()
"""Threads of a cluster's worker set ``wants_stop`` here: it returns true once their result is no longer wanted."""


class Worker:
    """One process, which calls *begin* before its first thing, and *function* for each."""

    def __init__(self, function: Callable[[Any], Any], begin: Callable[[], object] | None = None) -> None:
        self.pipe, far = CONTEXT.Pipe()
        its_life, self._life = CONTEXT.Pipe(duplex=False)
        self._process = CONTEXT.Process(target=_work, args=(far, its_life, function, begin), daemon=True)
        with _deaf():
            self._process.start()
        far.close()
        its_life.close()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid or 0

    def send(self, thing: Any) -> None:
        """
        Gives it something to do.

        :raises OSError: if it has just died.
        """
        self.pipe.send_bytes(pickle.dumps(thing))

    def receive(self) -> tuple[bool, Any]:
        """
        Waits for what came of it: True and what the function returned, or False, the error, and where it was.

        :raises EOFError: if the process has died.
        :raises OSError: if it has died in the middle of an answer.
        """
        answer: tuple[bool, Any] = self.pipe.recv()
        return answer

    def kill(self) -> None:
        """Ends it whatever it is doing, from any thread; a caller that waits for an answer notices."""
        self._process.kill()

    def cut(self) -> None:
        """Lets it end in the middle of what it does, after the programs that it runs."""
        self._life.close()

    def end(self, patience: float = 0.0) -> str:
        """Closes its pipe, waits so many seconds for its end, ends it, and returns how it died."""
        self.pipe.close()
        self._process.join(patience)
        self.cut()
        self._process.kill()
        self._process.join(_END_SECONDS)
        code = self._process.exitcode or 0
        if code < 0:
            return Message("killed by {signal}", signal=signal.Signals(-code).name)
        return Message("with exit code {code}", code=code)


@contextmanager
def _deaf() -> Iterator[None]:
    """A process inherits that its parent's thread hears no signal, and so cannot be hit before it is ready."""
    if sys.platform == "win32":
        yield
    else:
        # The tracker's own start lets the thread hear again, and so comes first.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def wants_stop() -> bool:
    """Returns on a cluster whether a result is no longer wanted; the function may then stop and return None."""
    return hasattr(asked_otherwise, "wants_stop") and bool(asked_otherwise.wants_stop())


def _work(pipe: Pipe, life: Pipe, function: Callable[[Any], Any], begin: Callable[[], object] | None) -> None:
    """Does one thing after the other until the parent has closed its end of the pipe."""
    # Ctrl-C reaches the whole process group; only the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    end_with(life)
    with suppress(OSError):  # it may be closed already
        os.dup2(2, 1)
    with suppress(EOFError, OSError):
        while True:
            thing = pipe.recv_bytes()
            pipe.send(_found(function, thing, begin))
            begin = None


def _found(function: Callable[[Any], Any], thing: bytes, begin: Callable[[], object] | None) -> tuple[bool, Any]:
    try:
        if begin is not None:
            begin()
        return True, function(pickle.loads(thing))
    except BaseException as error:
        return False, (error, "".join(traceback.format_exception(error)))
