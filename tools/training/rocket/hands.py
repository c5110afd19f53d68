"""What DeepRocket's bidder learns from: hands of 17 cards that became the landlord, and whether they won."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ddzbot.game import SEATS
from ddzbot.kernel.bid_records import MOST_FEWEST
from ddzbot.kernel.binding import Kernel
from ddzbot.rules import rule_set

from ..auction.deals import read_deals
from ..auction.hands import fewest_of
from ..auction.network import hand_features
from ..held_out import TEST_PERCENT
from ..records import Batch
from ..shards import Array


class Hands:
    """
    Three hands of each deal. Each was played as the landlord's, so that no auction chose them.

    The last tenth of the deals is the test.
    """

    def __init__(self, inputs: NDArray[np.uint8], won: NDArray[np.float32], heads: Sequence[dict[str, Any]]) -> None:
        self.inputs, self.won, self.heads = inputs, won, heads
        deals = len(won) // SEATS
        border = SEATS * (deals - max(1, deals * TEST_PERCENT // 100))
        self.training: Array = np.arange(border)
        self.test: Array = np.arange(border, len(won))

    def batch(self, numbers: Array) -> Batch:
        """Gets some hands, (n, 73) of 0 and 1, and 1 where one won, else 0."""
        return Batch(self.inputs[numbers], self.won[numbers])

    def keep(self, most: int) -> None:
        """Leaves the first *most* training records; the test stays as it is."""
        self.training = self.training[:most]

    def keep_test(self, most: int) -> None:
        """Leaves the first *most* test records."""
        self.test = self.test[:most]

    def digest(self) -> str:
        """Hashes which records these are and in which order, in 16 hex digits."""
        content = hashlib.sha256()
        for column in (self.inputs, self.won, self.training, self.test):
            content.update(column.tobytes())
        return content.hexdigest()[:16]

    def summary(self) -> str:
        """Says how many records there are, in one sentence."""
        return f"{len(self.won):,} hands: {len(self.training):,} for training, {len(self.test):,} for the test."


def hands_of(kernel: Kernel, folder: Path) -> Hands:
    """
    Reads the hands of a folder of deals.

    :raises ValueError: if it has none.
    """
    deals, head = read_deals(folder)
    hands = np.ascontiguousarray(deals["hands"])
    fewest = np.minimum(fewest_of(kernel, rule_set(head["rules"]), hands), MOST_FEWEST)
    won: NDArray[np.float32] = (deals["won"][:, None] >> np.arange(SEATS) & 1).astype(np.float32)
    return Hands(hand_features(hands, fewest).reshape(won.size, -1), won.reshape(-1), [head])
