"""
Shards: files of records, each with the decisions of a range of games.

A record is one candidate of one decision: what the mover knew, the move, and the payoff that the search found for it.
The candidates of a decision share all of the network's input but the layer of the move, so that a shard has two
tables, one row a decision and one row a candidate, as columns of a compressed .npz file:

========== ============== ==============================================================================
decision
words      uint64, (n,29) the cards of each layer of the input, with a pass as the move that is valued
kinds      uint8, (n,29)  what kind of move they were laid as
landlord   uint32         bit i: the landlord made the move of layer i
game       uint32         the index of the deal
ply        uint16         moves that were made before
seat       uint8          whose decision it is
cards_left uint8, (n,3)   by seat
playouts   uint32         simulations
candidates uint16         how many rows it has in the other table
choice     uint16         which of them the search plays
candidate
move       uint64         its cards
kind       uint8          its kind
visits     uint32         simulations that began with it
wins       uint32         those that the mover's side won
========== ============== ==============================================================================

Numbers are whole, so a shard can be made again bit for bit from its head, the column ``about``.
"""

import json
import os
import re
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ddzbot.net.mcm_features import layers
from ddzbot.rules import PASS

from .plan import FORMAT
from .selfplay import Searched

_NAME = re.compile(r"games-(\d{7,})-(\d{7,})\.npz")
_PART = ".part"

Array = NDArray[Any]


class Shard(NamedTuple):
    """The columns of a shard, see above."""

    words: Array
    kinds: Array
    landlord: Array
    game: Array
    ply: Array
    seat: Array
    cards_left: Array
    playouts: Array
    candidates: Array
    choice: Array
    move: Array
    kind: Array
    visits: Array
    wins: Array


_TYPES = ("u8", "u1", "u4", "u4", "u2", "u1", "u1", "u4", "u2", "u2", "u8", "u1", "u4", "u4")


def shard_of(decisions: Iterable[Searched]) -> Shard:
    """Makes the columns of some decisions."""
    rows: list[tuple[Any, ...]] = []
    candidates: list[tuple[int, int, int, int]] = []
    for one in decisions:
        words, kinds, landlord = layers(one.view, PASS)
        bits = sum(bit << layer for layer, bit in enumerate(landlord))
        where = (one.game, len(one.view.plays), one.view.seat, one.cards_left)
        rows.append((words, kinds, bits, *where, one.playouts, len(one.arms), one.choice))
        candidates += [(arm.move.cards, arm.move.kind, arm.visits, arm.wins) for arm in one.arms]
    columns = [*_transposed(rows, len(Shard._fields) - 4), *_transposed(candidates, 4)]
    return Shard(*(np.array(column, dtype=kind) for column, kind in zip(columns, _TYPES, strict=True)))


def _transposed(rows: list[Any], width: int) -> list[list[Any]]:
    return [[row[place] for row in rows] for place in range(width)]


def shard_path(folder: Path, first: int, games: int) -> Path:
    """Names the shard of so many games: ``games-0000050-0000099.npz`` for 50 from the 50th on."""
    return folder / f"games-{first:07d}-{first + games - 1:07d}.npz"


def shard_paths(folder: Path) -> list[Path]:
    """Lists the whole shards of a folder in the order of their games."""
    found = [(int(match[1]), path) for path in folder.iterdir() if (match := _NAME.fullmatch(path.name))]
    return [path for _, path in sorted(found)]


def write_shard(path: Path, about: dict[str, Any], shard: Shard) -> None:
    """Writes a shard in one step: whoever finds a file of that name finds a whole one, whatever happened."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}{_PART}")
    head = np.frombuffer(json.dumps(about, sort_keys=True).encode(), dtype=np.uint8)
    with fresh.open("wb") as file:
        np.savez_compressed(file, about=head, **shard._asdict())
        file.flush()
        os.fsync(file.fileno())
    os.replace(fresh, path)


def remove_parts(folder: Path) -> None:
    """Removes what a killed process left half written."""
    for path in folder.glob(f"*{_PART}"):
        path.unlink(missing_ok=True)


def read_about(path: Path) -> dict[str, Any]:
    """
    Reads the head of a shard.

    :raises ValueError: if it is none, with one sentence that names the file.
    """
    return _read(path, ["about"])[0]


def read_shard(path: Path) -> tuple[dict[str, Any], Shard]:
    """
    Reads a shard with its head.

    :raises ValueError: if it is none, with one sentence that names the file.
    """
    about, columns = _read(path, ["about", *Shard._fields])
    return about, Shard(*columns)


def _read(path: Path, names: list[str]) -> tuple[dict[str, Any], list[Array]]:
    try:
        # Opened here, since np.load leaves a file that it cannot read open.
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            head, *columns = (file[name] for name in names)
        about = json.loads(head.tobytes())
    except (OSError, ValueError, TypeError, KeyError, EOFError, zlib.error, zipfile.BadZipFile) as error:
        raise ValueError(f"shard {path}: it cannot be read ({error})") from error
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise ValueError(f"shard {path}: it is not a {FORMAT} file")
    return about, columns
