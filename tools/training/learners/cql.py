"""
Combinational Q-learning (Y. You, L. Li, B. Guo, W. Wang, C. Lu, "Combinatorial Q-Learning for Dou Di Zhu", 2020).

A decision has two steps: first a division of the hand, then a move of that division. Both are learned as one chain, in
which the first step is paid nothing and costs no discount: a division is worth its best move, and a move what the game
pays or what the next decision of the same seat is worth. The learning network chooses and the target network values
(H. van Hasselt, 2016).
"""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import smooth_l1_loss

from ddzbot.cards import Hand
from ddzbot.net.cql_divisions import MOST_DIVISIONS, Assembled, Offer, offer
from ddzbot.net.cql_features import NAME, facts_of
from ddzbot.net.cql_layers import ARCHITECTURE
from ddzbot.rules import Move

from .cql_model import ROW, CqlModel, Indices, choices_of, chosen, rows_of, unpacked
from .games import Choice, Policy, Situation
from .learner import QLearner, targets
from .replay import Batch


class CqlLearner(QLearner):
    """Learns CQL."""

    recipe = "cql"
    features = NAME
    architecture = ARCHITECTURE
    row = ROW
    net: CqlModel
    target: CqlModel

    def build_network(self) -> nn.Module:
        """Builds the network."""
        return CqlModel()

    def policy(self, explored: float, generator: np.random.Generator) -> Policy:
        """Gets the policy that draws a share of the divisions, and of the moves, at random."""

        def choose(choices: Sequence[Situation]) -> list[Choice]:
            offers = [self.offered(choice, generator) for choice in choices]
            rows = rows_of([facts_of(choice.view) for choice in choices], offers)
            division, move = self.net.best(rows)
            if explored:
                division, move = self._explored(rows, division, move, explored, generator)
            rows["division"], rows["move"] = division, move
            return [
                Choice(offered.moves[int(move[index])], rows[index : index + 1]) for index, offered in enumerate(offers)
            ]

        return choose

    def offered(self, choice: Situation, generator: np.random.Generator) -> Offer:
        """Gets what a decision chooses from."""
        return offer(self.rules, choice.view.hand, choice.view.to_beat, choice.legal)

    def _explored(
        self,
        rows: NDArray[np.void],
        division: Indices,
        move: Indices,
        explored: float,
        generator: np.random.Generator,
    ) -> tuple[Indices, Indices]:
        """Replaces a share of the divisions, and their moves along, and then a share of the moves."""
        drawn = generator.random((3, len(rows)))
        explored_division = np.where(drawn[0] < explored, (drawn[1] * rows["count"]).astype(np.int64), division)
        move = np.where(explored_division == division, move, self.net.best_moves(rows, explored_division))
        return explored_division, _some_moves(rows, explored_division, move, drawn[2] < explored, generator)

    def losses(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Gets the loss of both steps, and the values of the moves."""
        rows, followers = batch.decisions, batch.followers
        division, move = rows["division"].astype(np.int64), rows["move"].astype(np.int64)
        with torch.no_grad():
            after = self.target.chosen_values(followers, *self.net.best(followers))[1]
            within = self.target.chosen_values(rows, division, self.net.best_moves(rows, division))[1]
        of_division, of_move = self.net.chosen_values(rows, division, move)
        returns = targets(batch, after, self.how.discount)
        return smooth_l1_loss(of_move, returns) + smooth_l1_loss(of_division, within), of_move


class CoversLearner(CqlLearner):
    """Learns CQL as the paper describes it: what is offered are exact covers of the hand, drawn at random."""

    recipe = "cql-covers"

    def offered(self, choice: Situation, generator: np.random.Generator) -> Offer:
        """Draws covers, of which some may be the same; no legal move is sure to be in one, but the pass."""
        drawn = Assembled(choice.view.to_beat is not None)
        for _ in range(MOST_DIVISIONS):
            drawn.add(self._cover(choice.view.hand, generator))
        return drawn.offer({move.cards for move in choice.legal if not move.is_pass})

    def _cover(self, hand: Hand, generator: np.random.Generator) -> list[Move]:
        """Draws one: a lead with the lowest card, and so on with what is left."""
        cover: list[Move] = []
        while hand:
            lowest = next(15 << 4 * rank for rank in range(15) if hand >> 4 * rank & 15)
            leads = [move for move in self.kernel.legal_moves(self.rules, hand) if move.cards & lowest]
            cover.append(leads[generator.integers(len(leads))])
            hand -= cover[-1].cards
        return cover


def _some_moves(
    rows: NDArray[np.void], division: Indices, move: Indices, which: NDArray[np.bool_], generator: np.random.Generator
) -> Indices:
    """Replaces *which* of the moves by any of their division."""
    allowed = unpacked(choices_of(rows, chosen(rows, division)))
    drawn = generator.random(allowed.shape)
    return np.where(which, np.where(allowed, drawn, -1.0).argmax(1), move)
