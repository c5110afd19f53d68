"""What the trainer asks of every learner, and what those that learn from a replay share."""

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from ddzbot.game import SEATS
from ddzbot.kernel.binding import Kernel
from ddzbot.rules import RuleSet

from ...shared.seeds import TRAIN, deal_seed
from .games import Finished, Policy, play_games
from .replay import Batch, Replay


class Figures(NamedTuple):
    """What happened in a round."""

    games: int
    decisions: int
    """Those with more than one legal move."""
    landlord_wins: int
    seconds: float
    """Of a processor."""
    loss: float
    """Its mean over the round's steps; not a number before the first one."""
    value: float
    """The mean size of the values that were learned, without their sign; above 1 no game pays so much."""
    largest: float
    """The largest of them."""


class Learner(ABC):
    """
    A network that learns from games against itself.

    All its randomness follows from the seed and the number of the round, so that a training goes on from a checkpoint
    as if it had never stopped.
    """

    name = ""
    features = ""
    """The name of what its network is shown, for the weights file."""
    architecture = ""
    net: nn.Module

    def __init__(self, kernel: Kernel, rules: RuleSet, seed: int) -> None:
        self.kernel, self.rules, self.seed = kernel, rules, seed
        torch.manual_seed(seed)
        torch.set_num_threads(1)

    @abstractmethod
    def round(self, number: int, games: int) -> Figures:
        """Plays and learns round *number*, counted from 0, after so many *games*."""

    @abstractmethod
    def greedy(self) -> Policy:
        """Gets the policy that is measured and packed: always the best move."""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """Gets everything that :meth:`load_state` needs to go on as if nothing had happened."""

    @abstractmethod
    def load_state(self, state: Mapping[str, Any]) -> None:
        """Goes on from where :meth:`state` was taken."""

    def close(self) -> None:  # noqa: B027 - most have nothing to end
        """Ends whatever runs beside this process."""

    def deals(self, number: int, count: int) -> list[str]:
        """Names the deals of a round of *count* games."""
        return [deal_seed(self.seed, TRAIN, number * count + index) for index in range(count)]

    def generator(self, number: int, *more: int) -> np.random.Generator:
        """Makes the random generator of a round."""
        return np.random.default_rng([self.seed, number, *more])


class QSettings(NamedTuple):
    """How a Q-learner learns."""

    round_games: int = 64
    room: int = 60_000
    """Decisions that the replay keeps."""
    begin: int = 5_000
    """Decisions in the replay before the first step."""
    batch: int = 128
    repeats: float = 4.0
    """How often a decision is learned from, on average."""
    rate: float = 5e-4
    discount: float = 0.99
    """Per own decision."""
    target_steps: int = 400
    """Steps after which the target network becomes a copy of the learning one."""
    explored: float = 0.5
    """The share of random choices at first."""
    explored_last: float = 0.05
    explored_games: int = 10_000
    """Games until the share of random choices has come down to the last one."""

    def explored_after(self, games: int) -> float:
        """Gets the share of random choices after so many games."""
        left = max(0.0, 1 - games / self.explored_games)
        return self.explored_last + (self.explored - self.explored_last) * left


class QLearner(Learner):
    """Q-learning from a replay with a target network (V. Mnih et al., 2015), in rounds of games against itself."""

    settings = QSettings()

    def __init__(self, kernel: Kernel, rules: RuleSet, seed: int, kind: np.dtype[np.void]) -> None:
        super().__init__(kernel, rules, seed)
        self.net, self.target = self.made(), self.made()
        self.target.load_state_dict(self.net.state_dict())
        self.replay = Replay(kind, self.settings.room)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=self.settings.rate)
        self.steps = 0

    @abstractmethod
    def made(self) -> nn.Module:
        """Makes the network."""

    @abstractmethod
    def policy(self, explored: float, generator: np.random.Generator) -> Policy:
        """Gets the policy that makes a share of random choices, and keeps a row of the replay for each decision."""

    @abstractmethod
    def losses(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Gets the loss of a batch, and the values that were compared with their targets."""

    def round(self, number: int, games: int) -> Figures:
        """Plays a round of games, and learns from the replay as often as the settings say."""
        began = time.process_time()
        generator = self.generator(number)
        policy = self.policy(self.settings.explored_after(games), generator)
        deals = self.deals(number, self.settings.round_games)
        played = play_games(self.kernel, self.rules, deals, [policy] * SEATS)
        decisions = self._remember(played)
        figures = self._learn(round(decisions * self.settings.repeats / self.settings.batch), generator)
        wins = sum(game.winner == 0 for game in played)
        return Figures(len(played), decisions, wins, time.process_time() - began, *figures)

    def _remember(self, played: list[Finished]) -> int:
        decisions = 0
        for game in played:
            for seat, rows in enumerate(game.kept):
                if rows:
                    self.replay.add(np.concatenate(rows), game.reward(seat))
                    decisions += len(rows)
        return decisions

    def _learn(self, steps: int, generator: np.random.Generator) -> tuple[float, float, float]:
        if len(self.replay) < self.settings.begin:
            return float("nan"), float("nan"), float("nan")
        losses, values, largest = [], [], 0.0
        for _ in range(steps):
            if self.steps % self.settings.target_steps == 0:
                self.target.load_state_dict(self.net.state_dict())
            loss, learned = self.losses(self.replay.draw(self.settings.batch, generator))
            self.optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            self.optimizer.step()
            self.steps += 1
            sizes = learned.detach().abs()
            losses.append(float(loss.detach()))
            values.append(float(sizes.mean()))
            largest = max(largest, float(sizes.max()))
        return float(np.mean(losses)), float(np.mean(values)), largest

    def greedy(self) -> Policy:
        """Gets the policy without random choices."""
        return self.policy(0.0, np.random.default_rng(0))

    def state(self) -> dict[str, Any]:
        """Gets networks, optimizer and replay."""
        return {
            "net": self.net.state_dict(),
            "target": self.target.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "steps": self.steps,
            "replay": self.replay.state(),
        }

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Takes them back."""
        self.net.load_state_dict(state["net"])
        self.target.load_state_dict(state["target"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.steps = state["steps"]
        self.replay.load_state(state["replay"])


def targets(batch: Batch, best: Tensor, discount: float) -> Tensor:
    """Gets what decisions are worth by what followed them: the reward, or the discounted value of the next decision."""
    ended = torch.from_numpy(batch.ended)
    return torch.from_numpy(batch.rewards) + discount * torch.where(ended, torch.zeros_like(best), best)


def integers(values: Any) -> Tensor:
    """Gets an index tensor."""
    return torch.from_numpy(np.ascontiguousarray(values, np.int64))
