"""Files that only grow: what counts stays as it is whatever happens, and what was written in part is taken away."""

import contextlib
import os
import stat
from pathlib import Path

from ..bounds import LONGEST_LINE
from ..json_text import parse_json
from .lock import TakenError, open_locked

__all__ = ["PATIENCE", "JournalError", "append_line", "open_growing", "write_behind"]

PATIENCE = 10.0
"""Seconds to wait for another process that writes a line."""


class JournalError(ValueError):
    """Raised for a file that is damaged or in use; the message is the end of a sentence on that file."""


def append_line(path: Path, line: bytes) -> None:
    """
    Writes a line of JSON behind the last whole one of a file, or of a new one, and waits until it is on the disk.

    What a full disk or the end of a process has left of a line goes; a last line that only lacks its end gets it.

    :raises OSError: if that cannot be; the whole lines are what they were.
    :raises JournalError: if another process does not let go of the file, or it is not a file.
    """
    handle = open_growing(path, PATIENCE)
    try:
        size = os.fstat(handle).st_size
        os.lseek(handle, max(0, size - LONGEST_LINE), os.SEEK_SET)
        rest = os.read(handle, LONGEST_LINE).rpartition(b"\n")[2]
        half = _is_half(rest)
        between = b"\n" if rest and not half else b""
        write_behind(handle, size - half * len(rest), between + line + b"\n")
    finally:
        os.close(handle)


def _is_half(rest: bytes) -> bool:
    """Tells what is left of an object from other text, which is somebody's. A machine that dies leaves zero bytes."""
    if rest[:1] not in (b"{", b"\0"):
        return False
    try:
        parse_json(rest.decode("utf-8"))
    except ValueError:
        return True
    return False


def write_behind(handle: int, size: int, data: bytes) -> None:
    """
    Writes *data* behind the first *size* bytes of a file, over what may stand there, and waits until it is on the disk.

    :raises OSError: if that cannot be; the file then ends after those bytes.
    """
    os.ftruncate(handle, size)
    os.lseek(handle, size, os.SEEK_SET)
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[os.write(handle, rest) :]
        os.fsync(handle)
    except OSError:
        with contextlib.suppress(OSError):
            os.ftruncate(handle, size)
        raise


def open_growing(path: Path, patience: float = 0.0) -> int:
    """
    Opens a file that grows, or makes it, and locks it (:func:`tools.shared.kept.lock.open_locked`).

    :raises OSError: if that cannot be.
    :raises JournalError: if another process has it open still after *patience* seconds, or it is not a file.
    """
    try:
        handle = open_locked(path, patience)
    except TakenError:
        raise JournalError("another match is writing it") from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise JournalError("it is not a file that can be appended to")
    return handle
