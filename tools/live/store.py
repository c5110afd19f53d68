"""
Where running matches are kept, so that a client that was stopped goes on with them: one file a match.

A folder belongs to one client at a time. A file is replaced as a whole, before anything that it says is sent. What
cannot be written costs nobody a match: it goes on in memory, and that is said once.
"""

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from ..shared.json_text import json_text, parse_json
from ..shared.kept.lock import Lock, TakenError
from ..shared.kept.whole_file import written_whole
from .match import LiveMatch

__all__ = ["KEPT_DAYS", "Store", "StoreError"]

SUFFIX, ASIDE = ".match.json", ".aside.json"
KEPT_DAYS = 3
"""A match of which nothing was heard for so long is laid aside at the next start."""


class StoreError(ValueError):
    """Raised for a folder that cannot be had; the message is one sentence."""


class Store:
    """The folder of one client. Files are for their owner alone: they have the own cards in them."""

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        """
        Takes the folder, and makes it if there is none; *say* is told what goes wrong later.

        :raises StoreError: if another client has it, or it cannot be made.
        """
        self.folder = folder
        self._say = say
        self._failing = False
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = Lock(folder / "lock", mode=0o600)
        except TakenError:
            raise StoreError(f"{folder}: another client of this user runs already") from None
        except OSError as error:
            raise StoreError(f"{folder}: matches cannot be kept there: {error.strerror}") from None

    def load(self) -> list[LiveMatch]:
        """Reads all matches that go on. A file that cannot be read, or is very old, is laid aside."""
        return list(self._readable())

    def _readable(self) -> Iterator[LiveMatch]:
        for path in sorted(self.folder.glob("*" + SUFFIX)):
            try:
                if path.stat().st_mtime < time.time() - 86400 * KEPT_DAYS:
                    raise ValueError(f"nothing was heard of it for {KEPT_DAYS} days")
                match = LiveMatch.from_json(parse_json(path.read_text("ascii")))
                if self._path(match.id) != path:
                    raise ValueError("it is of another match")
            except (OSError, ValueError) as error:
                self.lay_aside(path.name.removesuffix(SUFFIX), str(error))
                continue
            yield match

    def save(self, match: LiveMatch) -> None:
        """Writes a match in one step."""
        try:
            with written_whole(self._path(match.id), make_folder=False, mode=0o600) as file:
                file.write(json_text(match.as_json(), ascii_only=True).encode() + b"\n")
        except OSError as error:
            if not self._failing:
                self._say(f"{self.folder}: matches cannot be kept ({error.strerror}): they would not outlive a restart")
            self._failing = True
        else:
            self._failing = False

    def remove(self, match: str) -> None:
        """Removes a match that is over."""
        with contextlib.suppress(OSError):
            self._path(match).unlink(missing_ok=True)

    def lay_aside(self, match: str, problem: str) -> None:
        """Keeps a match under another name, for a person to look at."""
        aside = self.folder / (match + ASIDE)
        self._say(f"match {match} is laid aside as {aside.name}: {problem:.200}")
        with contextlib.suppress(OSError):
            os.replace(self._path(match), aside)

    def close(self) -> None:
        """Gives the folder back."""
        self._lock.close()

    def _path(self, match: str) -> Path:
        return self.folder / (match + SUFFIX)
