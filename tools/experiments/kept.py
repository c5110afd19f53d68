"""Results files as they are kept beside a plan: compressed, a tenth as large, so that they can be handed on with it."""

import gzip
import os
import re
import zlib
from pathlib import Path

__all__ = ["KeptError", "keep", "kept_path", "todays_name", "unpack"]

_RENAMED = {"tools.match.cheating:": "tools.arena.cheating:"}
"""Where players of kept matches were when these were played, and where they are now."""

# With the options of who knows all hands, which searches as the champion does.
_CHAMPION = re.compile(r"(champion|tools\.arena\.cheating:CheatingChampion)(?::(.*))?")
_FIRST_DEFAULTS = "0.1.0"
"""The version whose champion searched as ``blend=0``, without saying so."""


class KeptError(ValueError):
    """A compressed results file that cannot be read; the message is one sentence that names it."""


def todays_name(contestant: str, version: str) -> str:
    """Gets how a contestant is written today that a kept file names, which was played with *version*."""
    for before, now in _RENAMED.items():
        if contestant.startswith(before):
            contestant = now + contestant[len(before) :]
    champion = _CHAMPION.fullmatch(contestant)
    if version != _FIRST_DEFAULTS or champion is None or "search=none" in contestant:
        return contestant
    player, options = champion.groups()
    return f"{player}:{options},blend=0" if options else f"{player}:blend=0"


def kept_path(file: Path) -> Path:
    """Gets where a results file is kept: ``rhcp.json.gz`` for ``rhcp.json``."""
    return file.with_name(file.name + ".gz")


def keep(file: Path) -> None:
    """Compresses a results file, if there is one; the same content makes the same bytes."""
    if file.exists():
        _write(kept_path(file), gzip.compress(file.read_bytes(), 9, mtime=0))


def unpack(file: Path) -> None:
    """
    Makes a results file of the one that was kept, if it is not there itself, which may be newer.

    :raises KeptError: if what was kept is damaged.
    """
    kept = kept_path(file)
    if file.exists() or not kept.exists():
        return
    try:
        content = gzip.decompress(kept.read_bytes())
    except (OSError, EOFError, zlib.error) as error:
        raise KeptError(f"{kept}: this is not a whole compressed results file ({error})") from None
    _write(file, content)


def _write(path: Path, content: bytes) -> None:
    fresh = path.with_name(path.name + ".part")
    fresh.write_bytes(content)
    os.replace(fresh, path)
