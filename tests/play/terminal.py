"""The real program on a pseudo terminal: what a person sees and types."""

import codecs
import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType

from tests.support import ROOT

PATIENCE = 250.0
"""Seconds after which a program that says nothing has failed."""
AGAIN = 5.0
"""Seconds after which a person presses Ctrl-C once more."""

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r")


class Terminal:
    """Runs ``python -m tools play`` with *arguments*; ``read_until`` and ``type`` play the person."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self.output = ""
        """Everything that was drawn, without colours and cursor movements."""
        self._read = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._master, slave = pty.openpty()
        # A session of its own with the slave as controlling terminal, so that Ctrl-C reaches it alone.
        self.program = subprocess.Popen(
            [sys.executable, "-c", _TAKE_TERMINAL, *arguments],
            cwd=ROOT,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
        )
        os.close(slave)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.program.poll() is None:
            self.program.kill()
        self.program.wait()
        os.close(self._master)

    def type(self, text: str) -> None:
        """Types a line."""
        os.write(self._master, text.encode() + b"\n")

    def press(self, key: bytes) -> None:
        """Presses one key, such as ``b"\\x04"`` for Ctrl-D."""
        os.write(self._master, key)

    def interrupt(self) -> int:
        """
        Presses Ctrl-C until the program ends, and gets its exit status.

        One press may be lost: CPython's line editing draws its prompt a moment before it waits for keys, and a signal
        that arrives in between is noticed at the next one only.
        """
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            os.write(self._master, b"\x03")
            again = time.monotonic() + AGAIN
            while self._more(again):
                pass
            with suppress(subprocess.TimeoutExpired):
                return self.program.wait(max(0.0, again - time.monotonic()))
        raise AssertionError(f"Ctrl-C does not end it: {self.output[self._read :]}")

    def read_until(self, *texts: str) -> str:
        """Reads on until one of *texts* is drawn, and gets what was drawn since the last call, up to its end."""
        until = time.monotonic() + PATIENCE
        pattern = re.compile("|".join(map(re.escape, texts)))
        while not (match := pattern.search(self.output, self._read)):
            if not self._more(until):
                raise AssertionError(f"waiting for {texts}, got: {self.output[self._read :]}")
        news = self.output[self._read : match.end()]
        self._read = match.end()
        return news

    def status(self) -> int:
        """Reads to the end and gets the exit status."""
        until = time.monotonic() + PATIENCE
        while self._more(until):
            pass
        return self.program.wait(PATIENCE)

    def _more(self, until: float) -> bool:
        ready, _, _ = select.select([self._master], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:  # Linux says so when the program has closed its end
            return False
        self.output += _ESCAPES.sub("", self._decoder.decode(data))
        return bool(data)


_TAKE_TERMINAL = """
import fcntl, runpy, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
sys.argv[0] = "tools.tables.play"
runpy.run_module("tools.tables.play", run_name="__main__", alter_sys=True)
"""
