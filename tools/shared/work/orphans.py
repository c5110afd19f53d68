"""
Processes that end when the one that started them does, on every way to die: kill -9 runs no handler.

A worker of ours watches for its parent (:func:`end_with`). An external program cannot; a guard
(:class:`Guard`), a small process whose input ends with ours, kills what is left of it: its group, all that descends
from it, and all that carries its mark in the environment. What has left all three, a daemon without parent and mark in
a session of its own, can be told from nobody else's process any more; in a sandbox it ends all the same.
"""

import atexit
import contextlib
import os
import shutil
import signal
import site
import subprocess
import sys
import threading
import time
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import psutil

_ROUNDS = 200
_PAUSE = 0.005
"""How often to look for marked processes that start others while they are killed, and how many seconds to wait."""

_ROOT = Path(__file__).resolve().parents[3]


def end_with(other: Any) -> None:
    """
    Ends this process, and every program that it runs, as soon as another one ends, or closes its end of a pipe.

    *other* is what :func:`multiprocessing.connection.wait` waits for. Only a call into C that lets no other thread run
    can delay it.
    """

    def watch() -> None:
        wait([other])
        # From here on no program begins, so that none is left.
        with GUARD.starting:
            GUARD.end()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class Guard:
    """
    Kills process groups, and removes folders, once this process has ended, however that came. Started with the first.

    Each process has a guard of its own: one that was forked does not speak to that of its parent.
    """

    def __init__(self) -> None:
        self.starting = threading.Lock()
        """Held while a program starts, until it is watched."""
        self._lock = threading.Lock()
        self._owner = 0
        self._running: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The process of the guard, and its session; 0 while there is none."""
        return 0 if self._running is None or self._owner != os.getpid() else self._running.pid

    def watch(self, group: int, mark: str = "") -> None:
        """Has the group killed in the end, and what carries the *mark* ``NAME=VALUE``, unless it is forgotten."""
        self._tell(f"+{group} {mark}\n")

    def forget(self, group: int) -> None:
        """Reports that the group is gone, and that its number may belong to a stranger soon."""
        self._tell(f"-{group}\n")

    def remove(self, folder: Path) -> None:
        """Has a folder removed in the end, after the groups are gone; its name is an absolute one of one line."""
        self._tell(f"{folder}\n")

    def end(self) -> None:
        """Ends the guard, which kills and removes what is left now."""
        with self._lock:
            running, self._running = self._running, None
        if running is not None and self._owner == os.getpid():
            running.communicate()

    def _tell(self, word: str) -> None:
        with self._lock:
            if self._running is None or self._owner != os.getpid():
                self._owner, command = os.getpid(), [sys.executable, "-S", str(Path(__file__))]
                atexit.register(self.end)
                # A session of its own: what ends this process group does not end the guard.
                self._running = subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True, cwd=_ROOT
                )
            assert self._running.stdin is not None
            with contextlib.suppress(OSError):
                self._running.stdin.write(os.fsencode(word))
                self._running.stdin.flush()


GUARD = Guard()
"""That of the programs which this process runs."""


def _guard() -> None:
    """Reads groups and folders until the input ends, and then kills and removes those that were not forgotten."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    groups: dict[int, str] = {}
    folders: list[bytes] = []
    for word in sys.stdin.buffer:
        if word[:1] == b"/":
            folders.append(word.rstrip(b"\n"))
        elif word[:1] == b"+":
            group, _, mark = word[1:].decode().rstrip("\n").partition(" ")
            groups[int(group)] = mark
        else:
            groups.pop(int(word[1:]), None)
    if groups:
        _end(groups)
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def _end(groups: dict[int, str]) -> None:
    """Kills the groups, their descendants while these can still be told, and what carries a mark."""
    site.main()  # the guard starts without packages, which is faster
    import psutil

    descendants: list[psutil.Process] = []
    for group in groups:
        with contextlib.suppress(psutil.Error):
            descendants += psutil.Process(group).children(recursive=True)
    for group in groups:
        _kill_group(group)
    marks = [tuple(mark.split("=", 1)) for mark in groups.values() if mark]
    left = descendants
    for _ in range(_ROUNDS):
        for process in left:
            with contextlib.suppress(psutil.Error):
                process.kill()
        left = [process for process in psutil.process_iter() if _carries(process, marks)]
        if not left:
            return
        time.sleep(_PAUSE)


def _carries(process: "psutil.Process", marks: list[tuple[str, ...]]) -> bool:
    """Checks if one of the variables *marks* is in the environment of a process that runs."""
    import psutil

    try:
        return not {*marks}.isdisjoint(process.environ().items())
    except (OSError, psutil.Error):
        return False


def _kill_group(group: int) -> None:
    if sys.platform != "win32":
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    _guard()
