"""How the network MCM learns: the mean absolute error of payoffs."""

import torch
from torch import Tensor, nn

from ..shared.learning import Records, predictions
from ..shared.learning import Training as SharedTraining
from ..shared.shard_files import Array

FORMAT = "ddzbot-mcm-training/1"


class Training(SharedTraining):
    """A training of the network MCM."""

    file_format = FORMAT

    def loss(self, found: Tensor, targets: Tensor) -> Tensor:
        """Gets the mean absolute error in points."""
        return nn.functional.l1_loss(found.flatten(), targets)


def values(model: nn.Module, records: Records, numbers: Array, batch: int, device: torch.device) -> Array:
    """Values some records, in their order."""
    return predictions(model, records, numbers, batch, device).reshape(-1)
