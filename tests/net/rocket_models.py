"""The networks of DeepRocket with random weights, the same in every run."""

from collections.abc import Mapping

import numpy as np

from ddzbot.net import rocket_bidder, rocket_cnn
from ddzbot.net.packed import Packed, Shape, Tensor
from tests.net.networks import DESCRIPTION
from tools.release.weights_file import float_tensor


def _random(shapes: Mapping[str, Shape], seed: int, dtype: str) -> dict[str, Tensor]:
    """Weights about as large as a layer needs to keep its numbers apart."""
    chance = np.random.default_rng(seed)
    tensors = {}
    for name, shape in shapes.items():
        size = (2 / np.prod(shape[1:])) ** 0.5 if len(shape) > 1 else 0.1
        values = (size * chance.normal(size=shape)).astype("f4")
        tensors[name] = float_tensor(values, dtype if len(shape) > 1 else "float32")
    return tensors


def random_rocket(seed: int = 1, dtype: str = "float32") -> Packed:
    tensors = _random(rocket_cnn.SHAPES, seed, dtype)
    return Packed("rocket-1", "botzone", rocket_cnn.ARCHITECTURE, tensors, DESCRIPTION, path="random")


def random_bidder(seed: int = 1) -> Packed:
    tensors = _random(rocket_bidder.SHAPES, seed, "float16")
    # As large as it takes to give hands different answers.
    tensors["full2.weight"] = float_tensor(8 * np.array(tensors["full2.weight"].floats(), "f4").reshape(1, -1))
    return Packed("yesno-1", "botzone2", rocket_bidder.ARCHITECTURE, tensors, DESCRIPTION, path="random")
