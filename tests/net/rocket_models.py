"""The networks of DeepRocket with random weights, the same in every run."""

from collections.abc import Mapping

import numpy as np

from ddzbot.net import rocket_bidder, rocket_cnn
from ddzbot.net.packed import Packed, Shape, Tensor
from tests.net.networks import DESCRIPTION, random_tensors
from tools.release.weights_file import float_tensor


def _random(shapes: Mapping[str, Shape], seed: int, dtype: str) -> dict[str, Tensor]:
    return {
        key: float_tensor(values, dtype if values.ndim > 1 else "float32")
        for key, values in random_tensors(shapes, seed).items()
    }


def random_rocket(seed: int = 1, dtype: str = "float32") -> Packed:
    tensors = _random(rocket_cnn.SHAPES, seed, dtype)
    return Packed("rocket-2", "botzone", rocket_cnn.ARCHITECTURE, tensors, DESCRIPTION, path="random", called="random")


def random_bidder(seed: int = 1) -> Packed:
    tensors = _random(rocket_bidder.SHAPES, seed, "float16")
    # As large as it takes to give hands different answers.
    tensors["full2.weight"] = float_tensor(8 * np.array(tensors["full2.weight"].floats(), "f4").reshape(1, -1))
    return Packed(
        "yesno-1", "botzone2", rocket_bidder.ARCHITECTURE, tensors, DESCRIPTION, path="random", called="random"
    )
