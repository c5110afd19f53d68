"""The networks ``rocket-cnn-1`` in numpy, float32; :mod:`ddzbot.net.rocket_cnn` describes them."""

from typing import Any, List, Tuple

from ddzbot.net.conv_numpy import convolved, matrix_of
from ddzbot.net.packed import Packed

try:
    import numpy as np
except ImportError:
    np = None  # type: ignore[assignment]


class NumpyNetworks:
    """
    The arrays of the two networks, of weights whose shapes are right.

    :raises ImportError: without numpy.
    """

    def __init__(self, packed: Packed) -> None:
        if np is None:
            raise ImportError("there is no numpy")
        arrays = {
            key: np.frombuffer(tensor.floats(), np.float32).reshape(tensor.shape)
            for key, tensor in packed.tensors.items()
        }
        self._policy = _layers(arrays, "policy")
        self._kicker = _layers(arrays, "kicker")
        self._reduce = (arrays["policy.reduce.weight"][:, :, 0, 0].T.copy(), arrays["policy.reduce.bias"])
        self._policy_full = (arrays["policy.full.weight"].T.copy(), arrays["policy.full.bias"])
        self._kicker_full = (arrays["kicker.full.weight"].T.copy(), arrays["kicker.full.bias"])

    def policy(self, cells: Any) -> Any:
        """Gets the logits (n, 309) of the cells (n, 21, 19, 15)."""
        hidden = _through(self._policy, cells)
        matrix, bias = self._reduce
        return _full(np.maximum(hidden @ matrix + bias, 0), self._policy_full)

    def kicker(self, cells: Any) -> Any:
        """Gets the logits (n, 28) of the cells (n, 3, 9, 15)."""
        return _full(_through(self._kicker, cells), self._kicker_full)


Layers = List[Tuple[Any, Any]]
"""Type alias: the matrix and the bias of each convolution."""


def _layers(arrays: Any, name: str) -> Layers:
    numbers = range(1, 1 + sum(key.startswith(f"{name}.conv") and key.endswith("weight") for key in arrays))
    return [(matrix_of(arrays[f"{name}.conv{layer}.weight"]), arrays[f"{name}.conv{layer}.bias"]) for layer in numbers]


def _through(layers: Layers, cells: Any) -> Any:
    """Takes cells (n, planes, rows, columns) through convolutions: (n, rows, columns, filters)."""
    hidden = cells.transpose(0, 2, 3, 1)
    for matrix, bias in layers:
        hidden = convolved(hidden, matrix)
        hidden += bias
        np.maximum(hidden, 0, out=hidden)
    return hidden


def _full(hidden: Any, layer: Tuple[Any, Any]) -> Any:
    """The fully connected layer, whose columns have the filters first."""
    matrix, bias = layer
    units = hidden.transpose(0, 3, 1, 2).reshape(len(hidden), -1)
    # Not by the library for matrices: see product().
    return np.einsum("ni,io->no", units, matrix) + bias
