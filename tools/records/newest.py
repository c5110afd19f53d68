"""The newest of the games that ``make run``, ``make play`` and ``make serve`` save here."""

from pathlib import Path

from ..shared.message import Message
from .files import SUFFIXES, WRITABLE, records_in
from .record import RecordError

FOLDER = Path("records")


def newest_game(folder: Path = FOLDER) -> tuple[Path, int]:
    """
    Finds the last game of the file that was written last, and its number there.

    :raises RecordError: if there is no file of games in the *folder*, or it cannot be read.
    """
    files = [path for path in folder.glob("*") if SUFFIXES.get(path.suffix) in WRITABLE and path.is_file()]
    if not files:
        raise RecordError(Message("{folder}: there is no game here yet; play one, or name a file", folder=folder))
    newest = max(files, key=lambda path: path.stat().st_mtime_ns)
    return newest, sum(1 for _ in records_in(newest))
