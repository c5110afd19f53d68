"""
Locks: of several processes that would change one file, or take one thing up, only one does so at a time.

Whoever changes a file as a whole holds its lock from reading it until the new file has taken its place
(:mod:`tools.shared.kept.whole_file`). So nobody writes over what another one has just written.
"""

import errno
import os
import sys
import time
import weakref
from contextlib import suppress
from pathlib import Path
from types import TracebackType

if sys.platform != "win32" and sys.platform != "emscripten":
    import fcntl


LOOK_SECONDS = 0.02
"""How often somebody who waits looks whether the lock is free."""


class TakenError(OSError):
    """Raised where another process holds the lock; the message is the end of a sentence on the file."""


class Held:
    """
    An open file that no other process may open so before it is closed, or this process ends.

    A forked process closes what it inherits: it would keep the lock of a parent that was killed.
    """

    def __init__(self, path: Path, patience: float = 0.0, mode: int = 0o666) -> None:
        """
        Opens the file to read and to write, or makes it. *mode* is who may read a file that is made.

        :raises TakenError: if another process has it still after *patience* seconds.
        :raises OSError: if it cannot be opened to be written, or be made.
        """
        self.path = path
        self._handle = _open_locked(path, patience, mode)
        _open_ones.add(self)

    def close(self) -> None:
        """Lets the next one in."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


class Lock(Held):
    """
    The lock of a file, which is made if there is none; its end, or that of the process, lets the next one in.

    A file that was made for it, and has nothing in it then, is removed. Windows, browsers, and drives without locks,
    let everybody in.
    """

    def __init__(self, path: Path, patience: float = 0.0, mode: int = 0o666) -> None:
        """Takes the lock as :class:`Held` says; a link stands for its file."""
        path = Path(os.path.realpath(path))
        self._made = not path.exists()
        super().__init__(path, patience, mode)
        if sys.platform == "win32":
            super().close()  # there nobody can replace a file that is open

    def __enter__(self) -> "Lock":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Lets the next one in."""
        # As long as it is locked: who waits finds it gone, and makes another one.
        if self._handle >= 0:
            with suppress(OSError):
                if self._made and not os.fstat(self._handle).st_size and _is_at(self._handle, self.path):
                    os.unlink(self.path)
        super().close()


def _open_locked(path: Path, patience: float, mode: int) -> int:
    until = time.monotonic() + patience
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), mode)
        free = _is_free(handle)
        # Somebody may have put another file in its place after we had opened it.
        if free and _is_at(handle, path):
            return handle
        os.close(handle)
        if not free:
            if time.monotonic() >= until:
                raise TakenError("another program is writing it")
            time.sleep(LOOK_SECONDS)


def _is_free(handle: int) -> bool:
    """Locks a file, if no other process has; that it has no locks at all is no reason to stop."""
    if sys.platform == "win32" or sys.platform == "emscripten":
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.EAGAIN, errno.EACCES)
    return True


def _is_at(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False


_open_ones: "weakref.WeakSet[Held]" = weakref.WeakSet()


def _close_in_child() -> None:
    for held in list(_open_ones):
        Held.close(held)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_in_child)
