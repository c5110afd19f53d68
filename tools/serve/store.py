"""
Where tables are kept, so that they outlive the server: one file a table, to which every event is appended.

A server that was killed finds them again at its next start. What cannot be written costs nobody the game: it goes on
in memory, and the file is written anew as soon as that works.
"""

import contextlib
import fcntl
import json
import logging
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

__all__ = ["FORMAT", "Line", "Store", "StoreError", "TableFile", "read_lines", "state_folder"]

Line = dict[str, Any]
"""Type alias: one line of a table's file, a JSON object; :mod:`tools.serve.saved` knows what is in it."""

FORMAT = "ddzbot-table"
"""What the first line of every file says of itself."""

SUFFIX, DAMAGED = ".table", ".damaged"
_FILE_NAME = re.compile(r"[A-Za-z0-9_-]{12}" + re.escape(SUFFIX))
"""The name of a table is 9 random bytes as text that may stand in an address."""
_MOST_FIRST, _MOST_NAMED = 1 << 16, 3


class StoreError(ValueError):
    """Raised for a folder that another server has, and for a file that holds no table; the message is one sentence."""


def state_folder() -> Path:
    """Gets the folder of this user for what programs keep: ``$XDG_STATE_HOME/ddzbot``, or ``~/.local/state/ddzbot``."""
    base = os.environ.get("XDG_STATE_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".local" / "state") / "ddzbot"


class Store:
    """The folder of one server. Files are for their owner alone: they have the hidden cards in them."""

    def __init__(self, folder: Path) -> None:
        """
        Takes the folder, and makes it if there is none.

        :raises StoreError: if another server has it.
        """
        self.folder = folder
        self._failing: set[Path] = set()
        self._lock: int | None = None
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            self.failed(folder, error)
            return
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.close()
            raise StoreError(f"{folder}: another server keeps its tables there") from None

    @property
    def failing(self) -> bool:
        """Tells whether a table could not be written; it would not outlive a restart."""
        return bool(self._failing)

    def file(self, name: str) -> "TableFile":
        """Gets the file of the table of that name, which need not be there yet."""
        return TableFile(self.folder / (name + SUFFIX), self)

    def files(self) -> Iterator["TableFile"]:
        """Yields the files of all tables. The log says once which others only seem to be such files; they stay."""
        others: list[str] = []
        with contextlib.suppress(OSError):
            for path in sorted(self.folder.glob("*" + SUFFIX)):
                if _holds_table(path):
                    yield TableFile(path, self)
                else:
                    others.append(ascii(path.name))
        if others:
            more = f" and {len(others) - _MOST_NAMED} more" if len(others) > _MOST_NAMED else ""
            names = ", ".join(others[:_MOST_NAMED]) + more
            logging.warning("%s: no table by name and first line, and left as it is: %s", self.folder, names)

    def failed(self, path: Path, error: OSError) -> None:
        """Notes that something cannot be written; the log has one sentence about the first."""
        if not self._failing:
            logging.warning(
                "%s: tables cannot be kept there (%s): they go on in memory, and end with the server",
                self.folder,
                error.strerror,
            )
        self._failing.add(path)

    def worked(self, path: Path) -> None:
        """Notes that something is written."""
        if self._failing:
            self._failing -= {path, self.folder}
            if not self._failing:
                logging.warning("%s: tables are kept there again", self.folder)

    def gone(self, path: Path) -> None:
        """Notes that something need not be written any more."""
        self._failing.discard(path)

    def close(self) -> None:
        """Gives the folder back."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


class TableFile:
    """One table's file; nothing here raises because a disk is full."""

    def __init__(self, path: Path, store: Store) -> None:
        self.path = path
        self._store = store
        self._open: int | None = None

    @property
    def name(self) -> str:
        """The name of the table."""
        return self.path.name.removesuffix(SUFFIX)

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
            _write(self._open, lines)
        except OSError as error:
            self._failed(error)

    def write(self, lines: list[Line], needed: bool = True) -> None:
        """Replaces the file in one step; where that fails and is not *needed*, the old one serves on."""
        part = self.path.with_name(self.path.name + ".part")
        try:
            part.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            fresh = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600)
            try:
                _write(fresh, lines)
                os.replace(part, self.path)
            except OSError:
                os.close(fresh)
                raise
        except OSError as error:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
            if needed:
                self._failed(error)
            return
        self._close()
        self._open = fresh
        self._store.worked(self.path)

    def lay_aside(self, problem: str) -> None:
        """Renames a file that cannot be read, and says so in the log."""
        aside = self.path.with_name(self.name + DAMAGED)
        logging.warning("%s is damaged (%s): it is now called %s", self.path, problem, aside.name)
        with contextlib.suppress(OSError):
            os.replace(self.path, aside)

    def remove(self) -> None:
        """Removes the file, and says so in the log: its table has ended."""
        self._close()
        with contextlib.suppress(OSError):
            self.path.unlink()
            logging.warning("%s is removed: its table has ended", self.path)
        self._store.gone(self.path)

    def _failed(self, error: OSError) -> None:
        self._close()
        self._store.failed(self.path, error)

    def _close(self) -> None:
        if self._open is not None:
            with contextlib.suppress(OSError):
                os.close(self._open)
            self._open = None


def _holds_table(path: Path) -> bool:
    """Tells whether a server wrote the file: no other is read further, renamed or removed."""
    if not (_FILE_NAME.fullmatch(path.name) and path.is_file()):
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

    :raises StoreError: if another line is not a JSON object, or there is none.
    :raises OSError: if it cannot be read.
    """
    *texts, rest = path.read_bytes().split(b"\n")
    lines: list[Line] = []
    for number, text in enumerate(texts, 1):
        try:
            line = json.loads(text)
        except ValueError:
            # What a crash of the machine leaves of the last write may end with a line end.
            if number == len(texts) and not rest:
                break
            raise StoreError(f"line {number} is not JSON") from None
        if not isinstance(line, dict):
            raise StoreError(f"line {number} is not a JSON object")
        lines.append(line)
    if not lines:
        raise StoreError("it has no whole line")
    return lines


def _write(file: int, lines: list[Line]) -> None:
    """
    Writes all lines.

    :raises OSError: if not all of it was written; a part may have been.
    """
    data = b"".join(json.dumps(line, separators=(",", ":")).encode("ascii") + b"\n" for line in lines)
    while data:
        data = data[os.write(file, data) :]
