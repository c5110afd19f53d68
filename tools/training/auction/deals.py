"""Deals that the fast network has played with the landlord at each position, in shards that follow from a seed."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ddzbot.kernel import training
from ddzbot.kernel.codec import DEALT
from ddzbot.kernel.fast_net import FastNet
from ddzbot.net.current import current_network
from ddzbot.net.fast_features import NAME
from ddzbot.net.fast_net import seats_of
from ddzbot.net.packed import Packed, read
from ddzbot.rules import RuleSet, rule_set

from ...shared.default_rules import AUCTION_RULES
from ..kernel import needed_kernel
from ..making import Columns
from ..shards import read_all

FORMAT = "ddzbot-deals/1"
UNIT_DEALS = 4096
"""Deals of one file."""
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
COLUMNS = ("hands", "bottom", "scores", "won", "stake")

Deals = NDArray[np.void]


def unit_seed(root: int, unit: int) -> int:
    """Draws the seed of a unit of deals, 64 bits of the sha256 of e.g. ``auction/1/unit/000123``."""
    return int.from_bytes(sha256(f"auction/{root}/unit/{unit:06d}".encode()).digest()[:8], "big")


def play_deals(net: FastNet, rules: RuleSet, deals: int, seed: int) -> Deals:
    """Deals from a seed and plays every deal three times; the same on every machine."""
    out = np.empty(deals, DEALT_TYPE)
    training.play_deals(net, rules, seed, out.ctypes.data, deals)
    return out


class Plan(NamedTuple):
    """The rules, deals and network of a folder of deals."""

    rules: str = AUCTION_RULES
    seed: int = 1
    weights: str = ""
    """The file of the network that plays; empty: the current one."""
    games: int = UNIT_DEALS
    """Deals of a file."""

    def check(self) -> None:
        """
        Refuses a plan that cannot be played.

        :raises ValueError: with one sentence that names what is wrong.
        """
        if not rule_set(self.rules).bidding:
            raise ValueError(f"rules {self.rules} have no auction")
        self.network()

    def network(self) -> Packed:
        """
        Gets the network that plays.

        :raises ValueError: if there is none, or a bad file.
        """
        packed = read(self.weights, known=[NAME]) if self.weights else current_network(NAME, self.rules).network
        if packed is None:
            raise ValueError(f"no network is current for {NAME} under {self.rules}")
        return packed

    def about(self) -> dict[str, Any]:
        """Gets the head of every file."""
        fields = {**self._asdict(), "weights": self.network().sha256}
        return {"format": FORMAT, "features": NAME, **fields}


def play_unit(plan: Plan, first: int, _stopped: Callable[[], bool]) -> tuple[dict[str, int], Columns]:
    """Plays the deals of the file that begins with deal *first*, in a second or two; gets how many, and its columns."""
    net = FastNet(needed_kernel("playing deals"), seats_of(plan.network()))
    played = play_deals(net, rule_set(plan.rules), plan.games, unit_seed(plan.seed, first // plan.games))
    return {"deals": len(played)}, {column: played[column] for column in COLUMNS}


def read_deals(folder: Path, most: int | None = None) -> tuple[Deals, dict[str, Any]]:
    """
    Reads the deals of a folder in their order, or the first *most* of them, and how they are made.

    :raises ValueError: if there are none, or something else in a file's place.
    """
    heads, columns, _ = read_all([folder], COLUMNS, FORMAT, "auction")
    deals = np.zeros(len(columns["hands"]), DEALT_TYPE)
    for column in COLUMNS:
        deals[column] = columns[column]
    return deals[:most], heads[0]
