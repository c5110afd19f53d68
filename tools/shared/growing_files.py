"""Files that only grow: what counts stays as it is whatever happens, and what was written in part is taken away."""

import contextlib
import errno
import os
import stat
import sys
import time
from pathlib import Path

from .bounds import LONGEST_LINE
from .json_text import parse_json

if sys.platform != "win32":
    import fcntl

__all__ = ["JournalError", "append_line", "open_locked", "write_behind"]

_TAKEN = (errno.EAGAIN, errno.EACCES)
_TRIES, _PAUSE = 100, 0.1
"""How often, and after how many seconds, it is tried again to write a file that others may be writing a line to."""


class JournalError(ValueError):
    """Raised for a file that is damaged or in use; the message is the end of a sentence on that file."""


def append_line(path: Path, line: bytes) -> None:
    """
    Writes a line of JSON behind the last whole one of a file, or of a new one, and waits until it is on the disk.

    What a full disk or the end of a process has left of a line goes; a last line that only lacks its end gets it.

    :raises OSError: if that cannot be; the whole lines are what they were.
    :raises JournalError: if another process does not let go of the file, or it is not a file.
    """
    handle = _waited_for(path)
    try:
        size = os.fstat(handle).st_size
        os.lseek(handle, max(0, size - LONGEST_LINE), os.SEEK_SET)
        rest = os.read(handle, LONGEST_LINE).rpartition(b"\n")[2]
        half = _is_half(rest)
        between = b"\n" if rest and not half else b""
        write_behind(handle, size - half * len(rest), between + line + b"\n")
    finally:
        os.close(handle)


def _waited_for(path: Path) -> int:
    for _ in range(_TRIES):
        with contextlib.suppress(JournalError):
            return open_locked(path)
        time.sleep(_PAUSE)
    return open_locked(path)


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


def open_locked(path: Path) -> int:
    """
    Opens a file to read and to write, or makes it, and locks it against other processes that open it so.

    :raises OSError: if that cannot be.
    :raises JournalError: if another process has it open, or it is not a file.
    """
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        try:
            state = os.fstat(handle)
            if not stat.S_ISREG(state.st_mode):
                raise JournalError("it is not a file that can be appended to")
            _lock(handle)
            now = os.stat(path)
        except FileNotFoundError:
            os.close(handle)
            continue
        except BaseException:
            os.close(handle)
            raise
        if os.path.samestat(state, now):
            return handle
        # Somebody put another file in its place after we had opened it.
        os.close(handle)


def _lock(handle: int) -> None:
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # Some network drives have no locks; a match there goes without.
        if error.errno in _TAKEN:
            raise JournalError("another match is writing it") from None
