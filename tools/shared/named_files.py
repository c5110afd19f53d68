"""
The files that a command was given and that are its own: results, deals, a seed. No program of a match may see them.

They are kept in an environment variable, which reaches every process of the command, and no program.
"""

import json
import os
from collections.abc import Iterable
from pathlib import Path

_VARIABLE = "DDZ_NAMED_FILES"


def note_files(paths: Iterable[Path]) -> None:
    """Notes files and folders, which need not be there yet."""
    known = os.environ.get(_VARIABLE, "")
    names = {*json.loads(known or "[]"), *(os.path.realpath(path) for path in paths)}
    if names:
        os.environ[_VARIABLE] = json.dumps(sorted(names))


def named_files() -> frozenset[Path]:
    """Gets all that was noted, by this process and those above it."""
    return frozenset(map(Path, json.loads(os.environ.get(_VARIABLE) or "[]")))
