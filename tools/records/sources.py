"""
Games from many places, one at a time: files, folders of files, and the standard input (``-``).

Of a folder every file counts whose suffix says a format, in the folders below too. A file there that begins with
something else, such as a results file or a page without a log, is left out, and that is said.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from .files import SUFFIXES, games_in
from .record import GameRecord, RecordError


class SourceGame(NamedTuple):
    """A game, and where it stands."""

    number: int
    """From 1, over all files together."""
    file: Path
    place: int
    """From 1, in its file."""
    record: GameRecord
    value: Any
    """The JSON value that it was made of; None where the format is not JSON."""


def source_games(
    paths: Iterable[Path],
    say: Callable[[str], None] = lambda sentence: None,
) -> Iterator[SourceGame]:
    """
    Yields the games of files and folders, in the order of *paths*, and of a folder by name.

    *say* is called with a message about each file of a folder that was left out.

    :raises RecordError: for a file that cannot be read, or a folder without a game; the sentence names it.
    """
    number = 0
    for path in paths:
        games = _folder_games(path, say) if path.is_dir() else _file_games(path)
        for file, place, record, value in games:
            number += 1
            yield SourceGame(number, file, place, record, value)


_Found = tuple[Path, int, GameRecord, Any]


def _file_games(path: Path) -> Iterator[_Found]:
    for place, (record, value) in enumerate(games_in(path), 1):
        yield path, place, record, value


def _folder_games(folder: Path, say: Callable[[str], None]) -> Iterator[_Found]:
    some = False
    for path in sorted(folder.rglob("*")):
        if not _counts(path, folder):
            continue
        games = _file_games(path)
        try:
            first_game = next(games)
        except RecordError as error:
            say(f"Left out: {error}")
            continue
        some = True
        yield first_game
        yield from games
    if not some:
        raise RecordError(f"{folder}: there is no game in this folder; files of games end in {', '.join(SUFFIXES)}")


def _counts(path: Path, folder: Path) -> bool:
    bare = path.with_suffix("") if path.suffix == ".gz" else path
    hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
    return bare.suffix in SUFFIXES and not hidden and path.is_file()
