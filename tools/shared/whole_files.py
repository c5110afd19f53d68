"""Files that are written in one step: whoever reads one finds the old file or the new one, never a half."""

import csv
import io
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

__all__ = ["PART", "check_target", "put", "put_table", "written_whole"]

PART = ".part"
"""The end of the name of a file that is being written; a process that is killed leaves it behind."""


def check_target(path: Path) -> None:
    """
    Finds out before long work, and not after it, that its file could not be written; what the file has stays.

    :raises OSError: if it could not.
    """
    there = path.exists()
    path.open("ab").close()
    if not there:
        path.unlink()


@contextmanager
def written_whole(path: Path) -> Iterator[BinaryIO]:
    """
    Opens a file that takes the place of *path* after the block, once all of it is on the disk; makes its folder.

    After an error *path* is as it was, and nothing else is left. For example::

        with written_whole(folder / "model.pt") as file:
            torch.save(state, file)

    :raises OSError: if it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # Of each process its own: two may write the same file.
    fresh = path.with_name(f"{path.name}.{os.getpid()}{PART}")
    try:
        with fresh.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


def put(path: Path, content: bytes) -> None:
    """
    Writes a file in one step.

    :raises OSError: if it cannot be written.
    """
    with written_whole(path) as file:
        file.write(content)


def put_table(path: Path, fields: Sequence[str], rows: Iterable[Iterable[object]]) -> None:
    """
    Writes a CSV file in one step: the names of the *fields*, then the rows, None as an empty cell.

    :raises OSError: if it cannot be written.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(fields)
    writer.writerows(rows)
    put(path, text.getvalue().encode("utf-8"))
