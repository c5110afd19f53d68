"""Networks of CQL with random weights, the same in every run."""

from ddzbot.net.cql_features import NAME
from ddzbot.net.cql_layers import ARCHITECTURE, SHAPES
from ddzbot.net.packed import Packed
from tests.net.networks import DESCRIPTION, random_tensors
from tools.release.weights_file import float_tensor


def random_network(seed: int = 1) -> Packed:
    tensors = {key: float_tensor(values) for key, values in random_tensors(SHAPES, seed).items()}
    return Packed(NAME, "botzone", ARCHITECTURE, tensors, DESCRIPTION, path="random", called="random")
