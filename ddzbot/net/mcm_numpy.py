"""The network ``mcm-cnn-1`` in numpy, float32; :mod:`ddzbot.net.mcm_cnn` describes it. Importable without numpy."""

from typing import Any, List, Sequence

from ddzbot.net.conv_numpy import convolved, matrix_of
from ddzbot.net.mcm_features import COLUMNS, ROWS, VALUED_LAYER, Layers, planes
from ddzbot.net.packed import Packed
from ddzbot.rules import Move

try:
    import numpy as np
except ImportError:
    np = None  # type: ignore[assignment]

BATCH = 64
"""The number of moves that are valued at once: more take much memory and are no faster."""


class NumpyNetwork:
    """
    The arrays of a network whose shapes are right.

    :raises ImportError: without numpy.
    """

    name = "numpy"

    def __init__(self, packed: Packed) -> None:
        if np is None:
            raise ImportError("there is no numpy")
        arrays = {
            key: np.frombuffer(tensor.floats(), np.float32).reshape(tensor.shape)
            for key, tensor in packed.tensors.items()
        }
        self._first = arrays["conv1.weight"]
        self._shared = matrix_of(self._first)
        self._valued = matrix_of(self._first[:, VALUED_LAYER : VALUED_LAYER + 1])
        self._matrices = [matrix_of(arrays[f"conv{layer}.weight"]) for layer in (2, 3, 4)]
        self._biases = [arrays[f"conv{layer}.bias"] for layer in (1, 2, 3, 4)]
        # The channels come last here and first in torch: the columns of the first full layer move along.
        full1 = arrays["full1.weight"].reshape(-1, 64, 2, 2).transpose(0, 2, 3, 1)
        weights = [full1.reshape(len(full1), -1), arrays["full2.weight"], arrays["full3.weight"]]
        self._full = [(weight.T.copy(), arrays[f"full{layer}.bias"]) for layer, weight in enumerate(weights, 1)]

    def values(self, record: Layers, moves: Sequence[Move]) -> List[float]:
        """Values *moves*; *record* is the decision with no move in layer 27."""
        cards, kinds, landlord = np.array(record.words, "u8"), np.array(record.kinds, "u1"), record.landlord
        cells = planes(cards[None], kinds[None], np.array([landlord], "u1"))
        cells[:, VALUED_LAYER] = 0
        shared = convolved(cells.transpose(0, 2, 3, 1), self._shared) + self._biases[0]
        payoffs: List[float] = []
        for start in range(0, len(moves), BATCH):
            payoffs += self._batch(shared, moves[start : start + BATCH], landlord[VALUED_LAYER])
        return payoffs

    def _batch(self, shared: Any, moves: Sequence[Move], landlord: int) -> List[float]:
        cards = np.array([[move.cards] for move in moves], "u8")
        kinds = np.array([[move.kind] for move in moves], "u1")
        cells = planes(cards, kinds, np.full(kinds.shape, landlord, "u1"))
        hidden = _halved(np.maximum(convolved(cells.reshape(-1, ROWS, COLUMNS, 1), self._valued) + shared, 0))
        for matrix, bias, pooled in zip(self._matrices, self._biases[1:], (True, False, True)):
            hidden = np.maximum(convolved(hidden, matrix) + bias, 0)
            if pooled:
                hidden = _halved(hidden)
        hidden = hidden.reshape(len(moves), -1)
        for depth, (matrix, bias) in enumerate(self._full):
            if depth:
                hidden = np.maximum(hidden, 0)
            hidden = hidden @ matrix + bias
        values: List[float] = hidden[:, 0].tolist()
        return values


def _halved(cells: Any) -> Any:
    """Takes the largest of each 2 x 2 block; an odd last row or column counts by itself. No cell is negative."""
    count, rows, columns, channels = cells.shape
    if rows % 2:
        even = np.zeros((count, rows + 1, columns + 1, channels), np.float32)
        even[:, :-1, :-1] = cells
        return _halved(even)
    across = np.maximum(cells[:, :, ::2], cells[:, :, 1::2])
    return np.maximum(across[:, ::2], across[:, 1::2])
