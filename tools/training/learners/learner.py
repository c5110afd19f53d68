"""The base classes of the learners by self-play, and of those with a replay memory."""

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from ddzbot.game import SEATS
from ddzbot.kernel.binding import Kernel
from ddzbot.players.registry import make_player
from ddzbot.rules import RuleSet

from ...shared.seeds import GATE, TRAIN, deal_seed
from .. import loop
from ..figures import LogLine
from .games import Finished, Policy, play_games, policy_of
from .replay import Batch, Replay

ROW_GAMES = 1024
"""Games from one row of the log to the next."""


class Figures(NamedTuple):
    """The figures of a round."""

    games: int
    decisions: int
    """Those with more than one legal move."""
    landlord_wins: int
    loss: float
    """Its mean over the round's steps; not a number before the first one."""
    value: float
    """The mean size of the values that were learned, without their sign; above 1 no game pays so much."""
    largest: float
    """The largest of them."""


def row_of(since: Sequence[Figures]) -> LogLine:
    """Sums rounds up; None is what there was not."""
    return {
        "decisions": sum(part.decisions for part in since),
        "loss": _mean([part.loss for part in since]),
        "value": _mean([part.value for part in since]),
        "largest": max((part.largest for part in since if not math.isnan(part.largest)), default=None),
        "landlord_wins": round(sum(part.landlord_wins for part in since) / sum(part.games for part in since), 4),
    }


def _mean(values: Sequence[float]) -> float | None:
    measured = [loss for loss in values if not math.isnan(loss)]
    return round(sum(measured) / len(measured), 6) if measured else None


