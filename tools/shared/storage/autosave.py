"""Writes what is played as it comes, in blocks, and waits while the disk is full."""

import errno
import os
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

AUTOSAVE_SECONDS = 20.0

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
_LOOK_SECONDS = 0.2
"""How long a wish to stop may go unseen during a pause."""

FULL = {
    errno.ENOSPC: "the disk of {} is full ({}); free some space",
    errno.EDQUOT: "the quota for {} is full ({}); free some space",
    errno.EFBIG: "{} is full ({}); raise the limit on the size of files",
}
_BROKEN = "{} cannot be written ({}); fix that"


class OpenFile(Protocol):
    """An open results file."""

    @property
    def name(self) -> str:
        """What it is, as ``results file r.json``; of several files the one that could not be written last."""

    def append(self, items: Sequence[tuple[int, Any]], /) -> None:
        """
        Writes a block, and waits until it is on the disk.

        :raises OSError: if that cannot be; it may be tried again.
        """

    def close(self) -> None:
        """Lets others write the file."""


class Autosave:
    """Collects what is played and writes it now and then; waits while the disk is full."""

    def __init__(
        self, file: OpenFile, say: Callable[[str], None], stopped: Callable[[], bool], seconds: float | None = None
    ) -> None:
        self._file = file
        self._say = say
        self._stopped = stopped
        self._seconds = AUTOSAVE_SECONDS if seconds is None else seconds
        self._waiting: list[tuple[int, Any]] = []
        self._saved = time.monotonic()

    def add(self, number: int, what: Any) -> None:
        """Takes a set or a game, and writes all that wait when it is time; does not return while the disk is full."""
        self._waiting.append((number, what))
        if time.monotonic() - self._saved >= self._seconds:
            self.flush()

    def flush(self) -> None:
        """Writes what waits. Tries again until it succeeds or the user interrupts."""
        if not self._waiting:
            return
        pause, reported = FIRST_PAUSE, False
        while True:
            try:
                self._file.append(self._waiting)
            except OSError as error:
                if not reported:
                    self._say(f"Paused: {why_not(self._file.name, error)}, the match resumes by itself.")
                    reported = True
                if not self._slept(pause):
                    return
                pause = min(2 * pause, LONGEST_PAUSE)
            else:
                break
        if reported:
            self._say(f"{_begun(self._file.name)} is written again; the match continues.")
        self._waiting = []
        self._saved = time.monotonic()

    def _slept(self, seconds: float) -> bool:
        """Waits; False if the user interrupts meanwhile."""
        until = time.monotonic() + seconds
        while not self._stopped():
            left = until - time.monotonic()
            if left <= 0:
                return True
            time.sleep(min(left, _LOOK_SECONDS))
        return False

    def close(self) -> None:
        """
        Writes what can be written now, without waiting, and closes the file.

        Where not all fits, as much as does is kept, and a message counts the lost sets or games.
        """
        try:
            self._keep()
        except OSError as error:
            lost = f"; of what was played last {len(self._waiting)} could not be kept" if self._waiting else ""
            self._say(f"{_begun(self._file.name)} is not complete ({os.strerror(error.errno or 0)}){lost}.")
        finally:
            self._file.close()

    def _keep(self) -> None:
        if not self._waiting:
            return
        try:
            self._file.append(self._waiting)
            self._waiting = []
        except OSError:
            while self._waiting:
                self._file.append(self._waiting[:1])
                del self._waiting[0]


def why_not(name: str, error: OSError) -> str:
    """Describes why a file cannot be written, and what helps."""
    return FULL.get(error.errno or 0, _BROKEN).format(name, error.strerror or error)


def _begun(name: str) -> str:
    return name[:1].upper() + name[1:]
