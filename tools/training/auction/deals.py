"""Deals that the fast network has played with the landlord at each position, in files that follow from a seed."""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from ddzbot.kernel import training
from ddzbot.kernel.codec import DEALT
from ddzbot.kernel.fast_net import FastNet
from ddzbot.rules import RuleSet

from ...shared.kept.whole_file import put

UNIT_DEALS = 4096
"""Deals of one file."""
HEAD = "deals.json"
DEALT_TYPE = np.dtype(
    [
        ("hands", "<u8", 3),
        ("bottom", "<u8"),
        ("scores", "<i4", 3),
        ("won", "u1"),
        ("stake", "u1"),
        ("unused", "V2"),
    ]
)
"""A ddz_dealt: three hands by position, the bottom, and by its position the landlord's score in hundredths and wins."""
assert DEALT_TYPE.itemsize == DEALT.size

Deals = NDArray[np.void]


def unit_seed(root: int, unit: int) -> int:
    """Draws the seed of a unit of deals, 64 bits of the sha256 of e.g. ``auction/1/unit/000123``."""
    return int.from_bytes(sha256(f"auction/{root}/unit/{unit:06d}".encode()).digest()[:8], "big")


def play_deals(net: FastNet, rules: RuleSet, deals: int, seed: int) -> Deals:
    """Deals from a seed and plays every deal three times; the same on every machine."""
    out = np.empty(deals, DEALT_TYPE)
    training.play_deals(net, rules, seed, out.ctypes.data, deals)
    return out


class DealFolder:
    """
    A folder of deals: a head that says how they are made, and a file for each unit.

    :raises click.ClickException: if the folder was begun with something else.
    """

    def __init__(self, folder: Path, rules: str, seed: int, weights: str) -> None:
        self.folder = folder
        self.seed = seed
        head = {"rules": rules, "seed": seed, "weights": weights, "unit": UNIT_DEALS}
        path = folder / HEAD
        if path.exists():
            begun = read_head(folder)
            if begun != head:
                raise click.ClickException(f"{path} was begun with {begun}: give the same, or another folder")
        else:
            folder.mkdir(parents=True, exist_ok=True)
            put(path, json.dumps(head).encode())

    def path(self, unit: int) -> Path:
        """Names the file of a unit."""
        return self.folder / f"unit-{unit:06d}.bin"

    def missing(self, deals: int) -> list[int]:
        """Lists the units that are still to be played for so many *deals*."""
        return [unit for unit in range(-(-deals // UNIT_DEALS)) if not self.path(unit).exists()]

    def play(self, net: FastNet, rules: RuleSet, unit: int) -> None:
        """Plays a unit; its file gets its name only when it is whole."""
        played = play_deals(net, rules, UNIT_DEALS, unit_seed(self.seed, unit))
        put(self.path(unit), played.tobytes())


def read_head(folder: Path) -> dict[str, Any]:
    """
    Reads how the deals of a folder are made.

    :raises click.ClickException: if there is no such file, or it is not a JSON object.
    """
    try:
        head = json.loads((folder / HEAD).read_bytes())
    except (OSError, ValueError):
        head = None
    if not isinstance(head, dict):
        raise click.ClickException(f"{folder / HEAD} cannot be read: is {folder} a folder of deals?")
    return head


def read_deals(folder: Path, most: int | None = None) -> Deals:
    """
    Reads all deals of a folder in the order of their units, or the first *most* of them.

    :raises click.ClickException: if there are none, or a file is cut.
    """
    parts = list(_units(folder, most))
    if not parts:
        raise click.ClickException(f"{folder} has no deals: python -m tools.training.auction.generate makes them")
    return np.concatenate(parts)[:most]


def _units(folder: Path, most: int | None) -> Iterator[Deals]:
    have = 0
    for path in sorted(folder.glob("unit-*.bin")):
        if most is not None and have >= most:
            return
        content = path.read_bytes()
        if len(content) % DEALT_TYPE.itemsize:
            raise click.ClickException(f"{path} is cut: remove it, and generate it again")
        yield np.frombuffer(content, DEALT_TYPE)
        have += len(content) // DEALT_TYPE.itemsize
