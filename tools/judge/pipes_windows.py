"""
The three pipes of a program on Windows; see :class:`.process_group.Pipes`.

There no pipe can be waited for like a socket. Each read and write is begun instead, and its event waited for.
"""

import sys

assert sys.platform == "win32"

import _winapi
import math
import msvcrt
import os
import time
from asyncio.windows_utils import pipe
from contextlib import suppress

CHUNK = 1 << 16
_MOST_LEFT = 1 << 21
"""More than pipes can hold; only a writer that escaped the kill could reach it."""
_END_SECONDS = 2.0
"""For the system to close the pipes of a program that was killed."""


class Pipes:
    """Three pipes of which our ends never block; :attr:`theirs` are the program's. It begins with :meth:`begin`."""

    def __init__(self) -> None:
        their_stdin, given = pipe(overlapped=(False, True), bufsize=CHUNK)
        stdout, their_stdout = pipe(overlapped=(True, False), bufsize=CHUNK)
        stderr, their_stderr = pipe(overlapped=(True, False), bufsize=CHUNK)
        self._writer, self._stdout, self._stderr = _Writer(given), _Reader(stdout), _Reader(stderr)
        self._process = 0
        self.theirs = (
            msvcrt.open_osfhandle(their_stdin, os.O_RDONLY),
            *(msvcrt.open_osfhandle(handle, 0) for handle in (their_stdout, their_stderr)),
        )
        """Its standard input, output and error."""
        self._open = {*self.theirs}

    def begin(self, process: int) -> None:
        """Says that the program runs whose handle this is."""
        # Its end of the input stays open: no other one tells how much was not read.
        for end in self.theirs[1:]:
            self._open.remove(end)
            os.close(end)
        self._process = process
        self._stdout.begin()
        self._stderr.begin()

    def send(self, line: bytes, last: bool) -> None:
        """As of the interface."""
        self._writer.begin(line, last)

    def receive(self, seconds: float) -> tuple[bytes, bytes]:
        """As of the interface."""
        pipes = self._writer.events() + self._stdout.events() + self._stderr.events()
        _winapi.WaitForMultipleObjects([self._process, *pipes], False, math.ceil(1000 * seconds))
        self._writer.go_on()
        return self._stdout.take(), self._stderr.take()

    def rest(self) -> tuple[bytes, bytes]:
        """As of the interface."""
        end = time.monotonic() + _END_SECONDS
        return self._stdout.rest(end), self._stderr.rest(end)

    def end_input(self) -> None:
        """As of the interface."""
        self._writer.end()

    def took_all(self) -> bool:
        """As of the interface. Its end of the pipe cannot be asked: that waits for a program which reads."""
        return self._writer.handed_all()

    def took_nothing(self) -> bool:
        """As of the interface."""
        unread = _winapi.PeekNamedPipe(msvcrt.get_osfhandle(self.theirs[0]))[0]
        return isinstance(unread, int) and unread >= self._writer.sent

    def close(self) -> None:
        """Closes all of them; a second call does nothing."""
        for ours in (self._writer, self._stdout, self._stderr):
            ours.close()
        while self._open:
            os.close(self._open.pop())


class _End:
    """Our end of a pipe, and the read or write that was begun on it."""

    def __init__(self, handle: int) -> None:
        self._handle = handle
        self._begun: _winapi.Overlapped | None = None

    def events(self) -> list[int]:
        """Lists what turns ready when there is something to do."""
        return [] if self._begun is None else [self._begun.event]

    def _is_done(self, seconds: float = 0.0) -> bool:
        """Waits for what was begun."""
        events = self.events()
        return bool(events) and _winapi.WaitForSingleObject(events[0], math.ceil(1000 * seconds)) == 0

    def break_off(self) -> None:
        """Gives up what was begun."""
        if self._begun is not None:
            with suppress(OSError):
                self._begun.cancel()
                self._begun.GetOverlappedResult(True)
            self._begun = None

    def close(self) -> None:
        """Closes the pipe; a second call does nothing."""
        self.break_off()
        if self._handle:
            _winapi.CloseHandle(self._handle)
            self._handle = 0


class _Reader(_End):
    """What a program writes; nothing is begun any more once it has closed its end."""

    def begin(self) -> None:
        """Begins to read."""
        with suppress(BrokenPipeError):
            self._begun, _ = _winapi.ReadFile(self._handle, CHUNK, overlapped=True)

    def take(self, seconds: float = 0.0) -> bytes:
        """Gets what was read; nothing if there was nothing so long, or the program has written nothing at once."""
        if self._begun is None or not self._is_done(seconds):
            return b""
        done, self._begun = self._begun, None
        try:
            done.GetOverlappedResult(False)
        except BrokenPipeError:
            return b""
        self.begin()
        return done.getbuffer() or b""

    def rest(self, end: float) -> bytes:
        """Gets all that is written until the program's end is closed, or the monotonic clock has come to *end*."""
        content = bytearray()
        while self._begun is not None and len(content) < _MOST_LEFT and (left := end - time.monotonic()) > 0:
            content += self.take(left)
        return bytes(content)


class _Writer(_End):
    """What is handed to a program."""

    def __init__(self, handle: int) -> None:
        super().__init__(handle)
        self._pending = memoryview(b"")
        self._last = False
        self.sent = 0
        """Bytes of the newest line."""

    def begin(self, line: bytes, last: bool) -> None:
        """Begins to write a line, in the place of what is left of the one before; closes the pipe behind the last."""
        self.break_off()
        self._pending, self._last, self.sent = memoryview(line), last, 0
        self.go_on()

    def end(self) -> None:
        """Closes the pipe behind the line."""
        self._last = True
        self.go_on()

    def handed_all(self) -> bool:
        """Checks if there is nothing left to write."""
        return not self._pending

    def go_on(self) -> None:
        """Writes as much as there is room for."""
        while self._pending:
            if self._begun is None:
                self._begun, _ = _winapi.WriteFile(self._handle, self._pending[:CHUNK], overlapped=True)
            if not self._is_done():
                return
            count, _ = self._begun.GetOverlappedResult(False)
            self._begun = None
            self._pending = self._pending[count:]
            self.sent += count
        if self._last:
            self.close()
