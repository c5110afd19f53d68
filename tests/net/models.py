"""The network of MCM with random weights, the same in every run."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ddzbot.net.mcm_cnn import ARCHITECTURE, SHAPES
from ddzbot.net.packed import Packed
from tests.net.networks import DESCRIPTION
from tools.release.weights_file import float_tensor


def random_tensors(seed: int = 1) -> dict[str, NDArray[Any]]:
    """Weights whose values differ from move to move: about as large as a layer needs to keep its numbers apart."""
    chance = np.random.default_rng(seed)
    tensors = {}
    for name, shape in SHAPES.items():
        size = (2 / np.prod(shape[1:])) ** 0.5 if len(shape) > 1 else 0.1
        tensors[name] = (size * chance.normal(size=shape)).astype("f4")
    return tensors


def random_network(seed: int = 1, dtype: str = "float32") -> Packed:
    tensors = {name: float_tensor(values, dtype) for name, values in random_tensors(seed).items()}
    return Packed("mcm-1", "botzone", ARCHITECTURE, tensors, DESCRIPTION, path="random")
