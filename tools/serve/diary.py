"""What a table writes into its file, and when: before anybody is shown what happened."""

from collections.abc import Callable

from ..records.record import GameRecord
from ..table.table import Table
from .finished import MOST_GAMES
from .saved import begun_line, chair_line, event_lines, over_line
from .seats import Chair
from .store import Line, TableFile

__all__ = ["Diary"]


class Diary:
    """
    Keeps one table in *file*, or with None in no file.

    *whole* makes all lines of the table as it is, for a file that has to be written anew: where an earlier line could
    not be written, and now and then to leave out old games.
    """

    def __init__(self, file: TableFile | None, whole: Callable[[], list[Line]]) -> None:
        self.file = file
        self._whole = whole
        self._games = self._events = 0

    @property
    def kept(self) -> bool | None:
        """Tells whether the table would outlive the server; None if no table of the server would."""
        return None if self.file is None else self.file.kept

    def chair(self, number: int, chair: Chair) -> None:
        """Notes a chair that changed."""
        self._add([chair_line(number, chair)])

    def begun(self, game: int, seed: int, table: Table) -> None:
        """Notes a game that begins."""
        self._games += 1
        self._events = len(table.events)
        if self.file is not None and self._games % MOST_GAMES == 0:
            self.file.write(self._whole())
        else:
            self._add([begun_line(game, seed, table.record())])

    def resumed(self, table: Table) -> None:
        """Notes a table that was read from its file."""
        self._events = len(table.events)
        if self.file is not None:
            self.file.write(self._whole())

    def unused(self) -> None:
        """Notes for how long nobody has used the table, which costs nothing where it cannot be written."""
        if self.file is not None:
            self.file.write(self._whole(), needed=False)

    def happened(self, game: int, table: Table, chairs: list[Chair]) -> None:
        """Notes what happened in the game since the last time."""
        record: GameRecord = table.record()
        lines = event_lines(table.events[self._events :], record)
        self._events = len(table.events)
        if table.over:
            lines.append(over_line(game, record, chairs))
        self._add(lines)

    def _add(self, lines: list[Line]) -> None:
        if self.file is not None:
            self.file.add(lines, self._whole)