class RlLearner(loop.Learner):
    """A network that learns from games against itself; its randomness follows from the seed and the round's number."""

    figures = ("decisions", "loss", "value", "largest", "landlord_wins", "wp_rule", "wp_rhcp")
    features = ""
    """The name of what its network is shown, for the weights file."""
    architecture = ""
    net: nn.Module

    def __init__(self, kernel: Kernel, rules: RuleSet, seed: int, deals: int = 200, every: int = 4) -> None:
        self.kernel, self.rules, self.seed = kernel, rules, seed
        self.measured_deals, self.every = deals, every
        """Games of one measurement, and rows of the log from one to the next."""
        self.rounds = 0
        self._since: list[Figures] = []
        """The rounds since the last row of the log."""
        torch.manual_seed(seed)
        torch.set_num_threads(1)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that must stay the same to resume a folder, by option name."""
        return {
            "architecture": self.architecture,
            "features": self.features,
            "rules": self.rules.name,
            "seed": self.seed,
        }

    @abstractmethod
    def played(self, number: int, games: int) -> Figures:
        """Plays and learns round *number*, counted from 0, after so many *games*."""

    @abstractmethod
    def greedy(self) -> Policy:
        """Gets the policy that is measured and packed: always the best move."""

    @abstractmethod
    def learned(self) -> dict[str, Any]:
        """Gets what was learned, ``net`` and what else there is."""

    @abstractmethod
    def learn_again(self, learned: Mapping[str, Any]) -> None:
        """Takes it back."""

    def round(self) -> LogLine | None:
        """Plays and learns a round; some of them together make a row."""
        figures = self.played(self.rounds, self.done)
        self.rounds += 1
        self.done += figures.games
        self._since.append(figures)
        if sum(earlier.games for earlier in self._since) < ROW_GAMES:
            return None
        row = row_of(self._since)
        self._since = []
        return row

    def measured(self, row: int) -> LogLine:
        """Measures the landlord against two peasants now and then, on deals of ``gate/``."""
        if row % self.every:
            return {}
        return {f"wp_{opponent}": self.won_against(opponent) for opponent in ("rule", "rhcp")}

    def won_against(self, peasants: str) -> float:
        """Gets the share of games that the landlord wins against two such *peasants*."""
        policies = [self.greedy(), *[policy_of(make_player(peasants))] * 2]
        deals = [deal_seed(1, GATE, index) for index in range(self.measured_deals)]
        played = play_games(self.kernel, self.rules, deals, policies)
        return sum(game.winner == 0 for game in played) / len(played)

    def state(self) -> dict[str, Any]:
        """Gets what was learned, and where the log stands."""
        return {**self.learned(), "rounds": self.rounds, "since": [tuple(figures) for figures in self._since]}

    def load(self, state: Mapping[str, Any]) -> None:
        """Resumes from a checkpoint."""
        learned = state["learner"]
        self.rounds, self._since = learned["rounds"], [Figures(*figures) for figures in learned["since"]]
        self.learn_again(learned)

    def deals(self, number: int, count: int) -> list[str]:
        """Names the deals of a round of *count* games."""
        return [deal_seed(self.seed, TRAIN, number * count + index) for index in range(count)]

    def generator(self, number: int, *more: int) -> np.random.Generator:
        """Makes the random generator of a round."""
        return np.random.default_rng([self.seed, number, *more])


class QSettings(NamedTuple):
    """The settings of a Q-learner."""

    round_games: int = 64
    room: int = 60_000
    """Decisions that the replay keeps."""
    begin: int = 5_000
    """Decisions in the replay before the first step."""
    batch: int = 128
    repeats: float = 4.0
    """The mean number of times that a decision is learned from."""
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


class QLearner(RlLearner):
    """Q-learning from a replay with a target network (V. Mnih et al., 2015), in rounds of games against itself."""

    how = QSettings()

    row: "np.dtype[np.void]"
    """A decision as the replay keeps it."""

    def __init__(self, kernel: Kernel, rules: RuleSet, seed: int, deals: int = 200, every: int = 4) -> None:
        super().__init__(kernel, rules, seed, deals, every)
        self.net, self.target = self.build_network(), self.build_network()
        self.target.load_state_dict(self.net.state_dict())
        self.replay = Replay(self.row, self.how.room)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=self.how.rate)
        self.steps = 0

    @abstractmethod
    def build_network(self) -> nn.Module:
        """Builds the network."""

    @abstractmethod
    def policy(self, explored: float, generator: np.random.Generator) -> Policy:
        """Gets the policy that makes a share of random choices, and keeps a row of the replay for each decision."""

    @abstractmethod
    def losses(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Gets the loss of a batch, and the values that were compared with their targets."""

    def played(self, number: int, games: int) -> Figures:
        """Plays a round of games, and learns from the replay as often as the settings say."""
        generator = self.generator(number)
        policy = self.policy(self.how.explored_after(games), generator)
        deals = self.deals(number, self.how.round_games)
        played = play_games(self.kernel, self.rules, deals, [policy] * SEATS)
        decisions = self._remember(played)
        figures = self._learn(round(decisions * self.how.repeats / self.how.batch), generator)
        wins = sum(game.winner == 0 for game in played)
        return Figures(len(played), decisions, wins, *figures)

    def _remember(self, played: list[Finished]) -> int:
        decisions = 0
        for game in played:
            for seat, rows in enumerate(game.kept):
                if rows:
                    self.replay.add(np.concatenate(rows), game.reward(seat))
                    decisions += len(rows)
        return decisions

    def _learn(self, steps: int, generator: np.random.Generator) -> tuple[float, float, float]:
        if len(self.replay) < self.how.begin:
            return float("nan"), float("nan"), float("nan")
        losses, values, largest = [], [], 0.0
        for _ in range(steps):
            if self.steps % self.how.target_steps == 0:
                self.target.load_state_dict(self.net.state_dict())
            loss, learned = self.losses(self.replay.draw(self.how.batch, generator))
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

    def learned(self) -> dict[str, Any]:
        """Gets networks, optimizer and replay."""
        return {
            "net": self.net.state_dict(),
            "target": self.target.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "steps": self.steps,
            "replay": self.replay.state(),
        }

    def learn_again(self, learned: Mapping[str, Any]) -> None:
        """Takes them back."""
        self.net.load_state_dict(learned["net"])
        self.target.load_state_dict(learned["target"])
        self.optimizer.load_state_dict(learned["optimizer"])
        self.steps = learned["steps"]
        self.replay.load_state(learned["replay"])


def targets(batch: Batch, best: Tensor, discount: float) -> Tensor:
    """Gets what decisions are worth by what followed them: the reward, or the discounted value of the next decision."""
    ended = torch.from_numpy(batch.ended)
    return torch.from_numpy(batch.rewards) + discount * torch.where(ended, torch.zeros_like(best), best)
