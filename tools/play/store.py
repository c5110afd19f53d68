"""The file of a person's games: the game under way is added behind the others, and written again as it goes on."""

from collections.abc import Iterator
from pathlib import Path

from ..records.files import WRITABLE, format_of, records_in, records_of, text_of, write_texts
from ..records.record import GameRecord, RecordError
from ..shared.bounds import MOST_HELD

__all__ = ["GameStore"]


class GameStore:
    """
    Keeps the games of one file, as texts: a game takes many times its text as memory.

    :raises RecordError: if the file has anything else in it, which writing it again would lose, or cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._form = format_of(path)
        if self._form not in WRITABLE:
            raise RecordError(f"{path}: games are kept as .ddzn or .jsonl")
        found = records_in(path, most_bytes=MOST_HELD) if path.exists() and path.stat().st_size else ()
        self._texts = [text_of([record], self._form) for record in found]
        if path.suffix != ".gz" and self._texts and "".join(self._parted()) != path.read_text("utf-8"):
            raise RecordError(f"{path}: it has more than games, which would be lost; name another file")

    def games(self) -> Iterator[GameRecord]:
        """Yields the games in the order of the file."""
        return (self.game(number) for number in range(1, self.next_number))

    def game(self, number: int) -> GameRecord:
        """Gets the game of that *number*, from 1."""
        return records_of(self._texts[number - 1], self._form)[0]

    def save(self, number: int, record: GameRecord) -> None:
        """
        Writes *record* as the game of that *number*, from 1; the next new one is behind the last.

        :raises RecordError: if the file cannot be written.
        """
        self._texts[number - 1 : number] = [text_of([record], self._form)]
        write_texts(self.path, self._parted())

    @property
    def next_number(self) -> int:
        """The number of a game that is to be added."""
        return len(self._texts) + 1

    def _parted(self) -> Iterator[str]:
        """Yields the texts as the file has them, in text form with a blank line between each two."""
        blank = "\n" if self._form == "text" else ""
        return (blank * (number > 0) + text for number, text in enumerate(self._texts))
