"""The three pipes of a program where a pipe can be waited for like a socket; see :class:`.process_group.Pipes`."""

import sys

assert sys.platform != "win32"

import fcntl
import os
import selectors
import struct
import termios
from contextlib import suppress

CHUNK = 1 << 16
_MOST_LEFT = 1 << 21
"""More than pipes can hold; only a writer that escaped the kill could reach it."""


class Pipes:
    """Three pipes of which our ends never block; :attr:`theirs` are the program's. It begins with :meth:`begin`."""

    def __init__(self) -> None:
        self._open: set[int] = set()
        self._pending = memoryview(b"")
        self._sent = 0
        self._last = self._waits = False
        self._selector = selectors.DefaultSelector()
        their_stdin, self._stdin = self._pipe()
        self._stdout, their_stdout = self._pipe()
        self._stderr, their_stderr = self._pipe()
        self.theirs = their_stdin, their_stdout, their_stderr
        """Its standard input, output and error."""
        for end in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(end, False)
        if sys.platform == "linux":
            # The sandbox may run it as another user, who could not open /dev/stdin there.
            for end in self.theirs:
                os.fchmod(end, 0o666)

    def begin(self, exit_fd: int | None) -> None:
        """Says that the program runs; *exit_fd*, ours from now on, turns readable when it ends, if the system can."""
        # Its end of the input stays open: macOS tells at no other one how much was not read.
        for end in self.theirs[1:]:
            self._close(end)
        if exit_fd is not None:
            self._open.add(exit_fd)
            self._selector.register(exit_fd, selectors.EVENT_READ)
        for end in (self._stdout, self._stderr):
            self._selector.register(end, selectors.EVENT_READ)

    def send(self, line: bytes, last: bool) -> None:
        """As of the interface."""
        self._pending, self._sent, self._last = memoryview(line), 0, last
        self._write()

    def receive(self, seconds: float) -> tuple[bytes, bytes]:
        """As of the interface."""
        stdout = stderr = b""
        for key, _ in self._selector.select(seconds):
            if key.fd == self._stdin:
                self._write()
            elif key.fd == self._stdout:
                stdout = self._read(key.fd)
            elif key.fd == self._stderr:
                stderr = self._read(key.fd)
        return stdout, stderr

    def rest(self) -> tuple[bytes, bytes]:
        """As of the interface."""
        return _all_of(self._stdout), _all_of(self._stderr)

    def end_input(self) -> None:
        """As of the interface."""
        self._last = True
        self._write()

    def took_all(self) -> bool:
        """As of the interface."""
        return not self._pending and self._unread() == 0

    def took_nothing(self) -> bool:
        """As of the interface."""
        return self._unread() >= self._sent

    def _unread(self) -> int:
        return int(struct.unpack("i", fcntl.ioctl(self.theirs[0], termios.FIONREAD, struct.pack("i", 0)))[0])

    def close(self) -> None:
        """Closes all of them; a second call does nothing."""
        self._selector.close()
        for end in [*self._open]:
            self._close(end)

    def _pipe(self) -> tuple[int, int]:
        try:
            ends = os.pipe()
        except BaseException:
            self.close()
            raise
        self._open.update(ends)
        return ends

    def _close(self, end: int) -> None:
        self._open.discard(end)
        os.close(end)

    def _write(self) -> None:
        with suppress(BlockingIOError):
            self._sent += (count := os.write(self._stdin, self._pending[:CHUNK]))
            self._pending = self._pending[count:]
        self._wait_for_room(bool(self._pending))
        if self._last and not self._pending:
            self._close(self._stdin)

    def _wait_for_room(self, room_wanted: bool) -> None:
        if room_wanted == self._waits:
            return
        if room_wanted:
            self._selector.register(self._stdin, selectors.EVENT_WRITE)
        else:
            self._selector.unregister(self._stdin)
        self._waits = room_wanted

    def _read(self, end: int) -> bytes:
        """Reads what is there; the end of the stream is no event to wait for any more."""
        chunk = _chunk_of(end)
        if chunk == b"":
            self._selector.unregister(end)
        return chunk or b""


def _all_of(end: int) -> bytes:
    """Reads all that a dead program left in a pipe."""
    content = bytearray()
    while len(content) < _MOST_LEFT and (chunk := _chunk_of(end)):
        content += chunk
    return bytes(content)


def _chunk_of(end: int) -> bytes | None:
    """Reads what is there: nothing at the end of the stream, None before it."""
    try:
        return os.read(end, CHUNK)
    except BlockingIOError:
        return None
