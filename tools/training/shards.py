"""
Shards as files: columns of numpy with a head that says how they were made, whole or not there.

A shard has the records of a range of games. Its file is a compressed .npz with the head as the column ``about``, JSON.
"""

import json
import re
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..shared.kept.whole_file import PART, written_whole

_NAME = re.compile(r"games-(\d{7,})-(\d{7,})\.npz")

Array = NDArray[Any]


def shard_path(folder: Path, first: int, games: int) -> Path:
    """Names the shard of so many games: ``games-0000050-0000099.npz`` for 50 from the 50th on."""
    return folder / f"games-{first:07d}-{first + games - 1:07d}.npz"


def shard_name(first: int) -> str:
    """Says for people which shard that is, by its first game."""
    return f"the shard from game {first} on"


def shard_paths(folder: Path) -> list[Path]:
    """Lists the whole shards of a folder in the order of their games."""
    found = [(int(match[1]), path) for path in folder.iterdir() if (match := _NAME.fullmatch(path.name))]
    return [path for _, path in sorted(found)]


def missing(folder: Path, shard_games: int, games: int) -> list[int]:
    """Lists the first games of the shards of *shard_games* that *folder* still lacks for so many games."""
    return [first for first in range(0, games, shard_games) if not shard_path(folder, first, shard_games).exists()]


def write_columns(path: Path, about: dict[str, Any], columns: Mapping[str, Any]) -> None:
    """Writes a shard in one step: whoever finds a file of that name finds a whole one, whatever happened."""
    head = np.frombuffer(json.dumps(about, sort_keys=True).encode(), dtype=np.uint8)
    with written_whole(path) as file:
        np.savez_compressed(file, about=head, **columns)


def remove_parts(folder: Path) -> None:
    """Removes what a killed process left half written."""
    for path in folder.glob(f"*{PART}"):
        path.unlink(missing_ok=True)


def read_columns(path: Path, names: Sequence[str], file_format: str) -> tuple[dict[str, Any], list[Array]]:
    """
    Reads the head of a shard, and these columns.

    :raises ValueError: if it is none of this format, with one sentence that names the file.
    """
    try:
        # Opened here, since np.load leaves a file that it cannot read open.
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            head, *columns = (file[name] for name in ("about", *names))
        about = json.loads(head.tobytes())
    except (OSError, ValueError, TypeError, KeyError, EOFError, zlib.error, zipfile.BadZipFile) as error:
        raise ValueError(f"shard {path}: it cannot be read ({error})") from error
    if not isinstance(about, dict) or about.get("format") != file_format:
        raise ValueError(f"shard {path}: it is not a {file_format} file")
    return about, columns


def check_folder(folder: Path, about: dict[str, Any]) -> None:
    """
    Refuses a folder with shards of another plan, whose head is *about*.

    :raises ValueError: with one sentence that says what differs.
    """
    for path in shard_paths(folder):
        have, _ = read_columns(path, (), about["format"])
        for name, value in about.items():
            if have.get(name) != value:
                raise ValueError(
                    f"shard {path} is of other games: {name} is {have.get(name)!r} there and {value!r} here; "
                    "name another folder"
                )


def read_all(
    folders: Sequence[Path], names: Sequence[str], file_format: str, maker: str
) -> list[tuple[dict[str, Any], list[Array]]]:
    """
    Reads all shards of *folders*, which the command *maker* makes.

    :raises ValueError: if there is none, or something else in a shard's place, or games of several rule sets.
    """
    paths = [path for folder in folders for path in shard_paths(folder)]
    if not paths:
        raise ValueError(f"there is no shard in {', '.join(map(str, folders))}: {maker} makes them")
    found = [read_columns(path, names, file_format) for path in paths]
    first = found[0][0]
    for path, (about, _) in zip(paths, found, strict=True):
        for name in ("rules", "features"):
            if about[name] != first[name]:
                raise ValueError(f"shard {path}: its {name} are {about[name]}, those of others {first[name]}")
    return found
