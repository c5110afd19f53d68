"""The champion's network in torch: the same layers as the kernel's, in floats, and how they become its integers."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from ddzbot.game import SEATS
from ddzbot.kernel.fast_records import FEATURES, HEADS, INNER, ONE, SLOPE, SeatParameters
from ddzbot.kernel.library import Library
from ddzbot.kernel.training import SampleChoice, rows_spread, rows_sum

from .games import Samples

_CLIPPED_ONE = 127
ROUNDED_DOWN = 8
"""Added to the biases of the first layer: the kernel rounds down, and 16 are one step."""
_SHARES = 2
"""Threads that share the first layer's work."""
_USUAL_ACTIVE = 78
"""About how many features a sample has."""


class RowSource:
    """Sums rows of the first layer for samples, and their gradient, by the kernel."""

    def __init__(self, library: Library, code: int) -> None:
        self._library = library
        self._code = code
        self._pool = ThreadPoolExecutor(_SHARES)

    def sums(self, samples: Samples, which: NDArray[np.uint32], weights: Tensor, bias: Tensor) -> Tensor:
        """Gets [len(which)][units]: bias plus the rows that each sample's features name."""
        units = len(bias)
        out = torch.empty(len(which), units)
        bounds = np.linspace(0, len(which), _SHARES + 1).astype(int)

        def share(at: int) -> None:
            begin, end = int(bounds[at]), int(bounds[at + 1])
            if begin == end:  # an empty tensor lies nowhere
                return
            choice = _wanted(samples, which[begin:end])
            where = (weights.data_ptr(), bias.data_ptr(), out[begin:end].data_ptr())
            rows_sum(self._library, choice, *where, units, self._code)

        list(self._pool.map(share, range(_SHARES)))
        return out

    def spread(self, samples: Samples, which: NDArray[np.uint32], slopes: Tensor) -> Tensor:
        """Gets the gradient of the rows, [FEATURES][units], from that of the sums."""
        units = slopes.shape[1]
        out = torch.zeros(FEATURES, units)
        width = units // _SHARES
        if not len(which):
            return out

        def share(at: int) -> None:
            strip = (at * width, (at + 1) * width)
            choice = _wanted(samples, which)
            rows_spread(self._library, choice, slopes.data_ptr(), out.data_ptr(), units, strip, self._code)

        list(self._pool.map(share, range(_SHARES)))
        return out


def _wanted(samples: Samples, which: NDArray[np.uint32]) -> SampleChoice:
    return SampleChoice(samples.features.ctypes.data, samples.ends.ctypes.data, which.ctypes.data, len(which))


class _FirstLayer(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, weights: Tensor, bias: Tensor, source: RowSource, samples: Samples, which: NDArray[np.uint32]
    ) -> Tensor:
        ctx.given = (source, samples, which)
        return source.sums(samples, which, weights, bias)

    @staticmethod
    def backward(ctx: Any, *slopes: Tensor) -> tuple[Tensor | None, ...]:
        source, samples, which = ctx.given
        slope = slopes[0].contiguous()
        return source.spread(samples, which, slope), slope.sum(0), None, None, None


class SeatNet(nn.Module):
    """The network of one seat."""

    def __init__(self, units: int) -> None:
        super().__init__()
        self.first = nn.Parameter(torch.randn(FEATURES, units) / _USUAL_ACTIVE**0.5)
        self.first_bias = nn.Parameter(torch.full((units,), 0.5))
        self.second = nn.Linear(units, INNER)
        self.third = nn.Linear(INNER, INNER)
        self.last = nn.Linear(INNER, HEADS)

    def heads(self, sums: Tensor) -> Tensor:
        """Gets [samples][HEADS], logit of winning and score, from the sums of the first layer."""
        units = functional.leaky_relu(self.second(sums.clamp(0, 1)), SLOPE)
        heads: Tensor = self.last(functional.leaky_relu(self.third(units), SLOPE))
        return heads

    def forward(self, source: RowSource, samples: Samples, which: NDArray[np.uint32]) -> Tensor:
        """Gets [len(which)][HEADS] for these samples."""
        sums: Tensor = _FirstLayer.apply(self.first, self.first_bias, source, samples, which)  # type: ignore[no-untyped-call]
        return self.heads(sums)

    def parameters_for_kernel(self) -> SeatParameters:
        """Rounds to what the kernel computes with."""
        with torch.no_grad():
            scale = self.second.weight.abs().amax(1).clamp(min=1e-6) / _CLIPPED_ONE
            return SeatParameters(
                _bytes(self.first * ONE, np.int16),
                _bytes(self.first_bias * ONE + ROUNDED_DOWN, np.int16),
                _bytes(self.second.weight / scale[:, None], np.int8),
                _bytes(scale / _CLIPPED_ONE, np.float32),
                _bytes(self.second.bias, np.float32),
                _bytes(self.third.weight.t(), np.float32),
                _bytes(self.third.bias, np.float32),
                _bytes(self.last.weight, np.float32),
                _bytes(self.last.bias, np.float32),
            )


def _bytes(values: Tensor, kind: type) -> bytes:
    array = values.detach().contiguous().numpy()
    if kind is np.float32:
        return bytes(array.astype(np.float32).tobytes())
    limits = np.iinfo(kind)
    return bytes(np.clip(np.rint(array), limits.min, limits.max).astype(kind).tobytes())


class ChampionNet(nn.Module):
    """The networks of the three seats, with so many units in their first layers."""

    def __init__(self, units: int) -> None:
        super().__init__()
        self.units = units
        self.seats = nn.ModuleList(SeatNet(units) for _ in range(SEATS))

    def parameters_for_kernel(self) -> list[SeatParameters]:
        """Rounds all three."""
        return [seat.parameters_for_kernel() for seat in self.seats if isinstance(seat, SeatNet)]
