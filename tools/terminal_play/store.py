"""The file of a person's games: the game under way is added behind the others, and written again as it goes on."""

from pathlib import Path

from tools.records.files import WRITABLE, format_of, read_records, text_of, write_records
from tools.records.record import GameRecord, RecordError

__all__ = ["GameStore"]


class GameStore:
    """
    Keeps the games of one file.

    :raises RecordError: if the file has anything else in it, which writing it again would lose, or cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        form = format_of(path)
        if form not in WRITABLE:
            raise RecordError(f"{path}: games are kept as .ddzn or .jsonl")
        self.records = read_records(path) if path.exists() and path.stat().st_size else []
        if path.suffix != ".gz" and self.records and text_of(self.records, form) != path.read_text("utf-8"):
            raise RecordError(f"{path}: it has more than games, which would be lost; name another file")

    def save(self, number: int, record: GameRecord) -> None:
        """
        Writes *record* as the game of that *number*, from 1; the next new one is behind the last.

        :raises RecordError: if the file cannot be written.
        """
        self.records[number - 1 : number] = [record]
        write_records(self.path, self.records)

    @property
    def next_number(self) -> int:
        """The number of a game that is to be added."""
        return len(self.records) + 1
