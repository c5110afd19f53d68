"""The finished games of a table, as small as they can be kept: compressed, and only the last ones."""

import zlib
from collections.abc import Iterator

from ...records.files import records_of, text_of
from ...records.record import GameRecord

MOST_GAMES = 20
"""A table keeps the records of so many finished games; with each further one the oldest goes."""


class FinishedGames:
    """The records of the last games by their numbers, such as ``games.get(3)``."""

    def __init__(self) -> None:
        self._texts: dict[int, bytes] = {}

    def add(self, number: int, record: GameRecord) -> None:
        """Keeps the record of the game of that number."""
        # As objects, one game with what its bots said would take many times the space.
        self._texts[number] = zlib.compress(text_of([record], "json").encode("utf-8"))
        while len(self._texts) > MOST_GAMES:
            del self._texts[min(self._texts)]

    def __iter__(self) -> Iterator[tuple[int, GameRecord]]:
        return ((number, record) for number in sorted(self._texts) if (record := self.get(number)) is not None)

    def get(self, number: int) -> GameRecord | None:
        """Gets a record, None if there is none of that number or it was too long ago."""
        text = self._texts.get(number)
        return None if text is None else records_of(zlib.decompress(text).decode("utf-8"), "json")[0]
