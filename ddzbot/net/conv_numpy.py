"""Convolutions in numpy, float32, for the networks of this folder. Importable without numpy."""

from typing import Any

try:
    import numpy as np
except ImportError:
    np = None  # type: ignore[assignment]

_ONE_THREAD = 1 << 18
"""The library of numpy multiplies with one thread up to so many products of two numbers."""


def matrix_of(weight: Any) -> Any:
    """Turns the weights of a 3 x 3 convolution, (out, in, row, column), into (row, column, in) x out."""
    return weight.transpose(2, 3, 1, 0).reshape(-1, len(weight)).copy()


def convolved(cells: Any, matrix: Any) -> Any:
    """Convolves (n, rows, columns, in), zero outside, with a 3 x 3 kernel of (9 * in, out)."""
    count, rows, columns, channels = cells.shape
    padded = np.zeros((count, rows + 2, columns + 2, channels), np.float32)
    padded[:, 1:-1, 1:-1] = cells
    taps = np.empty((count, rows, columns, 9, channels), np.float32)
    for tap in range(9):
        row, column = divmod(tap, 3)
        taps[:, :, :, tap] = padded[:, row : row + rows, column : column + columns]
    return product(taps.reshape(-1, 9 * channels), matrix).reshape(count, rows, columns, -1)


def product(rows: Any, matrix: Any) -> Any:
    """
    Multiplies two matrices in blocks that numpy's library multiplies with one thread.

    With several it waits for all of them: on a machine with other work a product of 0.1 ms took 20 ms.
    """
    block = max(1, _ONE_THREAD // matrix.size)
    out = np.empty((len(rows), matrix.shape[1]), np.float32)
    for start in range(0, len(rows), block):
        np.dot(rows[start : start + block], matrix, out=out[start : start + block])
    return out
