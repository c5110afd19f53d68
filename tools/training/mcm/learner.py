"""The training of the network MCM: the mean absolute error of payoffs."""

import torch
from torch import Tensor, nn

from ..learning import SamplesLearner, Settings, predictions
from ..samples import Samples
from ..shards import Array
from .model import McmModel

USUAL = Settings(epochs=3, batch=512)


class McmLearner(SamplesLearner):
    """A training of the network MCM."""

    recipe = "mcm"

    def __init__(self, samples: Samples, how: Settings, log_every: int = 200) -> None:
        super().__init__(McmModel, samples, how, log_every)

    def loss(self, found: Tensor, targets: Tensor) -> Tensor:
        """Gets the mean absolute error in points."""
        return nn.functional.l1_loss(found.flatten(), targets)


def values(model: nn.Module, samples: Samples, numbers: Array, batch: int, device: torch.device) -> Array:
    """Values some samples, in their order."""
    return predictions(model, samples, numbers, batch, device).reshape(-1)
