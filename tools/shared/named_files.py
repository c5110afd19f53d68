"""
The files that a command was given and that are its own: results, deals, a seed. No program of a match may see them.

They are kept in an environment variable, which reaches every process of the command, and no program.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from .errors import InputError
from .json_text import json_text, parse_json
from .message import Message

_VARIABLE = "DDZ_NAMED_FILES"


def refuse_twice(*paths: Path | None) -> None:
    """
    Refuses one file in two places of a command line, where what is written would take the place of what is read.

    :raises InputError: if that is so.
    """
    seen = set()
    for path in paths:
        if path is None or (path.exists() and not path.is_file()):  # a device may be named twice
            continue
        if (real := os.path.realpath(path)) in seen:
            raise InputError(Message("{file}: it is named twice; name another file", file=path))
        seen.add(real)


def note_files(paths: Iterable[Path]) -> None:
    """Notes files and folders, which need not be there yet."""
    noted = os.environ.get(_VARIABLE, "")
    names = {*parse_json(noted or "[]"), *(os.path.realpath(path) for path in paths)}
    if names:
        os.environ[_VARIABLE] = json_text(sorted(names), ascii_only=True)


def named_files() -> frozenset[Path]:
    """Gets all that was noted, by this process and those above it."""
    return frozenset(map(Path, parse_json(os.environ.get(_VARIABLE) or "[]")))
