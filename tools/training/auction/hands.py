"""Many hands at once: their fewest moves, and what :func:`ddzbot.bidding.bid_by_hand` counts and bids."""

import numpy as np
from numpy.typing import NDArray

from ddzbot.bidding import THRESHOLDS
from ddzbot.cards import ACE, BIG_JOKER, LITTLE_JOKER, RANK_COUNT, TWO
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.training import fewest_moves
from ddzbot.rules import RuleSet

Hands = NDArray[np.uint64]


def fewest_of(kernel: Kernel, rules: RuleSet, hands: Hands) -> NDArray[np.uint8]:
    """Counts the fewest moves that empty each hand."""
    given = np.ascontiguousarray(hands)
    out = np.empty(given.shape, np.uint8)
    fewest_moves(kernel, rules, given.ctypes.data, given.size, out.ctypes.data)
    return out


def hand_points(kernel: Kernel, rules: RuleSet, hands: Hands) -> NDArray[np.int64]:
    """Counts hands as :func:`ddzbot.bidding.hand_points` does."""
    shifts = np.arange(0, 4 * RANK_COUNT, 4, dtype=np.uint64)
    held = (hands[..., None] >> shifts & np.uint64(15)).astype(np.int64)
    high = 5 * held[..., BIG_JOKER] + 3 * held[..., LITTLE_JOKER] + 2 * held[..., TWO] + held[..., ACE]
    points: NDArray[np.int64] = high + (held == 4).sum(-1) - fewest_of(kernel, rules, hands)
    return points


def hand_bids(kernel: Kernel, rules: RuleSet, hands: Hands) -> NDArray[np.int64]:
    """Gets the highest bid that each hand is worth by that count."""
    points = hand_points(kernel, rules, hands)
    return np.asarray(sum((points >= needed).astype(np.int64) for needed in THRESHOLDS))
