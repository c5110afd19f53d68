"""Results files as they are kept beside a plan: compressed, a tenth as large, so that they can be handed on with it."""

import gzip
import os
import zlib
from pathlib import Path


class CompressedError(ValueError):
    """A compressed results file that cannot be read; the message is one sentence that names it."""


def compressed_path(file: Path) -> Path:
    """Gets where a results file is kept: ``rhcp.json.gz`` for ``rhcp.json``."""
    return file.with_name(file.name + ".gz")


def keep(file: Path) -> None:
    """Compresses a results file, if there is one; the same content makes the same bytes."""
    if file.exists():
        _write(compressed_path(file), gzip.compress(file.read_bytes(), 9, mtime=0))


def unpack(file: Path) -> None:
    """
    Makes a results file of the one that was kept, if it is not there itself, which may be newer.

    :raises CompressedError: if what was kept is damaged.
    """
    archive = compressed_path(file)
    if file.exists() or not archive.exists():
        return
    try:
        content = gzip.decompress(archive.read_bytes())
    except (OSError, EOFError, zlib.error) as error:
        raise CompressedError(f"{archive}: this is not a whole compressed results file ({error})") from None
    _write(file, content)


def _write(path: Path, content: bytes) -> None:
    fresh = path.with_name(path.name + ".part")
    fresh.write_bytes(content)
    os.replace(fresh, path)
