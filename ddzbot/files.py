"""
The files that travel with the package, wherever it lies: in a folder, or inside the zip file that was uploaded.

A path may lead into the zip file that this package was imported from, as in ``ddzbot.zip/weights/manifest.json``.
Judges give no folder that is surely writable, so that a library goes from there into a file in memory.
"""

import errno
import os
import sys
from typing import Any, Iterator, Optional

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
"""The folder or zip file with ``ddzbot``, and with ``weights`` unless pip installed them."""

_MEMFD_CREATE = {"x86_64": 319, "aarch64": 279}
"""The number of the system call: Python has had it since 3.8, and the C library of some judges has no name for it."""
_CLOSE_ON_EXEC = 1


def shown(path: str) -> str:
    """Gets the path as messages say it: from :data:`ROOT` on if it lies there, since a long one hides the reason."""
    return path[len(ROOT) + 1 :] if path.startswith(ROOT + os.sep) else path


def exists(path: str) -> bool:
    """Checks if there is a file, in a folder or in the package's own zip file."""
    if os.path.exists(path):
        return True
    try:
        return _zipped(path) is not None
    except OSError:
        return False


def read_bytes(path: str, most: Optional[int] = None) -> bytes:
    """
    Reads a file, in a folder or in the package's own zip file; of a larger file than *most* bytes, one byte more.

    :raises OSError: if there is none.
    :raises ValueError: for a path that no file can have.
    """
    content = _zipped(path) if not os.path.exists(path) else None
    if content is not None:
        return content
    with open(path, "rb") as file:
        return file.read() if most is None else file.read(most + 1)


def loadable(path: str, content: bytes) -> Iterator[str]:
    """
    Yields where the system may load a shared library with this *content* from: *path* itself; a file in memory, since a
    judge may let nothing run that lies in its folders; and if *path* leads into the zip file, the temporary folder.

    :raises OSError: if it cannot be put there.
    """
    there = os.path.exists(path)
    if there:
        yield path
    in_memory = _in_memory(content)
    if in_memory:
        yield in_memory
    if not there:
        yield _in_temporary_file(content, os.path.basename(path))


def _zipped(path: str) -> Optional[bytes]:
    """Reads a member of the zip file that holds this package; None if there is no zip file, or *path* is elsewhere."""
    loader: Any = globals().get("__loader__")
    if not path.startswith(ROOT + os.sep) or not hasattr(loader, "archive"):
        return None
    try:
        content: bytes = loader.get_data(os.path.join(loader.archive, path[len(ROOT) + 1 :]))
    except OSError:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path) from None
    return content


def _in_memory(content: bytes) -> Optional[str]:
    """Puts bytes into a file without a folder, which lives as long as this process; None where there is no such."""
    if sys.platform == "linux":
        import ctypes

        call = _MEMFD_CREATE.get(os.uname().machine)
        if call is None:
            return None
        try:
            handle = ctypes.CDLL(None).syscall(call, b"ddzbot", _CLOSE_ON_EXEC)
            if handle < 0:
                return None
            with os.fdopen(os.dup(handle), "wb") as file:
                file.write(content)
        except (OSError, AttributeError):
            return None
        path = f"/proc/self/fd/{handle}"
        return path if os.path.exists(path) else None
    else:
        return None


def _in_temporary_file(content: bytes, name: str) -> str:
    """Puts bytes into a folder that is this user's alone, where the next process finds them again."""
    import hashlib
    import tempfile

    owner = os.getuid() if hasattr(os, "getuid") else 0
    mark = hashlib.sha256(content).hexdigest()[:12]
    folder = os.path.join(tempfile.gettempdir(), f"ddzbot-{owner}-{mark}")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    state = os.stat(folder)
    # Windows gives each user a temporary folder that is closed to others, and knows no such mode.
    if sys.platform != "win32" and (state.st_uid != owner or state.st_mode & 0o077):
        raise PermissionError(errno.EPERM, "others can write there", folder)
    path = os.path.join(folder, name)
    if not _holds(path, content):
        unfinished = f"{path}.{os.getpid()}"
        with open(unfinished, "wb") as file:
            file.write(content)
        os.replace(unfinished, path)
    return path


def _holds(path: str, content: bytes) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read() == content
    except OSError:
        return False
