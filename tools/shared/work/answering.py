"""
Processes that answer questions, one each at a time, and are replaced when they die, hang or have answered very often.

Processes, not threads: the networks of one process have one room to calculate in, plain Python would hold up the
caller, and what crashes takes nothing with it but its process. Everything here blocks, and is called from threads.
"""

import queue
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar, cast

if TYPE_CHECKING:
    from .worker import Worker


MOST_ANSWERS = 5000
"""A process is replaced after so many answers, so that what a player or the system's memory keeps does not add up."""

Question = TypeVar("Question")
Answer = TypeVar("Answer")


class NoAnswerError(RuntimeError):
    """Raised when there is no answer; the message is one sentence."""


class HangError(NoAnswerError):
    """Raised when there was no answer in time; the process was ended."""


class Answering(Generic[Question, Answer]):
    """
    So many processes; a caller waits for a free one. For example::

        squares = Answering(2, math.sqrt)
        assert squares.ask(49.0, seconds=5.0) == 7.0
        squares.close()

    A process begins when it is first needed: it calls *begin*, and then *answer* for each question.
    """

    def __init__(
        self, processes: int, answer: Callable[[Question], Answer], begin: Callable[[], object] | None = None
    ) -> None:
        self._all = [_Slot(answer, begin) for _ in range(processes)]
        self._free: queue.LifoQueue[_Slot] = queue.LifoQueue()
        self._closing = threading.Lock()
        for slot in reversed(self._all):
            self._free.put(slot)

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes that there are now."""
        return [worker.pid for slot in self._all if (worker := slot.worker) is not None]

    def ask(self, question: Question, seconds: float | None = None) -> Answer:
        """
        Gets the answer to a question, which may take so long beside the wait for a free process.

        :raises HangError: if it took longer.
        :raises NoAnswerError: if the process raised something or died, or after :meth:`close`.
        """
        slot = self._free.get()
        try:
            is_answer, answer = slot.ask(question, seconds)
        finally:
            self._free.put(slot)
        if not is_answer:
            error, _ = cast(tuple[BaseException, str], answer)
            raise NoAnswerError(f"{type(error).__name__}: {error}")
        return cast(Answer, answer)

    def close(self) -> None:
        """
        Ends all processes, in the middle of an answer too; a later call is refused, and does not wait.

        Several threads may close at once: the input may end while Ctrl-C is heard.
        """
        with self._closing:  # two that had half of the places each would wait for ever
            for slot in self._all:
                slot.kill(for_good=True)
            # The caller that was asking one of them has noticed by now, or will at once, and gives it back.
            given_back = [self._free.get() for _ in self._all]
            for slot in given_back:
                slot.end()
                self._free.put(slot)


class _Slot:
    """One process, started when it is first asked, and again when it had to be ended; one thread at a time may ask."""

    def __init__(self, answer: Callable[..., object], begin: Callable[[], object] | None) -> None:
        self.worker: Worker | None = None
        self._work = answer, begin
        self._lock = threading.Lock()
        self._closed = False
        self._answers = 0

    def ask(self, question: object, seconds: float | None) -> tuple[bool, object]:
        worker = self._started()
        late = threading.Event()

        def end_it() -> None:
            late.set()
            worker.kill()

        # It may hang anywhere, with half of an answer on the way too: only its end can be relied on then.
        watch = threading.Timer(threading.TIMEOUT_MAX if seconds is None else seconds, end_it)
        watch.daemon = True
        watch.start()
        try:
            worker.send(question)
            answer = worker.receive()
        except Exception as error:  # a broken pipe, or a broken pickle: a new process will do better
            self.end()
            if late.is_set():
                raise HangError(f"no answer within {seconds:g} s: its process was ended") from None
            raise NoAnswerError(f"the process ended: {error}") from None
        finally:
            watch.cancel()
            watch.join()
        self._answers += 1
        if self._answers >= MOST_ANSWERS or late.is_set():
            self.end()
        return answer

    def _started(self) -> "Worker":
        # Not at the top: a browser has no processes, and calls nothing here.
        from .worker import Worker

        with self._lock:
            if self._closed:
                raise NoAnswerError("no process answers any more: this program is stopping")
            if self.worker is None:
                self.worker = Worker(*self._work)
            return self.worker

    def kill(self, for_good: bool = False) -> None:
        """Ends the process from another thread than the asking one."""
        with self._lock:
            self._closed = self._closed or for_good
            if self.worker is not None:
                self.worker.kill()

    def end(self) -> None:
        """Ends the process and lets go of it."""
        with self._lock:
            worker, self.worker = self.worker, None
            self._answers = 0
        if worker is not None:
            worker.end()
