"""Which games are held out for the test: a tenth of the deals, by a hash of their names."""

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..shared.seeds import deal_seed

TEST_PERCENT = 10


def is_test_deal(deal: str, salt: str) -> bool:
    """Splits the deals 90 to 10 by a hash of their names; each training has a *salt* of its own."""
    return int.from_bytes(hashlib.sha256(f"{salt}/{deal}".encode()).digest()[:8], "big") % 100 < TEST_PERCENT


def are_test_games(about: dict[str, Any], games: NDArray[Any], salt: str) -> NDArray[np.bool_]:
    """Tells for each of *games* whether it is in the test: a matter of its deal alone, whatever else is there."""
    indices, places = np.unique(games, return_inverse=True)
    names = (deal_seed(about["seed"], about["namespace"], int(one)) for one in indices)
    return np.array([is_test_deal(name, salt) for name in names], dtype=bool)[places]
