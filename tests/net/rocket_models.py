"""The networks of DeepRocket with random weights, the same in every run."""

import numpy as np

from ddzbot.net.packed import Packed
from ddzbot.net.rocket_cnn import ARCHITECTURE, SHAPES
from tests.net.networks import DESCRIPTION
from tools.release.weights_file import float_tensor


def random_rocket(seed: int = 1, dtype: str = "float32") -> Packed:
    """Weights about as large as a layer needs to keep its numbers apart."""
    chance = np.random.default_rng(seed)
    tensors = {}
    for name, shape in SHAPES.items():
        size = (2 / np.prod(shape[1:])) ** 0.5 if len(shape) > 1 else 0.1
        values = (size * chance.normal(size=shape)).astype("f4")
        tensors[name] = float_tensor(values, dtype if len(shape) > 1 else "float32")
    return Packed("rocket-1", "botzone", ARCHITECTURE, tensors, DESCRIPTION, path="random")
