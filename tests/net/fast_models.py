"""The fast network with random weights, and with hand-made ones, the same in every run."""

from collections.abc import Mapping
from functools import cache

import numpy as np

from ddzbot.kernel.fast_records import FEATURES, HEADS, INNER, ONE, UNIT_STEP, SeatParameters
from ddzbot.net.fast_features import NAME
from ddzbot.net.fast_net import CLIPPED_ONE, SEAT_NAMES, architecture_of
from ddzbot.net.packed import Packed, Tensor
from tests.net.networks import DESCRIPTION
from tools.release.weights_file import float_tensor, integer_tensor

USUAL = 200
"""How large the first layer's weights are: some 75 of them then add up to about 1.0."""
SATURATING = 12000
"""Weights whose sums leave the 16 bits all the time."""


@cache
def random_seats(seed: int = 1, spread: int = USUAL, units: int = UNIT_STEP) -> tuple[SeatParameters, ...]:
    """Parameters of three seats whose values differ from move to move."""
    return tuple(_random_seat(np.random.default_rng([seed, seat]), spread, units) for seat in range(3))


def _random_seat(chance: np.random.Generator, spread: int, units: int) -> SeatParameters:
    def floats(size: float, *shape: int, middle: float = 0.0) -> bytes:
        return bytes((middle + size * chance.normal(size=shape)).astype("f4").tobytes())

    def integers(size: float, *shape: int, middle: float = 0.0) -> bytes:
        return bytes(np.clip(middle + size * chance.normal(size=shape), -32768, 32767).astype("i2").tobytes())

    return SeatParameters(
        integers(spread, FEATURES, units),
        integers(spread, units, middle=ONE / 2),
        chance.integers(-127, 128, (INNER, units)).astype("i1").tobytes(),
        floats(1e-7, INNER, middle=5e-6),
        floats(0.2, INNER, middle=0.5),
        floats(0.2, INNER, INNER),
        floats(0.2, INNER, middle=0.4),
        floats(2, HEADS, INNER),
        floats(1, HEADS),
    )


def wishing_seat(wishes: Mapping[int, float]) -> SeatParameters:
    """
    A seat whose logit is the sum of *wishes* over the features that are there; at most 32 of them.

    Each feature has a unit of its own in every layer, which is 1 or 0.
    """
    first, second = np.zeros((FEATURES, UNIT_STEP), "i2"), np.zeros((INNER, UNIT_STEP), "i1")
    last = np.zeros((HEADS, INNER), "f4")
    for unit, (feature, logit) in enumerate(wishes.items()):
        first[feature, unit] = ONE
        second[unit, unit] = CLIPPED_ONE
        last[0, unit] = logit
    zeros = np.zeros(INNER, "f4").tobytes()
    return SeatParameters(
        first.tobytes(),
        np.zeros(UNIT_STEP, "i2").tobytes(),
        second.tobytes(),
        np.full(INNER, 1 / CLIPPED_ONE**2, "f4").tobytes(),
        zeros,
        np.eye(INNER, dtype="f4").tobytes(),
        zeros,
        last.tobytes(),
        np.zeros(HEADS, "f4").tobytes(),
    )


def random_network() -> Packed:
    """The random seats as a file has them."""
    tensors = {
        f"{seat_name}.{field}": tensor
        for seat_name, seat in zip(SEAT_NAMES, random_seats(), strict=True)
        for field, tensor in _tensors_of(seat).items()
    }
    return Packed(NAME, "botzone", architecture_of(UNIT_STEP), tensors, DESCRIPTION)


def _tensors_of(seat: SeatParameters) -> dict[str, Tensor]:
    scale = np.frombuffer(seat.second_scale, "f4") * np.float32(CLIPPED_ONE)
    return {
        "first": integer_tensor(np.frombuffer(seat.first, "i2").reshape(FEATURES, seat.units), "int16"),
        "first_bias": integer_tensor(np.frombuffer(seat.first_bias, "i2"), "int16"),
        "second": integer_tensor(np.frombuffer(seat.second, "i1").reshape(INNER, seat.units), "int8", scale),
        "third": float_tensor(np.frombuffer(seat.third, "f4").reshape(INNER, INNER)),
        "last": float_tensor(np.frombuffer(seat.last, "f4").reshape(HEADS, INNER)),
        **{
            field: float_tensor(np.frombuffer(getattr(seat, field), "f4"))
            for field in ("second_bias", "third_bias", "last_bias")
        },
    }
