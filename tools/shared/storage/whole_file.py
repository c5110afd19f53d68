"""Files that are written in one step: a reader finds the old file or the new one, never a half."""

import csv
import io
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from .autosave import FULL

PART = ".part"
"""The end of the name of a file that is being written; a process that is killed leaves it behind."""


def check_target(path: Path) -> None:
    """
    Checks before long work that the file *path* can be written. An existing file keeps its content.

    :raises OSError: if it cannot be written.
    """
    there = path.exists()
    path.open("ab").close()
    if not there:
        path.unlink()


@contextmanager
def written_whole(
    path: Path, *, make_folder: bool = True, mode: int = 0o666, synced: bool = True
) -> Iterator[BinaryIO]:
    """
    Opens a file that takes the place of *path* after the block; makes its folder.

    If *synced*, all of it is on the disk before: a crash of the machine leaves the old file or the new one.
    After an error *path* is as it was, and nothing else is left; that of a full disk names *path*. A link stays one,
    and its file is replaced. *mode* has the permissions of the file, less what the umask takes. For example::

        with written_whole(folder / "model.pt") as file:
            torch.save(state, file)

    :raises OSError: if it cannot be written.
    """
    if path.exists() and not path.is_file():
        # Another file cannot take the place of a device or a pipe.
        with path.open("wb") as file:
            yield file
        return
    path = Path(os.path.realpath(path))
    if make_folder:
        path.parent.mkdir(parents=True, exist_ok=True)
    # Of each process its own: two may write the same file.
    fresh = path.with_name(f"{path.name}.{os.getpid()}{PART}")
    try:
        with open(fresh, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            yield file
            file.flush()
            if synced:
                os.fsync(file.fileno())
        os.replace(fresh, path)
    except BaseException as error:
        if isinstance(error, OSError) and error.errno in FULL:
            error.filename = str(path)  # a write does not name its file, and users do not know the other name
        # Where nothing can be written, nothing can be removed either; the first error has the reason.
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise


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
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(fields)
    writer.writerows(rows)
    put(path, table.getvalue().encode("utf-8"))
