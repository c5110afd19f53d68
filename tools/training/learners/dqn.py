"""
Naive DQN (V. Mnih et al., "Human-level control through deep reinforcement learning", 2015), as the papers compare it.

One network values every move of a list. It learns from a replay; the target network both chooses and values the next
move, as in the first DQN, which is known to overrate.
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import smooth_l1_loss

from ...programs.naive import ABSTRACT_MOVES, WHOLE_MOVES, DqnPlayer
from .games import Choice, Policy, Situation
from .learner import QLearner, targets
from .naive_model import ROW, SHORT_ROW, NaiveModel, rows_of, short_rows_of
from .replay import Batch


class DqnLearner(QLearner):
    """Learns DQN over abstract moves."""

    recipe = DqnPlayer.name
    features = DqnPlayer.features
    architecture = ABSTRACT_MOVES.architecture
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
            return [Choice(offers[row][int(moves[row])], rows[row : row + 1]) for row in range(len(rows))]

        return choose

    def losses(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Gets the loss and the values of the moves that were made."""
        with torch.no_grad():
            best = self.target(batch.followers).amax(1)
        made = torch.from_numpy(batch.decisions["move"].astype(np.int64))
        values = self.net(batch.decisions).gather(1, made[:, None]).squeeze(1)
        return smooth_l1_loss(values, targets(batch, best, self.how.discount)), values


class NaiveDqnLearner(QLearner):
    """
    DQN as the patent has it, over the flat list of whole moves.

    No mask in learning, so that all moves of the list compete for what the next decision is worth; only legal ones are
    made.
    """

    recipe = "dqn-naive"
    features = DqnPlayer.features
    architecture = WHOLE_MOVES.architecture
    row = SHORT_ROW
    net: NaiveModel
    target: NaiveModel

    def build_network(self) -> nn.Module:
        """Builds the network."""
        return NaiveModel(WHOLE_MOVES)

    def policy(self, explored: float, generator: np.random.Generator) -> Policy:
        """Gets the policy that makes a share of its moves at random."""

        def choose(choices: Sequence[Situation]) -> list[Choice]:
            rows, offers = short_rows_of(choices, WHOLE_MOVES)
            with torch.no_grad():
                units = self.net.units(rows)
                for row, unit, offered in zip(rows, units, offers, strict=True):
                    places = list(offered)
                    drawn = generator.random() < explored
                    row["move"] = places[generator.integers(len(places)) if drawn else self._best(unit, places)]
            return [
                Choice(offers[index][int(rows["move"][index])], rows[index : index + 1]) for index in range(len(rows))
            ]

        return choose

    def _best(self, unit: Tensor, places: list[int]) -> int:
        offered = torch.tensor(places)
        return int(torch.addmv(self.net.moves.bias[offered], self.net.moves.weight[offered], unit).argmax())

    def losses(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Gets the loss and the values of the moves that were made."""
        with torch.no_grad():
            best = self.target.moves(self.target.units(batch.followers)).amax(1)
        made = torch.from_numpy(batch.decisions["move"].astype(np.int64))
        of_made, bias = self.net.moves.weight[made], self.net.moves.bias[made]
        values = (self.net.units(batch.decisions) * of_made).sum(1) + bias
        return smooth_l1_loss(values, targets(batch, best, self.how.discount)), values
