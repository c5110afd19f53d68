"""
The networks' choices in games against themselves, and their learning from the results.

One thread plays and learns. After as many games from one seed the networks are the same, bit by bit.
"""

import copy
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ddzbot.game import SEATS
from ddzbot.kernel.binding import Kernel
from ddzbot.rules import RuleSet

from ...programs import douzero_weights
from ...programs.douzero_features import States
from ...programs.douzero_network import Networks, SeatNet, tensors
from ...shared.json_text import json_text
from .. import loop
from ..figures import LogLine
from .games import Ended, Games, Lister, Menu, Places, Samples, deals

ROUND_GAMES = 512
"""Games that are played side by side, and learned from after."""
OBJECTIVES = ("wp", "adp")
"""The objectives: winning, or points that every bomb doubles."""


@dataclass(frozen=True)
class Schedule:
    """
    How it learns: RMSprop with the published numbers, but in smaller steps of a higher rate that falls.

    The source takes 3,200 samples a step at a rate of 0.0001, for days on several GPUs; here there are hours.
    """

    rate: float = 5e-4
    """At first."""
    constant_games: int = 100_000
    """After so many games the rate falls as one over their square root."""
    batch: int = 256
    explore: float = 0.01
    """The share of decisions in which any legal move is made."""
    alpha: float = 0.99
    epsilon: float = 1e-5
    clip: float = 40.0
    """The longest gradient."""
    averaged_share: float = 0.1
    """The networks that are kept are an average over about this share of the rounds, the latest ones."""

    def rate_after(self, games: int) -> float:
        """Gets the rate after so many games."""
        return float(self.rate * min(1.0, (self.constant_games / max(games, 1)) ** 0.5))


class EpsilonGreedy:
    """Chooses what the networks value most, and now and then anything."""

    def __init__(self, nets: Networks, explore: float, random: np.random.Generator) -> None:
        self._nets, self._explore, self._random = nets, explore, random

    def __call__(self, states: States, menu: Menu) -> Places:
        """Gets the place of the move that is made in the list of each state."""
        choices = np.diff(menu.starts)
        owners = np.repeat(np.arange(len(choices)), choices)
        values = self._nets.of(states.seat).values(states, menu.cards, owners).numpy()
        best = highest(values, menu.starts, owners)
        drawn = (self._random.random(len(choices)) * choices).astype(np.intp)
        return np.where(self._random.random(len(choices)) < self._explore, drawn, best)


def highest(values: np.ndarray[Any, np.dtype[np.float32]], starts: Places, owners: Places) -> Places:
    """Gets the place of the first highest value in each list."""
    top = np.maximum.reduceat(values, starts[:-1])
    places = np.flatnonzero(values == top[owners])
    _, firsts = np.unique(owners[places], return_index=True)
    return places[firsts] - starts[:-1]


def results(winners: NDArray[np.uint8], bombs: NDArray[np.uint8], objective: str) -> NDArray[np.float32]:
    """Gets [games], what the landlord has of each: 1 or -1, and for points twice as much with every bomb."""
    won = np.where(winners == 0, 1.0, -1.0)
    return (won * 2.0**bombs if objective == "adp" else won).astype(np.float32)


def _round_seed(root: int, number: int) -> int:
    return int.from_bytes(sha256(f"train/{root}/zero/{number:06d}".encode()).digest()[:8], "big")


