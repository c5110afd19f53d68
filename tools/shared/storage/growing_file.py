"""Files that only grow: what counts stays as it is whatever happens, and what was written in part is taken away."""

import hashlib
import os
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from ..bounds import DOS_END, LONGEST_LINE
from ..json_text import parse_json
from .lock import Lock, TakenError, lock_of

PATIENCE = 10.0
"""Seconds to wait for another process that writes a line."""

_CHUNK = 1 << 20


class JournalError(ValueError):
    """Raised for a file that is damaged or in use; the message is the end of a sentence on that file."""


class GrowingFile:
    """An open file to which no other process may append before it is closed."""

    def __init__(self, path: Path, patience: float = 0.0) -> None:
        """
        Opens *path*, or makes it.

        :raises OSError: if that cannot be.
        :raises JournalError: if another process has it open still after *patience* seconds, or it is not a file.
        """
        self.path = path
        if path.exists() and not path.is_file():
            raise JournalError("it is not a file that can be appended to")
        try:
            self._lock = Lock(lock_of(path), patience)
        except TakenError:
            raise JournalError("another match is writing it") from None
        self._made = not path.exists()
        try:
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        except OSError:
            self._lock.close()
            raise
        self.size = os.fstat(self._handle).st_size
        """Bytes that count; what is written stands behind them."""

    def close(self) -> None:
        """Lets the next process append; a file that was made, and into which nothing was written, is taken away."""
        if self._handle >= 0:
            useless = self._made and not os.fstat(self._handle).st_size
            os.close(self._handle)
            self._handle = -1
            if useless:
                with suppress(OSError):
                    os.unlink(os.path.realpath(self.path))
        self._lock.close()

    def content(self, begin: int = 0) -> bytes:
        """
        Reads the file, from byte *begin* on.

        :raises OSError: if it cannot be read.
        """
        with os.fdopen(os.dup(self._handle), "rb") as file:
            file.seek(begin)
            return file.read()

    def digest(self, size: int) -> Any:
        """Gets the SHA-256 of the first *size* bytes, which more bytes can extend."""
        digest, left = hashlib.sha256(), size
        with os.fdopen(os.dup(self._handle), "rb") as file:
            file.seek(0)
            while part := file.read(min(left, _CHUNK)):
                digest.update(part)
                left -= len(part)
        return digest

    def cut(self) -> None:
        """Takes away what does not count."""
        if self._handle >= 0:
            os.ftruncate(self._handle, self.size)

    def write(self, data: bytes) -> None:
        """
        Writes *data* behind what counts, over what may stand there, and waits until it is on the disk.

        :raises OSError: if that cannot be; the file then ends after what counted, and the call can be made again.
        """
        os.ftruncate(self._handle, self.size)
        os.lseek(self._handle, self.size, os.SEEK_SET)
        unwritten = data
        try:
            while unwritten:
                unwritten = unwritten[os.write(self._handle, unwritten) :]
            os.fsync(self._handle)
        except OSError:
            with suppress(OSError):
                os.ftruncate(self._handle, self.size)
            raise
        self.size += len(data)


def append_line(path: Path, line: bytes) -> None:
    """
    Writes a line of JSON behind the last whole one of a file, or of a new one, and waits until it is on the disk.

    A line that a full disk or the end of a process has cut is removed; a last line that only lacks its end gets it.

    :raises OSError: if that cannot be; the whole lines are what they were.
    :raises JournalError: if another process does not let go of the file, or it is not a file.
    """
    with closing(GrowingFile(path, PATIENCE)) as file:
        tail = file.content(max(0, file.size - LONGEST_LINE)).rpartition(b"\n")[2]
        if tail.endswith(DOS_END):
            file.size, tail = file.size - len(DOS_END), tail.removesuffix(DOS_END)
        half = _is_half(tail)
        file.size -= half * len(tail)
        file.write((b"\n" if tail and not half else b"") + line + b"\n")


def _is_half(rest: bytes) -> bool:
    """Tests for the rest of an object, as opposed to text of the user. A machine that dies leaves zero bytes."""
    if rest[:1] not in (b"{", b"\0"):
        return False
    try:
        parse_json(rest.decode("utf-8"))
    except ValueError:
        return True
    return False


def whole_lines(content: bytes) -> tuple[Sequence[bytes], int]:
    """
    Gets the whole lines of a file, without their ends, and how many bytes are left of a last one.

    A machine that dies may keep the end of a line and lose its middle, which has zero bytes then; no other line does.
    """
    *lines, tail = content.split(b"\n")
    if lines and not tail and b"\0" in lines[-1]:
        tail = lines.pop() + b"\n"
    return lines, len(tail)
