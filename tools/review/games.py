"""The games that a review is asked for: those of files, and of all files of a folder."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ..records.files import SUFFIXES, records_in
from ..records.record import GameRecord, RecordError

__all__ = ["ChosenGame", "games_in"]


class ChosenGame(NamedTuple):
    """One game, and where it stands."""

    file: Path
    number: int
    """From 1, in its file."""
    record: GameRecord


def games_in(paths: Sequence[Path], numbers: Collection[int] = ()) -> Iterator[ChosenGame]:
    """
    Yields the games of files, and of the files of records in folders, by name; with *numbers* only these of each file.

    :raises RecordError: for a file that is no record, a folder without any, and a game that a file does not have.
    """
    for path in paths:
        for file in _files(path):
            seen = 0
            for seen, record in enumerate(records_in(file), 1):
                if not numbers or seen in numbers:
                    yield ChosenGame(file, seen, record)
            for number in numbers:
                if number > seen:
                    raise RecordError(f"{file}: there is no game {number}: the file has {seen}")


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.iterdir() if _suffix(file) in SUFFIXES and file.is_file())
    if not found:
        raise RecordError(f"{path}: there is no file of records in this folder; they end in {', '.join(SUFFIXES)}")
    return found


def _suffix(file: Path) -> str:
    return file.with_suffix("").suffix if file.suffix == ".gz" else file.suffix
