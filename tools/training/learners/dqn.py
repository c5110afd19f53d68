"""
Naive DQN (V. Mnih et al., "Human-level control through deep reinforcement learning", 2015), as the papers compare it.

One network values every abstract move of a situation. It learns from a replay; the target network both chooses and
values the next move, as in the first DQN, which is known to overrate.
"""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import smooth_l1_loss

from ...opponents.naive import ARCHITECTURE, DqnPlayer
from .games import Choice, Policy, Situation
from .learner import QLearner, targets
from .naive_model import ROW, NaiveModel, rows_of
from .replay import Batch


class DqnLearner(QLearner):
    """Learns DQN."""

    recipe = DqnPlayer.name
    features = DqnPlayer.features
    architecture = ARCHITECTURE
    row = ROW
    net: NaiveModel
    target: NaiveModel

    def build_network(self) -> nn.Module:
        """Builds the network."""
        return NaiveModel()

    def policy(self, explored: float, generator: np.random.Generator) -> Policy:
        """Gets the policy that makes a share of its moves at random."""

        def choose(choices: Sequence[Situation]) -> list[Choice]:
            rows, offers = rows_of(choices)
            with torch.no_grad():
                moves = self.net(rows).argmax(1).numpy()
            if explored:
                drawn = np.where(rows["legal"], generator.random(rows["legal"].shape), -1.0)
                moves = np.where(generator.random(len(rows)) < explored, drawn.argmax(1), moves)
            rows["move"] = moves
            return [Choice(offers[at][int(moves[at])], rows[at : at + 1]) for at in range(len(rows))]

        return choose

    def losses(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Gets the loss and the values of the moves that were made."""
        with torch.no_grad():
            best = self.followed(batch.followers).amax(1)
        made = torch.from_numpy(batch.decisions["move"].astype(np.int64))
        values = self.net(batch.decisions).gather(1, made[:, None]).squeeze(1)
        return smooth_l1_loss(values, targets(batch, best, self.how.discount)), values

    def followed(self, followers: NDArray[np.void]) -> Tensor:
        """Gets the values that compete for what the next decision is worth."""
        return self.target(followers)  # type: ignore[no-any-return]


class NaiveDqnLearner(DqnLearner):
    """DQN as the patent has it: no mask in learning, so that illegal moves compete for what the next one is worth."""

    recipe = "dqn-naive"

    def followed(self, followers: NDArray[np.void]) -> Tensor:
        """Gets the values of all moves."""
        return self.target.moves(self.target.units(followers))  # type: ignore[no-any-return]
