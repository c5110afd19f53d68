"""
Where tables are kept, so that they outlive the server: one file a table, to which every event is appended.

A server that was killed finds them again at its next start. What cannot be written costs nobody the game: it goes on
in memory, and the file is written anew as soon as that works.
"""

import json
import logging
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ...shared.json_text import json_text, parse_json
from ...shared.kept.folder import Folder, FolderError
from ...shared.kept.growing_file import whole_lines

Line = dict[str, Any]
"""Type alias: one line of a table's file, a JSON object; :mod:`tools.tables.serve.saved` knows what is in it."""

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

    def tables(self) -> Iterator[str]:
        """Yields the names of all tables. The log says once which files only seem to be some; they stay."""
        others: list[str] = []
        for name in self.names():
            if _NAME.fullmatch(name) and _holds_table(self.file(name)):
                yield name
            else:
                others.append(ascii(self.file(name).name))
        if others:
            more = f" and {len(others) - _MOST_NAMED} more" if len(others) > _MOST_NAMED else ""
            names = ", ".join(others[:_MOST_NAMED]) + more
            logging.warning("%s: no table by name and first line, and left as it is: %s", self.path, names)


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


def text_of(lines: Sequence[Line]) -> bytes:
    """Writes lines as :func:`read_lines` reads them."""
    return b"".join(json_text(line, ascii_only=True).encode("ascii") + b"\n" for line in lines)
