"""
Where tables are kept, so that they outlive the server: one file a table, to which every event is appended.

A server that was killed finds them again at its next start. What cannot be written costs nobody the game: it goes on
in memory, and the file is written anew as soon as that works.
"""

import json
import logging
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ..shared.json_text import json_text, parse_json
from ..shared.kept.folder import Folder, FolderError
from ..shared.kept.growing_file import GrowingFile, whole_lines

__all__ = ["FORMAT", "Line", "Store", "TableFile", "read_lines"]

Line = dict[str, Any]
"""Type alias: one line of a table's file, a JSON object; :mod:`tools.serve.saved` knows what is in it."""

FORMAT = "ddzbot-table"
"""What the first line of every file says of itself."""

_NAME = re.compile(r"[A-Za-z0-9_-]{12}")
"""The name of a table is 9 random bytes as text that may stand in an address."""
_MOST_FIRST, _MOST_NAMED = 1 << 16, 3


class Store(Folder):
    """The folder of one server. Files are for their owner alone: they have the hidden cards in them."""

    THING, THINGS, OWNER, SUFFIX, ASIDE = "table", "tables", "server", ".table", ".damaged"

    def __init__(self, folder: Path) -> None:
        """
        Takes the folder, and makes it if there is none; the log says what goes wrong.

        :raises FolderError: if another server has it.
        """
        super().__init__(folder, logging.warning)

    def tables(self) -> Iterator["TableFile"]:
        """Yields the files of all tables. The log says once which others only seem to be such files; they stay."""
        others: list[str] = []
        for name in self.names():
            if _NAME.fullmatch(name) and _holds_table(self.file(name)):
                yield TableFile(name, self)
            else:
                others.append(ascii(self.file(name).name))
        if others:
            more = f" and {len(others) - _MOST_NAMED} more" if len(others) > _MOST_NAMED else ""
            names = ", ".join(others[:_MOST_NAMED]) + more
            logging.warning("%s: no table by name and first line, and left as it is: %s", self.path, names)


class TableFile:
    """One table's file; nothing here raises because a disk is full."""

    def __init__(self, name: str, store: Store) -> None:
        self.name = name
        self.path = store.file(name)
        self._store = store
        self._open: GrowingFile | None = None

    @property
    def kept(self) -> bool:
        """Tells whether everything stands in the file."""
        return self._open is not None

    def add(self, lines: list[Line], whole: Callable[[], list[Line]]) -> None:
        """Appends lines; where that did not work before, the *whole* file is written anew."""
        if self._open is None:
            self.write(whole())
            return
        try:
            self._open.write(_text_of(lines), synced=False)
        except OSError as error:
            self._failed(error)

    def write(self, lines: list[Line], needed: bool = True) -> None:
        """Replaces the file in one step; where that fails and is not *needed*, the old one serves on."""
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            fresh = GrowingFile.instead_of(self.path, _text_of(lines), 0o600, synced=False)
        except OSError as error:
            if needed:
                self._failed(error)
            return
        self._close()
        self._open = fresh
        self._store.worked(self.name)

    def lay_aside(self, problem: str) -> None:
        """Renames a file that cannot be read, and says so in the log."""
        self._store.lay_aside(self.name, f"it is damaged ({problem})")

    def remove(self) -> None:
        """Removes the file, and says so in the log: its table has ended."""
        self._close()
        if self._store.remove(self.name):
            logging.warning("%s is removed: its table has ended", self.path)

    def _failed(self, error: OSError) -> None:
        self._close()
        self._store.failed(self.name, error)

    def _close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None


def _holds_table(path: Path) -> bool:
    """Tells whether a server wrote the file: no other is read further, renamed or removed."""
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            first = json.loads(file.readline(_MOST_FIRST))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(first, dict) and first.get("format") == FORMAT


def read_lines(path: Path) -> list[Line]:
    """
    Reads the lines of a file. A last line that was torn off when the server was killed does not count.

    :raises FolderError: if another line is not a JSON object, or there is none.
    :raises OSError: if it cannot be read.
    """
    texts, torn = whole_lines(path.read_bytes())
    lines: list[Line] = []
    for number, text in enumerate(texts, 1):
        try:
            line = parse_json(text.decode("ascii"))
        except ValueError:
            # What a crash of the machine leaves of the last write may end with a line end.
            if number == len(texts) and not torn:
                break
            raise FolderError(f"line {number} is not JSON") from None
        if not isinstance(line, dict):
            raise FolderError(f"line {number} is not a JSON object")
        lines.append(line)
    if not lines:
        raise FolderError("it has no whole line")
    return lines


def _text_of(lines: list[Line]) -> bytes:
    return b"".join(json_text(line, ascii_only=True).encode("ascii") + b"\n" for line in lines)
