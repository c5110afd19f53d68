"""
The champion's network learns from games against itself: by Monte Carlo (D. Zha et al., "DouZero", ICML 2021), with the
traces of games.py.
"""

import copy
import math
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ddzbot.game import SEATS
from ddzbot.kernel.bid_net import KernelBidNet
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.fast_net import AVX2, PORTABLE, FastNet, codes_of
from ddzbot.net.fast_net import architecture_of
from ddzbot.rules import RuleSet

from ...shared.interrupts import StoppedError
from .. import loop
from ..figures import LogLine
from .games import Exploration, Samples, Totals, play_units, sum_of, unit_seed
from .league import League
from .network import ChampionNet, RowSource
from .pack import read_origin, write_net

UNITS = 256
"""Default number of units of the first layer."""
UNIT_GAMES = 1024
"""Games of one unit of work."""
ROUND_UNITS = 16
"""Units that are played with one state of the network, and learned from after."""
OBJECTIVES = ("wp", "adp")
"""The criteria that can decide a move: the probability of winning, or the expected points."""


@dataclass(frozen=True)
class Schedule:
    """The learning rates. The rate falls with the square root of the games, so that a run can always be continued."""

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
    """The weight of the loss of the score beside that of winning."""
    score_reach: float = 8.0
    """Up to so many points an error is squared, so that the score is a mean; beyond it counts in proportion."""

    def rate_after(self, games: int) -> float:
        """Gets the rate after so many games."""
        return float(self.rate * min(1.0, (self.constant_games / max(games, 1)) ** 0.5))

    def kept_after(self, steps: int) -> float:
        """Gets what a step keeps of the averaged network after so many steps."""
        return 1 - 1 / (1 + self.averaged_share * steps)


def settings_for(objective: str) -> tuple[Exploration, Schedule]:
    """Gets the settings of the games and of learning for ``wp`` or ``adp``."""
    if objective == "adp":
        # Bombs double again and again: a mean that cuts off what is rare and large would be no mean.
        return Exploration(near=0.3, by_score=True), Schedule(score_share=12.0, score_reach=100.0)
    return Exploration(), Schedule()


class Part(NamedTuple):
    """The games and losses between two states of the network."""

    totals: Totals
    playing: float
    """Seconds by the clock, as those of learning."""
    learning: float
    losses: list[float]
    """Of winning, by seat."""


