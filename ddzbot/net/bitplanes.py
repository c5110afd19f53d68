"""Bit planes of many positions at once: arrays of 0 and 1 with a last axis of 15 ranks. Importable without numpy."""

from typing import Any

from ddzbot.cards import RANK_COUNT


def copies_of(hands: Any, most: int) -> Any:
    """Spreads hands: (n, most, 15), where row k - 1 has the k-th copies."""
    np = needed_numpy()
    held = (hands[:, None] >> (4 * np.arange(RANK_COUNT, dtype="u8"))) & np.uint64(15)
    return held.astype("u1")[:, None, :] > np.arange(most, dtype="u1")[:, None]


def spread_bits(ranks: Any) -> Any:
    """Spreads the bits of numbers: (n, 15)."""
    np = needed_numpy()
    return ((ranks[:, None] >> np.arange(RANK_COUNT, dtype="u2")) & 1).astype("u1")


def first_cells(numbers: Any) -> Any:
    """Sets as many cells as a number says, from the first on: (n, 15)."""
    np = needed_numpy()
    return np.arange(RANK_COUNT, dtype="u1") < numbers[:, None]


def needed_numpy() -> Any:
    """
    Gets the module numpy.

    :raises ImportError: without it.
    """
    try:
        import numpy
    except ImportError as error:
        raise ImportError("the planes of DeepRocket take numpy") from error
    return numpy
