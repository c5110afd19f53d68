"""The samples of DeepRocket's bidder: hands of 17 cards that became the landlord, and whether they won."""

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
from ..samples import Batch, Samples
from ..shards import TEST_PERCENT, Array


class Hands(Samples):
    """
    Three hands of each deal. Each was played as the landlord's, so that no auction chose them.

    The last tenth of the deals is the test.
    """

    def __init__(self, inputs: NDArray[np.uint8], won: NDArray[np.float32], heads: Sequence[dict[str, Any]]) -> None:
        self.inputs, self.won = inputs, won
        self.content = inputs, won
        deals = len(won) // SEATS
        numbers = np.arange(len(won))
        super().__init__(numbers, numbers >= SEATS * (deals - max(1, deals * TEST_PERCENT // 100)), heads)

    def batch(self, numbers: Array) -> Batch:
        """Gets some hands, (n, 73) of 0 and 1, and 1 where one won, else 0."""
        return Batch(self.inputs[numbers], self.won[numbers])

    def what(self) -> str:
        """Says how many hands there are."""
        return f"{len(self.won):,} hands"


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
