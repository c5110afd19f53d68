"""
Where running matches are kept, so that a client that was stopped goes on with them: one file a match, which is
replaced as a whole before anything that it says is sent.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from ...shared.json_text import json_text, parse_json
from ...shared.kept.folder import Folder
from ...shared.kept.whole_file import written_whole
from .match import LiveMatch

KEPT_DAYS = 3
"""A match of which nothing was heard for so long is laid aside at the next start."""


class Store(Folder):
    """The folder of one client. Files are for their owner alone: they have the own cards in them."""

    THING, THINGS, OWNER, SUFFIX, ASIDE = "match", "matches", "client", ".match.json", ".aside.json"

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        """
        Takes the folder, and makes it if there is none; *say* is told what goes wrong later.

        :raises FolderError: if another client has it, or it cannot be made.
        """
        super().__init__(folder, say, needed=True)

    def load(self) -> list[LiveMatch]:
        """Reads all matches that go on. A file that cannot be read, or is very old, is laid aside."""
        return list(self._readable())

    def _readable(self) -> Iterator[LiveMatch]:
        for name in self.names():
            path = self.file(name)
            try:
                if path.stat().st_mtime < time.time() - 86400 * KEPT_DAYS:
                    raise ValueError(f"nothing was heard of it for {KEPT_DAYS} days")
                match = LiveMatch.from_json(parse_json(path.read_text("ascii")))
                if match.id != name:
                    raise ValueError("it is of another match")
            except (OSError, ValueError) as error:
                self.lay_aside(name, str(error))
                continue
            yield match

    def save(self, match: LiveMatch) -> None:
        """Writes a match in one step."""
        try:
            with written_whole(self.file(match.id), make_folder=False, mode=0o600) as file:
                file.write(json_text(match.as_json(), ascii_only=True).encode() + b"\n")
        except OSError as error:
            self.failed(match.id, error)
        else:
            self.worked(match.id)
