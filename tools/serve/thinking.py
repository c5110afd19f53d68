"""
Bots that think in processes of their own, and an analysis beside them.

Everything here blocks, and is called from threads; in an event loop, by :attr:`Thinkers.turns`.
"""

import contextlib
import logging
import os
import pickle
import queue
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from ddzbot.players.base import Decision, Player
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View

from ..shared.place import PACKAGE, ROOT
from .questions import LENGTH, Answer, Question, ReviewQuestion
from .turns import Turns

__all__ = ["HangError", "RemotePlayer", "Thinkers", "ThinkingError"]

USUAL_PATIENCE = 60.0
"""Seconds for a move or an analysis without a limit in seconds."""
GRACE = 15.0
"""Seconds beyond the limit, in which a process may start and load its network on a busy machine; all that a bid has."""
MOST_HANGS = 2
"""A bot that gave no answer so often in one game is not asked again in it."""

NICENESS = 5
"""A thought gives way to the server, which is to answer at once."""

MOST_ANSWERS = 5000
"""A process is replaced after so many answers, so that what a player or the system's memory keeps does not add up."""
END_SECONDS = 5.0


class ThinkingError(RuntimeError):
    """Raised when there is no answer; the message is one sentence."""


class HangError(ThinkingError):
    """Raised when there was no answer in time; the process was ended."""


class Thinkers:
    """
    A few processes that answer questions, one each at a time; who asks waits for a free one.

    A process that dies or does not answer in time is replaced, and one that has answered very often. For example::

        with Thinkers(2) as thinkers:
            decision = thinkers.ask(Question("champion", 7, view, Limit(seconds=1)))
    """

    def __init__(
        self, processes: int, patience: float = USUAL_PATIENCE, grace: float = GRACE, niceness: int = NICENESS
    ) -> None:
        self.turns = Turns(processes)
        """For who asks out of an event loop: whoever has a turn finds a process free."""
        self._patience, self._grace = patience, grace
        self._free: queue.LifoQueue[_Process] = queue.LifoQueue()
        self._all = [_Process(niceness) for _ in range(processes)]
        for process in reversed(self._all):
            self._free.put(process)

    def __enter__(self) -> "Thinkers":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, question: Question | ReviewQuestion) -> Any:
        """Gets the value of the answer, which there must be as in :meth:`answer`."""
        return self.answer(question).value

    def answer(self, question: Question | ReviewQuestion) -> Answer:
        """
        Gets an answer that has a value.

        :raises HangError: if the process took too long.
        :raises ThinkingError: if it failed or died.
        """
        process = self._free.get()
        try:
            answer = process.ask(question, self.seconds(question) + self._grace)
        finally:
            self._free.put(process)
        if answer.problem:
            raise ThinkingError(answer.problem)
        return answer

    def seconds(self, question: Question | ReviewQuestion) -> float:
        """Gets how long the answer may take by itself."""
        return self._patience if question.seconds is None else question.seconds

    def close(self) -> None:
        """Ends all processes, in the middle of a thought too."""
        for process in self._all:
            process.kill(for_good=True)
        # Who was asking one of them has noticed by now, or will at once, and gives it back.
        given_back = [self._free.get() for _ in self._all]
        for process in given_back:
            process.end()
            self._free.put(process)  # who asks from now on is refused, and does not wait


