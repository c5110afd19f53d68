"""Learning from finished games: by Monte Carlo (D. Zha et al., "DouZero", ICML 2021), with the traces of games.py."""

import copy
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ddzbot.game import SEATS
from ddzbot.kernel.fast_net import AVX2, PORTABLE, codes_of
from ddzbot.kernel.library import Library

from .games import Samples
from .network import ChampionNet, RowSource


@dataclass(frozen=True)
class Schedule:
    """How fast is learned. The rate falls with the square root of the games, so that a run can always go on."""

    rate: float = 1e-3
    constant_games: int = 2_000_000
    """Games before the rate begins to fall."""
    batch: int = 1024
    averaged_share: float = 0.1
    """
    Of the steps so far, about how many the averaged network reaches back, which is the one that is packed (O. Shamir,
    T. Zhang, "Stochastic Gradient Descent for Non-smooth Optimization", 2013: polynomial-decay averaging).
    """
    score_share: float = 0.8
    """What the loss of the score counts beside that of winning."""
    score_reach: float = 8.0
    """Up to so many points an error is squared, so that the score is a mean; beyond it counts in proportion."""

    def rate_after(self, games: int) -> float:
        """Gets the rate after so many games."""
        return float(self.rate * min(1.0, (self.constant_games / max(games, 1)) ** 0.5))

    def kept_after(self, steps: int) -> float:
        """Gets what a step keeps of the averaged network after so many steps."""
        return 1 - 1 / (1 + self.averaged_share * steps)


class Learner:
    """The three networks, their averages and their optimizers."""

    def __init__(self, library: Library, schedule: Schedule, seed: int, units: int) -> None:
        torch.manual_seed(seed)
        torch.set_num_threads(1)  # the seats learn side by side instead
        self.schedule = schedule
        self.net = ChampionNet(units)
        self.averaged = copy.deepcopy(self.net)
        self._source = RowSource(library, AVX2 if AVX2 in codes_of(library) else PORTABLE)
        self._optimizers = [
            torch.optim.Adam(seat.parameters(), lr=schedule.rate, fused=True) for seat in self.net.seats
        ]

    def learn(self, samples: list[Samples], games: int, seed: int) -> list[float]:
        """
        Learns each sample once, and returns the loss of winning by seat.

        *games* were played before; *seed* orders the samples. Each seat learns in a thread of its own: on two cores a
        third that waits for its turn would leave one of them idle.
        """
        with ThreadPoolExecutor(SEATS) as pool:
            return list(pool.map(lambda seat: self._learn_seat(seat, samples[seat], games, seed), range(SEATS)))

    def _learn_seat(self, seat: int, samples: Samples, games: int, seed: int) -> float:
        optimizer, net, averaged = self._optimizers[seat], self.net.seats[seat], self.averaged.seats[seat]
        for group in optimizer.param_groups:
            group["lr"] = self.schedule.rate_after(games)
        order = np.random.default_rng([seed, seat]).permutation(len(samples.ends)).astype(np.uint32)
        results = torch.from_numpy(samples.results)
        losses: list[float] = []
        steps = _steps_of(optimizer)
        for begin in range(0, len(order) - self.schedule.batch + 1, self.schedule.batch):
            which = order[begin : begin + self.schedule.batch]
            heads = net(self._source, samples, which)
            found = results[torch.from_numpy(which.astype(np.int64))]
            win_loss, loss = _losses(heads, found, self.schedule)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            _average(averaged, net, self.schedule.kept_after(steps + len(losses)))
            losses.append(win_loss)
        return float(np.mean(losses)) if losses else float("nan")

    def state(self) -> dict[str, Any]:
        """Gets everything that :meth:`load_state` needs to go on as if nothing had happened."""
        return {
            "net": self.net.state_dict(),
            "averaged": self.averaged.state_dict(),
            "optimizers": [optimizer.state_dict() for optimizer in self._optimizers],
        }

    def load_state(self, state: dict[str, Any]) -> None:
        """Goes on from where :meth:`state` was taken."""
        self.net.load_state_dict(state["net"])
        self.averaged.load_state_dict(state["averaged"])
        for optimizer, saved in zip(self._optimizers, state["optimizers"], strict=True):
            optimizer.load_state_dict(saved)


def _losses(heads: Tensor, results: Tensor, schedule: Schedule) -> tuple[float, Tensor]:
    win = functional.binary_cross_entropy_with_logits(heads[:, 0], results[:, 0])
    score = functional.smooth_l1_loss(heads[:, 1], results[:, 1], beta=schedule.score_reach)
    return float(win.detach()), win + schedule.score_share * score


def _steps_of(optimizer: torch.optim.Optimizer) -> int:
    return max((int(entry["step"]) for entry in optimizer.state.values()), default=0)


def _average(averaged: nn.Module, net: nn.Module, kept: float) -> None:
    with torch.no_grad():
        for old, new in zip(averaged.parameters(), net.parameters(), strict=True):
            old.lerp_(new, 1 - kept)
