"""The network of MCM with random weights, the same in every run."""

from typing import Any

from numpy.typing import NDArray

from ddzbot.net.mcm_cnn import ARCHITECTURE, SHAPES
from ddzbot.net.packed import Packed
from tests.net import networks
from tools.release.weights_file import float_tensor


def random_tensors() -> dict[str, NDArray[Any]]:
    return networks.random_tensors(SHAPES)


def random_network(seed: int = 1, dtype: str = "float32") -> Packed:
    tensors = {key: float_tensor(values, dtype) for key, values in networks.random_tensors(SHAPES, seed).items()}
    return Packed("mcm-1", "botzone", ARCHITECTURE, tensors, networks.DESCRIPTION, path="random", called="random")
