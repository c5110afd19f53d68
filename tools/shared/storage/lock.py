"""
Locks: of several processes that would change one file, or take one thing up, only one does so at a time.

A process that changes a file as a whole holds its lock from reading it until the new file has taken its place
(:mod:`tools.shared.storage.whole_file`), so that no process writes over what another one has just written.
"""

import errno
import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from filelock import FileLock, Timeout

LOOK_SECONDS = 0.02
"""Between two looks at a lock that another process holds."""
_NO_LOCKS = {errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP}


class TakenError(OSError):
    """Raised where another process holds the lock; the message is the end of a sentence on the file."""


class Lock:
    """
    A lock file that no other process holds before this one lets it go, or ends; it is made, and removed then.

    A drive without locks lets every process in.
    """

    def __init__(self, path: Path, patience: float = 0.0, mode: int = -1) -> None:
        """
        Takes the lock; *mode* has its permissions, -1 those of the umask.

        :raises TakenError: if another process holds it still after *patience* seconds.
        :raises OSError: if the file cannot be made.
        """
        self._path = path
        if not path.parent.is_dir():
            # filelock would make the folder, and a typing error would go unseen.
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path.parent))
        self._lock = FileLock(path, patience, mode, thread_local=False, poll_interval=LOOK_SECONDS)
        try:
            self._lock.acquire()
        except Timeout:
            _check_makable(path)
            raise TakenError("another program is writing it") from None
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                raise

    def __enter__(self) -> "Lock":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Lets the next one in."""
        if self._lock.is_locked:
            # As long as it is locked: a process that waits finds it gone, and makes another one.
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
            self._lock.release()


def _check_makable(path: Path) -> None:
    """
    Finds out why a lock was not had: filelock waits for one that cannot be made, too, as in ``/proc``.

    :raises OSError: if the file is not there and cannot be made.
    """
    if not path.exists():
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        path.unlink(missing_ok=True)


def lock_of(path: Path) -> Path:
    """Names the lock file of a file, which stands beside it; a link stands for its file."""
    real = Path(os.path.realpath(path))
    return real.with_name(f".{real.name}.lock")
