"""Games in files, for programs of one's own."""

import os
from collections.abc import Iterable
from pathlib import Path

from .files import read_records, write_records
from .notation import parse_position, parse_view, position_text, view_text
from .record import GameRecord, RecordError
from .text_reader import parse_record

__all__ = [
    "GameRecord",
    "RecordError",
    "parse_position",
    "parse_record",
    "parse_view",
    "position_text",
    "read_games",
    "view_text",
    "write_games",
]


def read_games(file: str | os.PathLike[str]) -> list[GameRecord]:
    """
    Reads all games of a file in any format that its name or its beginning tells.

    :raises RecordError: if the file cannot be read, has no game or something else; the sentence names file and line.
    """
    return read_records(Path(file))


def write_games(file: str | os.PathLike[str], games: Iterable[GameRecord]) -> int:
    """
    Writes games into a ``.ddzn`` or ``.jsonl`` file, perhaps with ``.gz``, in place of what it had, and counts them.

    :raises RecordError: if the format is none to write, or the file cannot be written.
    """
    return write_records(Path(file), games)
