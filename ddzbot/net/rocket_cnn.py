"""
The networks of DeepRocket: architecture ``rocket-cnn-1``, features ``rocket-2``, inference without torch.

* The policy network: 21 planes, 10 convolutions of 3 x 3 with padding, 32 filters each, a convolution of 1 x 1 to 8
  planes, all followed by ReLU, and one fully connected layer to the logits of the 309 main moves.
* The kicker network: 3 planes, 5 such convolutions, and one fully connected layer to the logits of the 28 kickers.

The source has 512 filters and no 1 x 1 convolution. Both networks take numpy.
"""

from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence

from ddzbot.cards import Hand
from ddzbot.net.loading import Loader
from ddzbot.net.packed import Packed, Shape, WeightsError
from ddzbot.net.rocket_features import COLUMNS, NAME, PLANES, ROWS, State, planes, state_arrays
from ddzbot.net.rocket_kickers import KICKER_PLANES, KICKER_ROWS, kicker_columns, kicker_planes, kicker_question
from ddzbot.net.rocket_moves import KICKERS, OUTPUTS, MainMove, kicker_output
from ddzbot.net.rocket_numpy import NumpyNetworks

if TYPE_CHECKING:
    from ddzbot.kernel.binding import Kernel

ARCHITECTURE = "rocket-cnn-1"
FILTERS = 32
POLICY_LAYERS, KICKER_LAYERS = 10, 5
REDUCED = 8
"""The planes after the 1 x 1 convolution."""


def _tower(name: str, inputs: int, layers: int) -> Dict[str, Shape]:
    shapes: Dict[str, Shape] = {}
    for layer in range(1, layers + 1):
        shapes[f"{name}.conv{layer}.weight"] = (FILTERS, inputs if layer == 1 else FILTERS, 3, 3)
        shapes[f"{name}.conv{layer}.bias"] = (FILTERS,)
    return shapes


SHAPES: Dict[str, Shape] = {
    **_tower("policy", PLANES, POLICY_LAYERS),
    "policy.reduce.weight": (REDUCED, FILTERS, 1, 1),
    "policy.reduce.bias": (REDUCED,),
    "policy.full.weight": (len(OUTPUTS), REDUCED * ROWS * COLUMNS),
    "policy.full.bias": (len(OUTPUTS),),
    **_tower("kicker", KICKER_PLANES, KICKER_LAYERS),
    "kicker.full.weight": (KICKERS, FILTERS * KICKER_ROWS * COLUMNS),
    "kicker.full.bias": (KICKERS,),
}
"""The tensors, in torch's layout: convolutions are (out, in, row, column), full layers (out, in)."""


class RocketNetworks:
    """
    The two networks of a file.

    :raises WeightsError: for weights of another network, and without numpy.
    """

    def __init__(self, packed: Packed) -> None:
        packed.expect(ARCHITECTURE, SHAPES)
        try:
            self._worker: Any = NumpyNetworks(packed)
        except ImportError as error:
            raise WeightsError(f"{packed.called}: {ARCHITECTURE} cannot run: {error}") from None

    def policy(self, state: State) -> List[float]:
        """Gets the logits of all 309 main moves, legal or not."""
        logits: List[float] = self._worker.policy(planes(state_arrays([state])))[0].tolist()
        return logits

    def kicker(self, state: State, main: MainMove, choice: Sequence[Hand], chosen: Sequence[Hand]) -> Hand:
        """Chooses one of *choice*, the kickers that may go with *main* beside those that were *chosen*."""
        question = kicker_question(state, main, choice, chosen)
        logits = self._worker.kicker(kicker_planes(kicker_columns([question])))[0]
        return max(choice, key=lambda kicker: float(logits[kicker_output(kicker)]))


def build_network(_: "Optional[Kernel]", packed: Packed) -> RocketNetworks:
    """
    Makes the networks of a file.

    :raises WeightsError: if the file is of another kind.
    """
    return RocketNetworks(packed)


LOADER = Loader(NAME, build_network)