class ChampionLearner(loop.Learner):
    """The three networks, their averages and their optimizers."""

    recipe = "champion"
    figures = ("playing", "learning", "rate", "landlord_wins", "plies", "loss_0", "loss_1", "loss_2")

    def __init__(
        self,
        kernel: Kernel,
        rules: RuleSet,
        seed: int,
        workers: int = 1,
        objective: str = "wp",
        bids: KernelBidNet | None = None,
        units: int = UNITS,
        league: League | None = None,
        shards: int = 1,
    ) -> None:
        torch.manual_seed(seed)
        torch.set_num_threads(1)  # the seats learn side by side instead
        self.kernel, self.rules, self.seed, self.workers = kernel, rules, seed, workers
        self.objective, self.bids = objective, bids
        self.league, self.shards = league or League(), shards
        self.exploration, schedule = settings_for(objective)
        self.schedule = schedule
        self.rate_games = 0
        """Games that count for the learning rate beside those of this training: its first network's own."""
        self.origin: dict[str, Any] | None = None
        """The rules and games of the network that this training began with; None for one from the beginning."""
        self.net = ChampionNet(units)
        self.averaged = copy.deepcopy(self.net)
        library = kernel.library
        self._source = RowSource(library, AVX2 if AVX2 in codes_of(library) else PORTABLE)
        self._optimizers = [
            torch.optim.Adam(seat.parameters(), lr=schedule.rate, fused=True) for seat in self.net.seats
        ]

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that must stay the same to resume a folder, by option name."""
        return {
            "seed": self.seed,
            "rules": self.rules.name,
            "objective": self.objective,
            "auction": self.bids is not None,
            "units": self.net.units,
            "rivals": list(self.league.names),
            "share": self.league.share,
            "shards": self.shards,
        }

    def about(self) -> dict[str, Any]:
        """Gets the settings, and what the training began with."""
        architecture = architecture_of(self.net.units)
        return {**self.settings, "architecture": architecture, "origin": self.origin, "rate_games": self.rate_games}

    def begin_with(self, source: Path, keep_rate: bool = False) -> None:
        """
        Takes the weights of another training's network, before the first round.

        The learning rate begins anew, or with *keep_rate* continues at the rate where that training stopped.

        :raises click.ClickException: if there was a round already, or the file has no network.
        """
        if self.done:
            raise click.ClickException("this training has begun already: --begin-with is for a new folder")
        net, state = read_origin(source)
        if net.units != self.net.units:
            raise click.ClickException(
                f"{source} has {net.units} units in its first layer: give --units {net.units}, or another network"
            )
        self.rate_games = state["games"] if keep_rate else 0
        self.origin = {"rules": state["rules"], "games": state["games"]}
        self.net.load_state_dict(net.state_dict())
        self.averaged.load_state_dict(net.state_dict())

    def round(self) -> LogLine | None:
        """Plays a round of games and learns from it."""
        return self._noted(self.part(self.done))

    def part(self, game: int) -> Part:
        """Plays some units, the first of which begins with that game of the training, and learns from them."""
        started = time.monotonic()
        first_unit = game // UNIT_GAMES
        seeds = [unit_seed(self.seed, first_unit + unit) for unit in range(ROUND_UNITS)]
        net = FastNet(self.kernel, self.net.parameters_for_kernel())
        meetings = self.league.meetings(ROUND_UNITS, [self.seed, first_unit])
        samples, units = play_units(
            *(net, self.rules, self.exploration, UNIT_GAMES, seeds, self.workers, self.bids),
            self.league.rivals(meetings, ROUND_UNITS, net),
        )
        self.league.note(meetings, [unit.landlord_wins / unit.games for unit in units])
        totals = sum_of(units)
        played = time.monotonic()
        losses = self.learn(samples, self.rate, self.seed + first_unit)
        return Part(totals, played - started, time.monotonic() - played, losses)

    @property
    def rate(self) -> float:
        """
        The learning rate of the next round.

        The mean of several shards is less a matter of luck, and takes fewer steps for as many games: it has a rate that
        is higher by the square root of their number (S. Malladi and others, "On the SDEs and Scaling Rules for Adaptive
        Gradient Algorithms", 2022).
        """
        return self.schedule.rate_after(self.rate_games + self.done) * math.sqrt(self.shards)

    def _noted(self, part: Part) -> LogLine:
        """Counts the games of a round, and gets its row."""
        totals, playing, learning, losses = part
        self.done += totals.games
        numbers = (
            *(round(playing, 3), round(learning, 3), f"{self.rate:.3g}", round(totals.landlord_wins / totals.games, 4)),
            *(round(totals.plies / totals.games, 2), *(round(loss, 5) for loss in losses)),
        )
        return dict(zip(self.figures, numbers, strict=True))

    def keep(self, folder: Path, about: dict[str, Any]) -> None:
        """Keeps the averaged network of this moment, named by the games in millions."""
        write_net(folder / f"net-{self.done / 1e6:07.1f}.pt", self.averaged, about)

    def learn(self, samples: list[Samples], rate: float, seed: int) -> list[float]:
        """
        Learns each sample once, and returns the loss of winning by seat.

        *seed* orders the samples. Each seat learns in a thread of its own: on two cores a third that waits for its turn
        would leave one of them idle.
        """
        with ThreadPoolExecutor(SEATS) as pool:
            return list(pool.map(lambda seat: self._learn_seat(seat, samples[seat], rate, seed), range(SEATS)))

    def _learn_seat(self, seat: int, samples: Samples, rate: float, seed: int) -> float:
        optimizer, net, averaged = self._optimizers[seat], self.net.seats[seat], self.averaged.seats[seat]
        for group in optimizer.param_groups:
            group["lr"] = rate
        order = np.random.default_rng([seed, seat]).permutation(len(samples.ends)).astype(np.uint32)
        results = torch.from_numpy(samples.results)
        losses: list[float] = []
        steps = _steps_of(optimizer)
        for begin in range(0, len(order) - self.schedule.batch + 1, self.schedule.batch):
            if self.stopped():
                raise StoppedError
            which = order[begin : begin + self.schedule.batch]
            heads = net(self._source, samples, which)
            outcomes = results[torch.from_numpy(which.astype(np.int64))]
            win_loss, loss = _losses(heads, outcomes, self.schedule)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            _average(averaged, net, self.schedule.kept_after(steps + len(losses)))
            losses.append(win_loss)
        return float(np.mean(losses)) if losses else float("nan")

    def state(self) -> dict[str, Any]:
        """Gets everything that :meth:`load` needs to resume with the same results."""
        return {
            "net": self.net.state_dict(),
            "averaged": self.averaged.state_dict(),
            "optimizers": [optimizer.state_dict() for optimizer in self._optimizers],
            "beaten": self.league.beaten,
        }

    def load(self, state: Mapping[str, Any]) -> None:
        """Resumes from a checkpoint."""
        learned = state["learner"]
        self.rate_games, self.origin = state["rate_games"], state["origin"]
        self.net.load_state_dict(learned["net"])
        self.averaged.load_state_dict(learned["averaged"])
        self.league.beaten.update(learned.get("beaten", {}))
        for optimizer, saved in zip(self._optimizers, learned["optimizers"], strict=True):
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
