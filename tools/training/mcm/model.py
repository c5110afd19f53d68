"""The network of MCM in torch; ddzbot/net/mcm_cnn.py describes it, and runs it without torch."""

from typing import cast

from torch import Tensor, nn
from torch.nn.functional import max_pool2d, relu

from ddzbot.net.mcm_features import LAYERS


class McmModel(nn.Module):
    """
    Values records: input (n, 29, 15, 15), cells of 0 and 1 in any dtype; output (n,), the payoff of the move.

    For example ``McmModel()(torch.from_numpy(planes(words, kinds, landlord)))``. It is trained on the mean absolute
    error, as the patent's was.
    """

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(LAYERS, 32, 3, padding=1)
        self.conv2 = nn.Conv2d(32, 64, 3, padding=1)
        self.conv3 = nn.Conv2d(64, 64, 3, padding=1)
        self.conv4 = nn.Conv2d(64, 64, 3, padding=1)
        self.full1 = nn.Linear(64 * 2 * 2, 128)
        self.full2 = nn.Linear(128, 64)
        self.full3 = nn.Linear(64, 1)

    def forward(self, cells: Tensor) -> Tensor:
        """Values each record."""
        hidden = max_pool2d(relu(self.conv1(cells.to(self.conv1.weight.dtype))), 2, ceil_mode=True)
        hidden = max_pool2d(relu(self.conv2(hidden)), 2)
        hidden = relu(self.conv3(hidden))
        hidden = max_pool2d(relu(self.conv4(hidden)), 2)
        hidden = relu(self.full1(hidden.flatten(1)))
        hidden = relu(self.full2(hidden))
        return cast(Tensor, self.full3(hidden)).squeeze(1)
