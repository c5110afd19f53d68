"""
The file of a match's games: records, appended in blocks while the match runs.

Of a compressed file each block is a member of its own, so that a file which ends after any block is whole. The results
file notes at each start and after each block how long the games file is and what it holds (:class:`Mark`); what stands
behind the last mark belongs to sets that do not count, and is dropped.
"""

import gzip
import hashlib
import os
import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

from ...records.files import WRITABLE, format_of
from ...records.record import RecordError
from ...shared.bounds import reason_of
from ...shared.storage.growing_file import GrowingFile, JournalError
from ..stats.row import Whole

_DIGITS = 16


class Mark(NamedTuple):
    """What a games file held at a start of the match or after a block."""

    bytes: Whole
    sum: str
    """The first digits of the SHA-256 of these bytes."""
    sets: Whole
    """How many sets there are in it, of all pairings together."""


class GamesFile:
    """The games file of a match that is being played, which no other match may write before it is closed."""

    def __init__(self, path: Path, mark: Mark | None) -> None:
        """
        Opens the file, or makes it, to continue behind *mark*; without one it must be new or empty.

        A file behind a mark of 0 bytes may be of another match: it is kept, under another name.

        :raises ValueError: for a file that is in use, is not the one of that mark, or cannot be written, with one
            sentence that names it.
        """
        self.path = path
        self.form = _form_of(path)
        self.dropped = 0
        """Bytes behind the mark, which belong to no set that counts."""
        self.aside: Path | None = None
        """The new path of a file that stood behind a mark of 0 bytes."""
        self._packed = path.suffix == ".gz"
        self._digest, self._sets = hashlib.sha256(), 0
        self._before = 0, self._digest, self._sets
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = GrowingFile(path)
        except JournalError as error:
            raise ValueError(f"games file {path}: {error}; name another file") from None
        except OSError as error:
            raise ValueError(f"games file {path}: it cannot be written ({reason_of(error)})") from None
        try:
            self._go_on(mark)
        except BaseException:
            self._file.close()
            raise

    @property
    def name(self) -> str:
        """What the file is, for people."""
        return f"games file {self.path}"

    @property
    def mark(self) -> Mark:
        """What the file holds now."""
        return Mark(self._file.size, self._digest.hexdigest()[:_DIGITS], self._sets)

    def _go_on(self, mark: Mark | None) -> None:
        there = self._file.size
        if not there:
            return
        if mark is None:
            raise ValueError(f"games file {self.path}: it has something in it already; name another file")
        if not mark.bytes:
            self._set_aside()
            return
        digest = self._file.digest(min(mark.bytes, there))
        if there < mark.bytes or digest.hexdigest()[:_DIGITS] != mark.sum:
            raise ValueError(f"games file {self.path}: it is not as this match has left it; name another file")
        self._file.size, self._digest, self._sets = mark.bytes, digest, mark.sets
        self.dropped = there - mark.bytes

    def _set_aside(self) -> None:
        paths = (self.path.with_name(f"{self.path.name}.aside{number or ''}") for number in count())
        aside = next(path for path in paths if not path.exists())
        if sys.platform == "win32":
            self._file.close()  # there a file that is open cannot be renamed
        try:
            os.rename(self.path, aside)
            self._file.close()
            self._file = GrowingFile(self.path)
        except OSError as error:
            raise ValueError(f"games file {self.path}: it cannot be written ({reason_of(error)})") from None
        self.aside = aside

    def append(self, texts: Sequence[str], sets: int) -> None:
        """
        Writes the games of so many sets behind those that count, and waits until they are on the disk.

        :raises OSError: if that cannot be; it may be tried again.
        """
        between = "\n" if self.form == "text" else ""
        data = (between * (self._file.size > 0) + between.join(texts)).encode("utf-8")
        if self._packed:
            data = gzip.compress(data, mtime=0)
        before = self._file.size, self._digest.copy(), self._sets
        self._file.write(data)
        self._before = before
        self._digest.update(data)
        self._sets += sets

    def undo(self) -> None:
        """Takes the block away that was written last."""
        self._file.size, self._digest, self._sets = self._before

    def close(self) -> None:
        """Takes away what does not count, and lets others write the file."""
        self._file.cut()
        self._file.close()


def _form_of(path: Path) -> str:
    try:
        form = format_of(path)
    except RecordError as error:
        raise ValueError(f"games file {error}") from None
    if form not in WRITABLE:
        raise ValueError(f"games file {path}: games are kept as .ddzn or .jsonl, with or without .gz")
    return form
