"""A program that answers JSON by JSON, a line each; it is started again when it has ended or does not answer."""

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any

from ..programs.sandbox import confine
from ..shared.bounds import utf8_text
from ..shared.json_text import json_line, parse_json

if sys.platform == "win32":
    from ..shared.work.job_windows import Job

MOST_BYTES = 8_000_000
"""Of an answer."""
MEMORY_MIB = 1024
_END_SECONDS = 2.0
"""For the system to close the output of a program that was killed."""


class NoAnswerError(Exception):
    """Raised for a program that does not even answer the simplest question; the message says what it did instead."""


class LineProgram:
    """
    A program in the sandbox, or else in a process of its own; what it writes to standard error is the user's to read.

    Once it has failed, that is left out: it would fail with the same words at each of many similar questions.

    For example, ``with LineProgram(["./mygenerator"], 5.0) as program: program.ask({"hand": "34", "to_beat": ""})``
    gets what the program answered.

    :raises OSError: if it cannot be started.
    """

    def __init__(self, words: Sequence[str], seconds: float) -> None:
        self._words = words
        self._seconds = seconds
        self._process = self._start(None)

    def _start(self, stderr: int | None) -> "subprocess.Popen[bytes]":
        self._confined = confine(self._words, None, None, MEMORY_MIB)
        command, env, files = self._confined.words, self._confined.env, self._confined.files
        pipe = subprocess.PIPE
        try:
            process = subprocess.Popen(
                command,
                stdin=pipe,
                stdout=pipe,
                stderr=stderr,
                bufsize=0,
                start_new_session=True,
                env=env,
                pass_fds=files,
            )
        except BaseException:
            self._confined.ended()
            raise
        finally:
            self._confined.started()
        if sys.platform == "win32":
            self._job = Job()
            self._job.add(process)
        assert process.stdout is not None
        # A thread reads: not every system can wait for a pipe. Lines that were not asked for stay in the pipe.
        self._chunks: queue.Queue[bytes] = queue.Queue(1)
        self._closed = False
        self._reader = threading.Thread(target=_read, args=(process.stdout.fileno(), self._chunks), daemon=True)
        self._reader.start()
        return process

    def try_out(self, question: dict[str, Any]) -> None:
        """
        Asks a question that any program answers; what the answer is does not matter.

        :raises NoAnswerError: if there is none.
        """
        if self._answer(question).endswith(b"\n"):
            return
        where, limit = json_line(question).decode("ascii").strip(), f"within {self._seconds:g} s"
        if not self._ends():
            raise NoAnswerError(
                f"gave no answer to {where} {limit}: each answer is a line that ends, and must not wait in a buffer"
            )
        status = self._process.returncode
        ended = f"ended ({f'exit status {status}' if status >= 0 else f'signal {-status}'})"
        hidden = ""
        if self._confined.in_sandbox:
            hidden = ". The sandbox shows it the system, its own folder and what its command line names: if it needs"
            hidden += " more, such as an interpreter that lies elsewhere, name that too, or use --no-sandbox"
        raise NoAnswerError(f"{ended} without an answer to {where}{hidden}")

    def ask(self, question: dict[str, Any]) -> Any:
        """Gets the answer to a question; a text in ``<>`` has the reason why there is none."""
        if self._process.poll() is not None:
            self._end()
            self._process = self._start(subprocess.DEVNULL)
        answer = self._answer(question)
        if answer.endswith(b"\n"):
            try:
                return parse_json(utf8_text(answer))
            except ValueError:
                return f"<no JSON: {answer[:60].decode('utf-8', 'replace').strip()}>"
        why = "it ended" if self._ends() else f"no line within {self._seconds:g} s"
        self._end()
        return f"<no answer: {why}>"

    def _answer(self, question: dict[str, Any]) -> bytes:
        """Gets the line that answers a question, or what there is of it."""
        try:
            assert self._process.stdin is not None
            self._process.stdin.write(json_line(question))
            return self._line()
        except BrokenPipeError:
            return b""

    def _line(self) -> bytes:
        end, answer = time.monotonic() + self._seconds, b""
        while not answer.endswith(b"\n") and len(answer) < MOST_BYTES:
            chunk = self._more(end)
            if not chunk:
                break
            answer += chunk
        return answer

    def _more(self, end: float) -> bytes:
        """Gets what it has printed; nothing if that is all, or the monotonic clock has come to *end*."""
        try:
            piece = self._chunks.get(timeout=max(0.0, end - time.monotonic()))
        except queue.Empty:
            return b""
        self._closed = not piece
        return piece

    def _ends(self) -> bool:
        """Tests whether the process has closed its output, and so ends by itself."""
        try:
            self._process.wait(0.2)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _end(self) -> None:
        if sys.platform == "win32":
            self._job.close()
        else:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._confined.ended()
        end = time.monotonic() + _END_SECONDS
        while not self._closed and self._more(end):
            pass
        self._reader.join(max(0.0, end - time.monotonic()))
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                stream.close()

    def __enter__(self) -> "LineProgram":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()


def _read(descriptor: int, chunks: "queue.Queue[bytes]") -> None:
    """Hands on what a program prints, piece by piece, and nothing at its end."""
    piece = b"begin"
    while piece:
        try:
            piece = os.read(descriptor, 65536)
        except OSError:
            piece = b""
        chunks.put(piece)
