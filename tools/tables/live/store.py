"""
Where running matches are kept, so that a client that was stopped resumes them: one file a match, which is replaced as
a whole before any of its answers is sent.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from ...shared.storage.folder import Folder, Names
from .match import FORM, LiveMatch

KEPT_DAYS = 3
"""A match of which nothing was heard for so long is set aside at the next start."""

_NAMES = Names("match", "matches", "client", ".match.json", ".aside.json")


class Store(Folder[LiveMatch]):
    """The folder of one client. Files are for their owner alone: they have the own cards in them."""

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        """
        Takes the folder, and makes it if there is none; *say* prints what goes wrong later.

        :raises FolderError: if another client has it, or it cannot be made.
        """
        super().__init__(folder, FORM, _NAMES, say, needed=True)

    def running(self) -> Iterator[LiveMatch]:
        """Yields the matches that run. A file that makes no sense, or is very old, is set aside."""
        for file_name, match in self.load():
            try:
                if self.file(file_name).stat().st_mtime < time.time() - 86400 * KEPT_DAYS:
                    raise ValueError(f"nothing was heard of it for {KEPT_DAYS} days")
                if match.id != file_name:
                    raise ValueError("it is of another match")
                match.unsent()
            except (OSError, ValueError) as error:
                self.set_aside(file_name, str(error))
            else:
                yield match

    def save(self, match: LiveMatch) -> None:
        """Writes a match in one step."""
        self.replace(match.id, match)
