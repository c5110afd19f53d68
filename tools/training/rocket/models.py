"""The networks of DeepRocket in torch; ddzbot/net/rocket_cnn.py describes them, and runs them without torch."""

import torch
from torch import Tensor, nn
from torch.nn.functional import relu

from ddzbot.net.rocket_bidder import HIDDEN, INPUTS
from ddzbot.net.rocket_cnn import FILTERS, KICKER_LAYERS, POLICY_LAYERS, REDUCED
from ddzbot.net.rocket_features import COLUMNS, PLANES, ROWS, row_of
from ddzbot.net.rocket_kickers import KICKER_PLANES, KICKER_ROWS
from ddzbot.net.rocket_moves import KICKERS, OUTPUTS
from ddzbot.rules import PASS_KIND

_NOISE = 0.3
"""The scale of the first random weights, relative to He et al. (2015)."""


class Tower(nn.Module):
    """
    Convolutions of 3 x 3, each followed by ReLU.

    They begin as the identity with some noise, so that a tower without shortcuts learns as one with them does (S.
    Zagoruyko, N. Komodakis, "DiracNets", 2017). It is the same tower: only the first weights differ.
    """

    def __init__(self, planes: int, layers: int) -> None:
        super().__init__()
        for layer in range(1, layers + 1):
            conv = nn.Conv2d(planes if layer == 1 else FILTERS, FILTERS, 3, padding=1)
            with torch.no_grad():
                nn.init.kaiming_normal_(conv.weight, nonlinearity="relu")
                nn.init.zeros_(conv.bias)  # type: ignore[arg-type]
                if layer > 1:
                    identity = nn.init.dirac_(torch.empty_like(conv.weight))
                    conv.weight.mul_(_NOISE).add_(identity)
            self.add_module(f"conv{layer}", conv)
        self._layers = layers

    def tower(self, cells: Tensor) -> Tensor:
        """Gets (n, filters, rows, columns) of (n, planes, rows, columns)."""
        for layer in range(1, self._layers + 1):
            cells = relu(self.get_submodule(f"conv{layer}")(cells))
        return cells


class PolicyModel(Tower):
    """
    Gets a logit for each main move: input (n, 21, 19, 15), output (n, 309).

    At first each main move has the value of the cell of its kind and lowest rank, on a plane by its length, with some
    noise; what one move teaches the convolutions is so of use to all from the beginning.
    """

    def __init__(self) -> None:
        super().__init__(PLANES, POLICY_LAYERS)
        self.reduce = nn.Conv2d(FILTERS, REDUCED, 1)
        self.full = nn.Linear(REDUCED * ROWS * COLUMNS, len(OUTPUTS))
        with torch.no_grad():
            self.full.weight.mul_(_NOISE)
            for output, (kind, rank, length) in enumerate(OUTPUTS):
                if kind != PASS_KIND:
                    cell = (length % REDUCED * ROWS + row_of(kind, length)) * COLUMNS + rank
                    self.full.weight[output, cell] += 1

    def forward(self, cells: Tensor) -> Tensor:
        """Gets the logits."""
        hidden = relu(self.reduce(self.tower(cells.to(self.reduce.weight.dtype))))
        logits: Tensor = self.full(hidden.flatten(1))
        return logits


class KickerModel(Tower):
    """Gets a logit for each kicker: input (n, 3, 9, 15), output (n, 28)."""

    def __init__(self) -> None:
        super().__init__(KICKER_PLANES, KICKER_LAYERS)
        self.full = nn.Linear(FILTERS * KICKER_ROWS * COLUMNS, KICKERS)

    def forward(self, cells: Tensor) -> Tensor:
        """Gets the logits."""
        logits: Tensor = self.full(self.tower(cells.to(self.full.weight.dtype)).flatten(1))
        return logits


class BidderModel(nn.Module):
    """Gets the logit of winning as the landlord with these 17 cards: input (n, 73), output (n,)."""

    def __init__(self) -> None:
        super().__init__()
        self.full1 = nn.Linear(INPUTS, HIDDEN)
        self.full2 = nn.Linear(HIDDEN, 1)

    def forward(self, inputs: Tensor) -> Tensor:
        """Gets the logits."""
        logits: Tensor = self.full2(relu(self.full1(inputs)))
        return logits.squeeze(1)


BIDDER = "bidder"
NETWORKS: dict[str, type[nn.Module]] = {"policy": PolicyModel, "kicker": KickerModel, BIDDER: BidderModel}
"""The three networks by name; the first two share a weights file, in which it is the prefix of their tensors."""
