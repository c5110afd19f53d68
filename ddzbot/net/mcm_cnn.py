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
from typing import Any, Dict, List, NamedTuple, Optional, Sequence

from ddzbot.kernel import native
from ddzbot.net.mcm_features import KIND_ROWS, NAME, layers
from ddzbot.net.packed import Packed, Shape, WeightsError, read
from ddzbot.net.reigning import reigning
from ddzbot.rules import PASS, Move
from ddzbot.view import View

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
    Values moves. ``engine`` is ``kernel`` or ``numpy``, whichever does the work; *engine* asks for one of them.

    For example ``McmNetwork(read(path)).values(view, view.legal_moves())``.

    :raises WeightsError: for weights of another network, and where there is neither kernel nor numpy.
    """

    def __init__(self, packed: Packed, engine: Optional[str] = None) -> None:
        if packed.features != NAME:
            raise WeightsError(f"{packed.called}: the features are {packed.features}, not {NAME}")
        packed.expect(ARCHITECTURE, SHAPES)
        self._worker = _engine(packed, engine)
        self.engine: str = self._worker.name

    def values(self, view: View, moves: Sequence[Move]) -> List[float]:
        """Values each of *moves*, laid in *view*: the payoff that the network expects for the own seat."""
        if not moves:
            return []
        values: List[float] = self._worker.values(layers(view, PASS), moves)
        return values


class Loaded(NamedTuple):
    """The network that reigns, or None, and one line on which it is or why there is none."""

    network: Optional[McmNetwork]
    description: str


def load(rules: str, folder: Optional[str] = None, reigns: str = NAME) -> Loaded:
    """
    Loads the network that plays under *rules*, or the one that *reigns* there for a setting, as ``mcm-1/thesis``;
    whatever is wrong with it ends up in ``description``.
    """
    packed, description = reigning(reigns, rules, folder)
    return Loaded(None, description) if packed is None else _network_of(packed, description)


def load_file(path: str) -> Loaded:
    """Loads the network of a file, under any rules; whatever is wrong with it ends up in ``description``."""
    try:
        return _network_of(read(path, known=[NAME]), path)
    except WeightsError as error:
        return Loaded(None, f"no network: {error}")


def _network_of(packed: Packed, description: str) -> Loaded:
    try:
        network = McmNetwork(packed)
    except WeightsError as error:
        return Loaded(None, f"no network: {error}")
    return Loaded(network, f"{description}, {network.engine}")


def _engine(packed: Packed, wanted: Optional[str]) -> Any:
    """Makes the kernel's form of the network, or else numpy's, or else says why there is none."""
    reasons = []
    for name, make in (("kernel", _in_kernel), ("numpy", _in_numpy)):
        if wanted in (None, name):
            try:
                return make(packed)
            except (ImportError, ValueError) as error:
                reasons.append(str(error))
    raise WeightsError(f"{packed.called}: {ARCHITECTURE} cannot run: {'; '.join(reasons)}")


def _in_kernel(packed: Packed) -> Any:
    kernel = native()
    if kernel is None:
        raise ImportError("there is no kernel")
    from ddzbot.kernel.cnn import KernelNetwork

    numbers = array("f")
    for name in SHAPES:
        numbers.extend(packed.tensors[name].floats())
    return KernelNetwork(kernel.library, numbers, KIND_ROWS)


def _in_numpy(packed: Packed) -> Any:
    from ddzbot.net.mcm_numpy import NumpyNetwork

    return NumpyNetwork(packed)
