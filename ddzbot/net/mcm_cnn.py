"""
The network of MCM: architecture ``mcm-cnn-1``, features ``mcm-1``, inference without torch.

Patent CN 111729300 A and the master thesis name 4 convolutions, 3 poolings, 3 fully connected layers and ReLU for an
input of 15 x 15 x 29; the widths are ours:

* 3 x 3 convolutions with padding, 29 -> 32 -> 64 -> 64 -> 64 channels, each followed by ReLU;
* 2 x 2 maxima after the first, second and fourth, which leave 8, 4 and 2 rows and columns. The first one rounds up
  (15 -> 8), so that neither the last rank nor the last row is lost;
* fully connected 256 -> 128 -> 64 -> 1, with ReLU between them. The one output is the payoff of the move.

All moves of a decision are valued together. They share all layers but the one of the move, and a convolution is a sum
over layers: the other 28 are convolved once. The kernel does it in C; numpy does it where there is no kernel.
"""

from array import array
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence

from ddzbot.net.loading import Loader
from ddzbot.net.mcm_features import KIND_ROWS, NAME, layers
from ddzbot.net.packed import Packed, Shape, WeightsError
from ddzbot.rules import PASS, Move
from ddzbot.view import View

if TYPE_CHECKING:
    from ddzbot.kernel.binding import Kernel

ARCHITECTURE = "mcm-cnn-1"

SHAPES: Dict[str, Shape] = {
    "conv1.weight": (32, 29, 3, 3),
    "conv1.bias": (32,),
    "conv2.weight": (64, 32, 3, 3),
    "conv2.bias": (64,),
    "conv3.weight": (64, 64, 3, 3),
    "conv3.bias": (64,),
    "conv4.weight": (64, 64, 3, 3),
    "conv4.bias": (64,),
    "full1.weight": (128, 256),
    "full1.bias": (128,),
    "full2.weight": (64, 128),
    "full2.bias": (64,),
    "full3.weight": (1, 64),
    "full3.bias": (1,),
}
"""The tensors, in torch's layout: convolutions are (out, in, row, column), full layers (out, in)."""


class McmNetwork:
    """
    Values moves, in the *kernel*, or in numpy without one and where it refuses the weights.

    For example ``McmNetwork(read(path), native()).values(view, view.legal_moves())``.

    :raises WeightsError: for weights of another network, and where there is neither kernel nor numpy.
    """

    def __init__(self, packed: Packed, kernel: "Optional[Kernel]") -> None:
        packed.expect(ARCHITECTURE, SHAPES)
        self._worker = _worker(packed, kernel)

    @property
    def engine(self) -> str:
        """The code that computes: ``kernel`` or ``numpy``."""
        return str(self._worker.name)

    def values(self, view: View, moves: Sequence[Move]) -> List[float]:
        """Values each of *moves*, played in *view*: the payoff that the network expects for the own seat."""
        if not moves:
            return []
        values: List[float] = self._worker.values(layers(view, PASS), moves)
        return values


def build_network(kernel: "Optional[Kernel]", packed: Packed) -> McmNetwork:
    """
    Makes the network of a file.

    :raises WeightsError: as :class:`McmNetwork`.
    """
    return McmNetwork(packed, kernel)


THESIS = f"{NAME}/thesis"
"""The name under which the network of the setting ``thesis`` is current."""
LOADERS = {features: Loader(features, build_network) for features in (NAME, THESIS)}
"""A loader for the networks of each setting, by its features."""


def _worker(packed: Packed, kernel: "Optional[Kernel]") -> Any:
    reasons = []
    for make in (_in_kernel, _in_numpy):
        try:
            return make(packed, kernel)
        except (ImportError, ValueError) as error:
            reasons.append(str(error))
    raise WeightsError(f"{packed.called}: {ARCHITECTURE} cannot run: {'; '.join(reasons)}")


def _in_kernel(packed: Packed, kernel: "Optional[Kernel]") -> Any:
    if kernel is None:
        raise ImportError("there is no kernel")
    from ddzbot.kernel.cnn import KernelNetwork

    numbers = array("f")
    for tensor in SHAPES:
        numbers.extend(packed.tensors[tensor].floats())
    return KernelNetwork(kernel.library, numbers, KIND_ROWS)


def _in_numpy(packed: Packed, _: "Optional[Kernel]") -> Any:
    from ddzbot.net.mcm_numpy import NumpyNetwork

    return NumpyNetwork(packed)
