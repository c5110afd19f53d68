"""Inputs and outputs of the fast network, as src/include/ddz_net.h has them; without ctypes."""

from math import exp
from typing import Dict, NamedTuple

from ddzbot.rules import Move

FEATURES = 896
UNIT_STEP, MOST_UNITS = 256, 1024
"""The number of units of the first layer is a property of a network: a multiple of this."""
INNER = 32
HEADS = 2
MOST_ACTIVE = 192
"""No situation has more features."""
ONE = 2032
"""The integer for 1.0 in the first layer."""
SLOPE = 0.1
"""The factor of an inner unit below 0."""


class SeatParameters(NamedTuple):
    """The parameters of one seat as bytes, row by row; the fields of a ddz_net_parameters."""

    first: bytes
    """16-bit integers [FEATURES][units]."""
    first_bias: bytes
    """16-bit integers [units]."""
    second: bytes
    """8-bit integers [INNER][units]."""
    second_scale: bytes
    """Floats [INNER]: what 1 is worth in a row of *second*."""
    second_bias: bytes
    """Floats [INNER]."""
    third: bytes
    """Floats [INNER inputs][INNER outputs]."""
    third_bias: bytes
    """Floats [INNER]."""
    last: bytes
    """Floats [HEADS][INNER]."""
    last_bias: bytes
    """Floats [HEADS]."""

    @property
    def units(self) -> int:
        """The number of units of the first layer."""
        return len(self.first_bias) // 2


def sizes_of(units: int) -> Dict[str, int]:
    """Gets how many bytes each field has with so many units."""
    return {
        "first": 2 * FEATURES * units,
        "first_bias": 2 * units,
        "second": INNER * units,
        "second_scale": 4 * INNER,
        "second_bias": 4 * INNER,
        "third": 4 * INNER * INNER,
        "third_bias": 4 * INNER,
        "last": 4 * HEADS * INNER,
        "last_bias": 4 * HEADS,
    }


class MoveValue(NamedTuple):
    """A legal move and what the network expects of it."""

    move: Move
    win: float
    """The logit of the probability that the mover's side wins."""
    score: float
    """The mover's expected score in points."""

    @property
    def chance(self) -> float:
        """The probability that the mover's side wins."""
        return chance(self.win)


def chance(logit: float) -> float:
    """Gets the probability that a logit stands for."""
    return 1 / (1 + exp(-max(-60.0, min(60.0, logit))))
