"""What a table writes into its file, and when: before anybody is shown what happened."""

import logging
from collections.abc import Callable

from ...shared.kept.growing_file import GrowingFile
from ..table.table import Table
from .finished import MOST_GAMES
from .saved import begun_line, chair_line, event_lines, over_line
from .seats import Chair
from .store import Line, Store, text_of


class Diary:
    """
    Keeps the table of that *name* in its file of the *store*, or with None in no file.

    *whole* makes all lines of the table as it is, for a file that has to be written anew: where an earlier line could
    not be written, and now and then to leave out old games. Nothing here raises because a disk is full.
    """

    def __init__(self, store: Store | None, name: str, whole: Callable[[], list[Line]]) -> None:
        self._store, self._name, self._whole = store, name, whole
        self._file: GrowingFile | None = None
        """Open while everything stands in it."""
        self._games = self._events = 0

    @property
    def kept(self) -> bool | None:
        """Tells whether the table would outlive the server; None if no table of the server would."""
        return None if self._store is None else self._file is not None

    def chair(self, number: int, chair: Chair) -> None:
        """Notes a chair that changed."""
        self._add([chair_line(number, chair)])

    def begun(self, game: int, seed: int, table: Table) -> None:
        """Notes a game that begins."""
        self._games += 1
        self._events = len(table.events)
        if self._games % MOST_GAMES:
            self._add([begun_line(game, seed, table.record())])
        else:
            self._write_anew()

    def resumed(self, table: Table) -> None:
        """Notes a table that was read from its file, or on which something was taken back."""
        self._events = len(table.events)
        self._write_anew()

    def unused(self) -> None:
        """Notes for how long nobody has used the table; where that cannot be written, the file serves on as it is."""
        self._write_anew(needed=False)

    def happened(self, game: int, table: Table, chairs: list[Chair]) -> None:
        """Notes what happened in the game since the last time."""
        record = table.record()
        lines = event_lines(table.events[self._events :], record)
        self._events = len(table.events)
        if table.over:
            lines.append(over_line(game, record, chairs))
        self._add(lines)

    def remove(self) -> None:
        """Removes the file, and says so in the log: its table has ended."""
        self._close()
        if self._store is not None and self._store.remove(self._name):
            logging.warning("%s is removed: its table has ended", self._store.file(self._name))

    def _add(self, lines: list[Line]) -> None:
        if self._store is None:
            return
        if self._file is None:
            self._write_anew()
            return
        try:
            self._file.write(text_of(lines), synced=False)
        except OSError as error:
            self._close()
            self._store.failed(self._name, error)

    def _write_anew(self, needed: bool = True) -> None:
        """Replaces the file in one step."""
        if self._store is None:
            return
        try:
            self._store.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            path = self._store.file(self._name)
            fresh = GrowingFile.instead_of(path, text_of(self._whole()), 0o600)
        except OSError as error:
            if needed:
                self._close()
                self._store.failed(self._name, error)
            return
        self._close()
        self._file = fresh
        self._store.worked(self._name)

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
