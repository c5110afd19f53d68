"""How policy and kicker network learn: the cross entropy of the teacher's choice among what was legal."""

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from ..shared.learning import Training as SharedTraining
from .dataset import CHOSEN

FORMAT = "ddzbot-rocket-training/1"


class Training(SharedTraining):
    """A training of the policy or the kicker network."""

    file_format = FORMAT

    def loss(self, found: Tensor, targets: Tensor) -> Tensor:
        """Gets the mean cross entropy of the softmax over the legal outputs, in nats."""
        return cross_entropy(among_legal(found, targets), (targets == CHOSEN).long().argmax(1))


def among_legal(found: Tensor, targets: Tensor) -> Tensor:
    """Gets the logits with those of illegal outputs at minus infinity."""
    return found.masked_fill(targets == 0, -torch.inf)