class ZeroLearner(loop.Learner):
    """The three networks and their optimizers."""

    recipe = "zero"
    figures = ("rate", "landlord_wins", "plies", "decisions", "loss_0", "loss_1", "loss_2")

    def __init__(
        self, kernel: Kernel, rules: RuleSet, width: int, objective: str, schedule: Schedule, seed: int
    ) -> None:
        torch.manual_seed(seed)
        torch.set_num_threads(1)  # each call is too small to be shared
        self.rules, self.width, self.objective, self.seed, self.schedule = rules, width, objective, seed, schedule
        self._lister = Lister(kernel, rules)
        self.nets = Networks(width)
        self.averaged = copy.deepcopy(self.nets)
        """The average that is saved: single states of the networks are better or worse by chance."""
        self._optimizers = [
            torch.optim.RMSprop(
                self.nets.of(seat).parameters(), lr=schedule.rate, alpha=schedule.alpha, eps=schedule.epsilon
            )
            for seat in range(SEATS)
        ]

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that must stay the same to resume a folder, by option name."""
        return {"rules": self.rules.name, "width": self.width, "objective": self.objective, "seed": self.seed}

    def round(self) -> LogLine:
        """Plays a round of games and learns from it."""
        round_number = self.done // ROUND_GAMES
        random = np.random.default_rng(_round_seed(self.seed, round_number))
        rate = self.set_rate(self.done)
        games = Games(self.rules, self._lister, deals(self.rules, ROUND_GAMES, random))
        games.play(EpsilonGreedy(self.nets, self.schedule.explore, random))
        ended = games.ended(results(games.winners, games.bombs, self.objective))
        losses = self.learn(ended.samples, random, round_number)
        self.done += ROUND_GAMES
        return self._row(rate, ended, losses)

    def _row(self, rate: float, ended: Ended, losses: list[float]) -> LogLine:
        numbers = (
            *(f"{rate:.3g}", round(ended.landlord_wins / ROUND_GAMES, 4), round(ended.plies / ROUND_GAMES, 2)),
            *(ended.decisions, *(round(loss, 5) for loss in losses)),
        )
        return dict(zip(self.figures, numbers, strict=True))

    def keep(self, folder: Path, about: dict[str, Any]) -> None:
        """Keeps the averaged networks of this moment, packed, under the number of their games; the log has the time."""
        description = {**about, **asdict(self.schedule)}
        douzero_weights.write(folder / f"net-{self.done:09d}.npz", self.averaged, json_text(description))

    def set_rate(self, games: int) -> float:
        """Sets the learning rate to that after so many games, and returns it."""
        rate = self.schedule.rate_after(games)
        for optimizer in self._optimizers:
            for group in optimizer.param_groups:
                group["lr"] = rate
        return rate

    def learn(self, samples: list[Samples], random: np.random.Generator, rounds: int = 0) -> list[float]:
        """
        Learns each sample once, in an order of *random*, and returns the mean squared error by seat.

        *rounds* were learned from before; the average takes that much less of this one.
        """
        losses = [self._learn_seat(seat, random) for seat in samples]
        with torch.no_grad():
            for old, new in zip(self.averaged.parameters(), self.nets.parameters(), strict=True):
                old.lerp_(new, 1 / (1 + self.schedule.averaged_share * rounds))
        return losses

    def _learn_seat(self, samples: Samples, random: np.random.Generator) -> float:
        net, optimizer = self.nets.of(samples.states.seat), self._optimizers[samples.states.seat]
        order = random.permutation(len(samples.moves))
        batches = np.array_split(order, max(1, round(len(order) / self.schedule.batch)))
        return float(np.mean([_step(net, optimizer, samples, which, self.schedule.clip) for which in batches]))

    def state(self) -> dict[str, Any]:
        """Gets everything that :meth:`load` needs to resume with the same results."""
        return {
            "nets": self.nets.state_dict(),
            "averaged": self.averaged.state_dict(),
            "optimizers": [optimizer.state_dict() for optimizer in self._optimizers],
        }

    def load(self, state: Mapping[str, Any]) -> None:
        """Resumes from a checkpoint."""
        learned = state["learner"]
        self.nets.load_state_dict(learned["nets"])
        self.averaged.load_state_dict(learned["averaged"])
        for optimizer, saved in zip(self._optimizers, learned["optimizers"], strict=True):
            optimizer.load_state_dict(saved)


def _step(net: SeatNet, optimizer: torch.optim.Optimizer, samples: Samples, which: Places, clip: float) -> float:
    values = net(*tensors(samples.states.taken(which), samples.moves[which]))
    loss = nn.functional.mse_loss(values, torch.from_numpy(samples.results[which]))
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    nn.utils.clip_grad_norm_(net.parameters(), clip)
    optimizer.step()
    return float(loss.detach())
