"""Saving every finished game of a server in one file, beside the event loop: a disk may be slow, and a file locked."""

import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ...records.record import GameRecord, RecordError
from ..table.games_file import GameStore


class SavedGames:
    """
    The file; :meth:`add` returns at once.

    :raises RecordError: if the file has anything but games in it, or cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._store = GameStore(path)
        self._writer = ThreadPoolExecutor(1)

    def add(self, record: GameRecord) -> None:
        """Has a game written behind the others; if that fails, the log says so."""
        self._writer.submit(self._write, record)

    def close(self) -> None:
        """Waits until all games are written."""
        self._writer.shutdown()

    def _write(self, record: GameRecord) -> None:
        try:
            self._store.save(record)
        except RecordError as error:
            logging.warning("a finished game is not saved: %s", error)
        self._store.leave()
