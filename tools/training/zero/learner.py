"""How the networks choose in games against themselves, and how they learn from how those ended."""

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

from ddzbot.game import SEATS

from ...opponents.douzero_features import States
from ...opponents.douzero_network import Networks, SeatNet, tensors
from .games import Menu, Places, Samples


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
    at = np.flatnonzero(values == top[owners])
    _, first = np.unique(owners[at], return_index=True)
    return at[first] - starts[:-1]


class Learner:
    """The three networks and their optimizers."""

    def __init__(self, width: int, schedule: Schedule, seed: int) -> None:
        torch.manual_seed(seed)
        torch.set_num_threads(1)  # each call is too small to be shared
        self.schedule = schedule
        self.nets = Networks(width)
        self.averaged = copy.deepcopy(self.nets)
        """What is kept: one state of the networks is better or worse than the next by chance."""
        self._optimizers = [
            torch.optim.RMSprop(
                self.nets.of(seat).parameters(), lr=schedule.rate, alpha=schedule.alpha, eps=schedule.epsilon
            )
            for seat in range(SEATS)
        ]

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
        losses = [self._learn_seat(one, random) for one in samples]
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
        """Gets everything that :meth:`load_state` needs to go on as if nothing had happened."""
        return {
            "nets": self.nets.state_dict(),
            "averaged": self.averaged.state_dict(),
            "optimizers": [optimizer.state_dict() for optimizer in self._optimizers],
        }

    def load_state(self, state: dict[str, Any]) -> None:
        """Goes on from where :meth:`state` was taken."""
        self.nets.load_state_dict(state["nets"])
        self.averaged.load_state_dict(state.get("averaged", state["nets"]))  # states of before there was one
        for optimizer, saved in zip(self._optimizers, state["optimizers"], strict=True):
            optimizer.load_state_dict(saved)


def _step(net: SeatNet, optimizer: torch.optim.Optimizer, samples: Samples, which: Places, clip: float) -> float:
    values = net(*tensors(samples.states.taken(which), samples.moves[which]))
    loss = nn.functional.mse_loss(values, torch.from_numpy(samples.results[which]))
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    nn.utils.clip_grad_norm_(net.parameters(), clip)
    optimizer.step()
    return float(loss.detach())
