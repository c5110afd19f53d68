"""Networks that value bids with random parameters, the same in every run."""

from array import array
from typing import Any

import numpy as np

from ddzbot.kernel.bid_records import BidParameters
from ddzbot.net.bid_net import ARCHITECTURE, NAME, SHAPES
from ddzbot.net.packed import Packed
from tests.net.networks import DESCRIPTION
from tools.release.weights_file import integer_tensor

USUAL = {"first": 300, "second": 120, "third": 400, "last": 900}
"""How large weights are so that answers differ by some points."""


def random_parameters(seed: int = 1, spread: float = 1) -> BidParameters:
    """Parameters whose answers differ from hand to hand; with a large *spread* they stop at the largest there is."""
    chance = np.random.default_rng(seed)
    return BidParameters(**{field: _tensor(chance, field, spread) for field in SHAPES})


def _tensor(chance: np.random.Generator, name: str, spread: float) -> "array[Any]":
    code, limit = ("i", 2**31 - 1) if name.endswith("_bias") else ("h", 2**15 - 1)
    size = USUAL.get(name, 300) * spread
    values = np.clip(chance.normal(0, size, SHAPES[name]), -limit, limit)
    return array(code, values.astype(f"i{array(code).itemsize}").tobytes())


def packed_network(parameters: BidParameters) -> Packed:
    """The parameters as a file has them."""
    tensors = {
        field: integer_tensor(np.array(numbers).reshape(SHAPES[field]), "int32" if "bias" in field else "int16")
        for field, numbers in parameters._asdict().items()
    }
    return Packed(NAME, "botzone2", ARCHITECTURE, tensors, DESCRIPTION)


def random_network() -> Packed:
    return packed_network(random_parameters())