class _Process:
    """One process, started when it is first asked, and again when it had to be ended."""

    def __init__(self, niceness: int) -> None:
        self._niceness = niceness
        self._lock = threading.Lock()
        self._closed = False
        self._running: subprocess.Popen[bytes] | None = None
        self._answers = 0

    def ask(self, question: Question | ReviewQuestion, seconds: float) -> Answer:
        """
        Gets the answer; only one thread at a time may ask.

        :raises HangError: if there is none in time; the process is ended, whatever it is doing.
        """
        try:
            running = self._started()
            assert running.stdin is not None and running.stdout is not None
            pickle.dump(question, running.stdin)
            running.stdin.flush()
            answer = pickle.loads(_answer_within(running.stdout.fileno(), time.monotonic() + seconds))
        except TimeoutError:
            self.end()
            raise HangError(f"no answer within {seconds:g} s: its process was ended") from None
        except Exception as error:  # a broken pipe, or a broken pickle: a new process will do better
            self.end()
            return Answer(None, f"the process ended: {error}")
        assert isinstance(answer, Answer)
        self._answers += 1
        if self._answers >= MOST_ANSWERS:
            self.end()
        return answer

    def _started(self) -> "subprocess.Popen[bytes]":
        with self._lock:
            if self._closed:
                raise OSError("the server is stopping")
            if self._running is None:
                command = [sys.executable, "-m", f"{PACKAGE}.serve.worker", str(self._niceness)]
                pipe = subprocess.PIPE
                self._running = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe)
            return self._running

    def kill(self, for_good: bool = False) -> None:
        """Ends the process from another thread than the asking one, which then notices that its pipe ends."""
        with self._lock:
            self._closed = self._closed or for_good
            if self._running is not None:
                self._running.kill()

    def end(self) -> None:
        """Ends the process and closes its pipes."""
        self.kill()
        with self._lock:
            running, self._running = self._running, None
            self._answers = 0
        if running is None:
            return
        # One that the system does not let go is left to it.
        with contextlib.suppress(subprocess.TimeoutExpired):
            running.wait(END_SECONDS)
        for pipe in (running.stdin, running.stdout):
            # To close a pipe writes the rest of a question, which nobody reads any more.
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()


def _answer_within(pipe: int, until: float) -> bytes:
    """
    Reads an answer from a pipe until the time *until*.

    :raises TimeoutError: if not all of it came.
    :raises EOFError: if the pipe ends.
    """
    data = b""
    while len(data) < LENGTH.size or len(data) < LENGTH.size + LENGTH.unpack_from(data)[0]:
        # A pipe that is ready need not have all of the answer: each part may be the last one that comes.
        if not select.select([pipe], [], [], max(0.0, until - time.monotonic()))[0]:
            raise TimeoutError
        part = os.read(pipe, 1 << 16)
        if not part:
            raise EOFError("its pipe ended")
        data += part
    return data[LENGTH.size :]


class RemotePlayer(Player):
    """
    A player by name that thinks in one of the *thinkers*.

    Where there is no answer it raises, and the engine around it (:class:`ddzbot.engine.Engine`) plays on. Make one for
    each game: after :data:`MOST_HANGS` it raises at once, so that a bot that hangs at every move ends a game in time.
    """

    def __init__(
        self, spec: str, seed: int, thinkers: Thinkers, took: Callable[[float], None] = lambda seconds: None
    ) -> None:
        """Makes the player; *took* is told how long each thought about a move took."""
        super().__init__(seed)
        self.name = self.label = spec
        self._thinkers = thinkers
        self._took = took
        self._hangs = 0

    def choose(self, view: View, limit: Limit) -> Decision:
        """
        Chooses as the player does in its process.

        :raises ThinkingError: if there is no answer.
        """
        answer = self._ask(Question(self.name, self.seed, view, limit))
        self._took(answer.seconds)
        decision: Decision = answer.value
        return decision

    def bid(self, view: BidView) -> int:
        """
        Bids as the player does in its process.

        :raises ThinkingError: if there is no answer.
        """
        bid: int = self._ask(Question(self.name, self.seed, view, Limit())).value
        return bid

    def _ask(self, question: Question) -> Answer:
        if self._hangs >= MOST_HANGS:
            raise ThinkingError(f"no answer {MOST_HANGS} times: it is not asked again in this game")
        try:
            return self._thinkers.answer(question)
        except HangError as error:
            self._hangs += 1
            logging.warning("bot %s: %s", self.name, error)
            raise
