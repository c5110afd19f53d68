"""Networks of CQL with random weights, the same in every run."""

import numpy as np

from ddzbot.net.cql_features import NAME
from ddzbot.net.cql_layers import ARCHITECTURE, SHAPES
from ddzbot.net.packed import Packed
from tests.net.networks import DESCRIPTION
from tools.release.weights_file import float_tensor


def random_network(seed: int = 1) -> Packed:
    """Weights whose values differ from move to move."""
    chance = np.random.default_rng(seed)
    tensors = {}
    for name, shape in SHAPES.items():
        size = (2 / shape[1]) ** 0.5 if len(shape) > 1 else 0.1
        tensors[name] = float_tensor((size * chance.normal(size=shape)).astype("f4"), "float32")
    return Packed(NAME, "botzone", ARCHITECTURE, tensors, DESCRIPTION, path="random")
