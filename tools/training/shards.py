"""
Shards as files: columns of numpy with a head that says how they were made, whole or not there.

A shard has the records of a range of games. Its file is a compressed .npz with the head as the column ``about``, JSON.
"""

import hashlib
import io
import re
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..shared.json_text import json_line, parse_json
from ..shared.seeds import deal_seed
from ..shared.storage.whole_file import PART

TEST_PERCENT = 10
"""The share of the deals that are held out for the test."""

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
    numbered = [(int(match[1]), path) for path in folder.iterdir() if (match := _NAME.fullmatch(path.name))]
    return [path for _, path in sorted(numbered)]


def packed_columns(about: dict[str, Any], columns: Mapping[str, Any]) -> bytes:
    """Gets what the file of a shard has."""
    head = np.frombuffer(json_line(about), dtype=np.uint8)
    file = io.BytesIO()
    np.savez_compressed(file, about=head, **columns)
    return file.getvalue()


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
            head, *columns = (file[column] for column in ("about", *names))
        about = parse_json(head.tobytes().decode())
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
        for key, expected in about.items():
            if have.get(key) != expected:
                raise ValueError(
                    f"shard {path} is of other games: {key} is {have.get(key)!r} there and {expected!r} here; "
                    "name another folder"
                )


class Shards(NamedTuple):
    """The columns of some shards, joined."""

    heads: list[dict[str, Any]]
    """The different heads, which say how the games were played."""
    columns: dict[str, Array]
    is_test: dict[str, NDArray[np.bool_]]
    """By the name of a column of games: which of its rows are of test games."""


def read_all(
    folders: Sequence[Path], names: Sequence[str], file_format: str, recipe: str, games: Sequence[str] = ()
) -> Shards:
    """
    Reads the columns *names* of all shards of *folders*, of which *games* have the indices of deals.

    :raises ValueError: if there is none, or something else in a shard's place, or games of several rule sets.
    """
    paths = [path for folder in folders for path in shard_paths(folder)]
    if not paths:
        maker = f"tools train make {recipe}"
        raise ValueError(f"there is no shard in {', '.join(map(str, folders))}: {maker} makes them")
    parts = [read_columns(path, names, file_format) for path in paths]
    heads: list[dict[str, Any]] = []
    for path, (about, _) in zip(paths, parts, strict=True):
        if about not in heads:
            heads.append(about)
        for key in ("rules", "features"):
            if about[key] != heads[0][key]:
                raise ValueError(f"shard {path}: its {key} are {about[key]}, those of others {heads[0][key]}")
    is_test = {
        column: np.concatenate(
            [are_test_games(about, columns[names.index(column)], recipe) for about, columns in parts]
        )
        for column in games
    }
    joined = map(np.concatenate, zip(*(columns for _, columns in parts), strict=True))
    return Shards(heads, dict(zip(names, joined, strict=True)), is_test)


def is_test_deal(deal: str, salt: str) -> bool:
    """Splits the deals 90 to 10 by a hash of their names; each training has a *salt* of its own."""
    return int.from_bytes(hashlib.sha256(f"{salt}/{deal}".encode()).digest()[:8], "big") % 100 < TEST_PERCENT


def are_test_games(about: dict[str, Any], games: Array, salt: str) -> NDArray[np.bool_]:
    """Tells for each of *games* whether it is in the test: a matter of its deal alone, whatever else is there."""
    indices, places = np.unique(games, return_inverse=True)
    names = (deal_seed(about["seed"], about["namespace"], int(index)) for index in indices)
    return np.array([is_test_deal(deal, salt) for deal in names], dtype=bool)[places]
