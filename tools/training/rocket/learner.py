"""The training of the networks of DeepRocket: cross entropy with the teacher's choice or with the winner."""

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from ..learning import SamplesLearner, Settings
from ..samples import Samples
from .dataset import CHOSEN
from .models import BIDDER, NETWORKS

USUAL = {"policy": Settings(2, 256), "kicker": Settings(2, 256), BIDDER: Settings(4, 256, 2e-3)}
"""The samples and loss of each network."""


class RocketLearner(SamplesLearner):
    """A training of one of the three networks."""

    recipe = "rocket"

    def __init__(self, network: str, samples: Samples, how: Settings, log_every: int = 200) -> None:
        super().__init__(NETWORKS[network], samples, how, log_every)
        self.network = network

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that must stay the same to resume a folder, by option name."""
        return {"network": self.network, **super().settings}

    def loss(self, found: Tensor, targets: Tensor) -> Tensor:
        """Gets the mean cross entropy in nats: of the softmax over the legal outputs, or for a bidder of winning."""
        if self.network == BIDDER:
            return binary_cross_entropy_with_logits(found, targets)
        return cross_entropy(among_legal(found, targets), (targets == CHOSEN).long().argmax(1))


def among_legal(found: Tensor, targets: Tensor) -> Tensor:
    """Gets the logits with those of illegal outputs at minus infinity."""
    return found.masked_fill(targets == 0, -torch.inf)
