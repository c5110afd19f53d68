"""
The fast network in plain Python, for where there is no kernel.

It computes what ddzbot/kernel/src/net/net_layers.c does: the integers are the same, the floats have more digits.
"""

from array import array
from operator import add, mul
from typing import Any, List, Sequence

from ddzbot.kernel.fast_records import INNER, SLOPE, MoveValue, SeatParameters
from ddzbot.net.fast_features import move_features, state_features
from ddzbot.view import View

_SHIFT = 4
_CLIPPED_ONE = 127
_LARGEST = 32767
_FLOAT_FIELDS = ("second_scale", "second_bias", "third", "third_bias", "last", "last_bias")


class FastReference:
    """The networks of the three seats. For example ``FastReference(seats).values(view)``."""

    def __init__(self, seats: Sequence[SeatParameters]) -> None:
        self._seats = [_Seat(seat) for seat in seats]

    def values(self, view: View) -> List[MoveValue]:
        """Values every legal move, in the order of the legal moves."""
        seat = self._seats[view.seat]
        state = seat.sums(seat.first_bias, state_features(view))
        return [
            MoveValue(move, *seat.heads(seat.sums(state, move_features(view, move)))) for move in view.legal_moves()
        ]


def _numbers(code: str, data: bytes) -> Any:
    numbers: Any = array(code)
    numbers.frombytes(data)
    return numbers


def _rows(numbers: Sequence[Any], width: int) -> List[Sequence[Any]]:
    return [numbers[begin : begin + width] for begin in range(0, len(numbers), width)]


class _Seat:
    def __init__(self, given: SeatParameters) -> None:
        floats = {field: _numbers("f", getattr(given, field)) for field in _FLOAT_FIELDS}
        self.first = _rows(_numbers("h", given.first), given.units)
        self.first_bias: Sequence[int] = _numbers("h", given.first_bias)
        self.second = _rows(_numbers("b", given.second), given.units)
        self.second_scale, self.second_bias = floats["second_scale"], floats["second_bias"]
        self.third = [floats["third"][output::INNER] for output in range(INNER)]  # by output
        self.third_bias = floats["third_bias"]
        self.last, self.last_bias = _rows(floats["last"], INNER), floats["last_bias"]

    def sums(self, base: Sequence[int], features: Sequence[int]) -> Sequence[int]:
        """
        Adds rows one after the other; sums stop at the ends of 16 bits.

        The kernel adds some rows up beforehand, so that it may stop elsewhere; sums of trained networks never do.
        """
        for feature in features:
            base = list(map(add, base, self.first[feature]))
            if max(base) > _LARGEST or min(base) < -_LARGEST - 1:
                base = [min(max(total, -_LARGEST - 1), _LARGEST) for total in base]
        return base

    def heads(self, sums: Sequence[int]) -> List[float]:
        """Gets the logit of winning and the score in points."""
        units = [min(max(total >> _SHIFT, 0), _CLIPPED_ONE) for total in sums]
        totals = [sum(map(mul, units, row)) for row in self.second]
        second = [_bent(x * scale + bias) for x, scale, bias in zip(totals, self.second_scale, self.second_bias)]
        third = [_bent(sum(map(mul, second, row)) + bias) for row, bias in zip(self.third, self.third_bias)]
        return [sum(map(mul, third, row)) + bias for row, bias in zip(self.last, self.last_bias)]


def _bent(value: float) -> float:
    return value if value > 0 else value * SLOPE
