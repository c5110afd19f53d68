"""Self-play games of the fast network in the kernel, in units that depend on nothing but their seed."""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ddzbot.game import SEATS
from ddzbot.kernel.bid_net import KernelBidNet
from ddzbot.kernel.fast_net import FastNet
from ddzbot.kernel.training import Rival, SampleBuffer, SelfPlay, self_play
from ddzbot.rules import RuleSet

_FEATURES_A_SAMPLE = 120
"""Room for so many on average; there are about 80."""
_SAMPLES_A_GAME = 40


@dataclass(frozen=True)
class Exploration:
    """The random moves of a game; docs/design/champion.md explains them."""

    random_moves: float = 0.01
    """The share of decisions in which any legal move is made."""
    near: float = 0.15
    """Moves worse than the best by less than so many units of logit are made sometimes."""
    kept: float = 0.3
    """The share of decisions that become samples."""
    by_score: bool = False
    """Whether points decide instead of wins; *near* is in points then."""
    random_bids: float = 0.05
    """The share of random legal bids, in games that begin with an auction."""
    trace: float = 0.8
    """
    Lambda of TD(lambda), 0 to 1: at 1 a sample learns how its game ended, below that also what the network expected of
    the later decisions of its seat, which varies less (R. Sutton, 1988; src/net/selfplay.c).
    """

    def play(self, games: int, seed: int) -> SelfPlay:
        """Gets the options for the kernel."""
        return SelfPlay(
            *(seed, games, round(65536 * self.random_moves), round(1000 * self.near), round(256 * self.kept)),
            *(self.by_score, round(1000 * self.trace), round(65536 * self.random_bids)),
        )


class Samples(NamedTuple):
    """The samples of one seat."""

    features: NDArray[np.uint16]
    """Those of all samples, one after the other."""
    ends: NDArray[np.uint32]
    """The end of the features of each sample."""
    results: NDArray[np.float32]
    """[samples][2]: what is to be learned of winning, 0 to 1, and of the score in points."""


@dataclass
class Totals:
    """The counts of some games."""

    games: int = 0
    landlord_wins: int = 0
    plies: int = 0
    decisions: int = 0
    values: int = 0
    bombs: int = 0
    lost: int = 0

    def add(self, other: "Totals") -> None:
        """Adds another's figures."""
        for field, amount in vars(other).items():
            setattr(self, field, getattr(self, field) + amount)


def unit_seed(root: int, unit: int) -> int:
    """Draws the seed of a unit of training games, 64 bits of the sha256 of e.g. ``train/1/unit/000123``."""
    return int.from_bytes(sha256(f"train/{root}/unit/{unit:06d}".encode()).digest()[:8], "big")


def play_unit(
    net: FastNet,
    rules: RuleSet,
    exploration: Exploration,
    games: int,
    seed: int,
    bids: KernelBidNet | None = None,
    rival: Rival | None = None,
) -> tuple[list[Samples], Totals]:
    """Plays *games* from a seed; the same on every machine. With *bids* they begin with an auction by that network."""
    room = games * _SAMPLES_A_GAME
    buffers = [
        Samples(
            np.empty(room * _FEATURES_A_SAMPLE, np.uint16), np.empty(room, np.uint32), np.empty((room, 2), np.float32)
        )
        for _ in range(SEATS)
    ]
    rooms = [SampleBuffer(*_addresses(samples), samples.features.size, room) for samples in buffers]
    counts, totals = self_play(net, rules, exploration.play(games, seed), rooms, bids, rival)
    return [
        Samples(samples.features[:features].copy(), samples.ends[:count].copy(), samples.results[:count].copy())
        for samples, (features, count) in zip(buffers, counts, strict=True)
    ], Totals(*totals)


def _addresses(samples: Samples) -> tuple[int, int, int]:
    return samples.features.ctypes.data, samples.ends.ctypes.data, samples.results.ctypes.data


def play_units(
    net: FastNet,
    rules: RuleSet,
    exploration: Exploration,
    games: int,
    seeds: Sequence[int],
    workers: int,
    bids: KernelBidNet | None = None,
    rivals: Sequence[Rival | None] = (),
) -> tuple[list[Samples], list[Totals]]:
    """
    Plays a unit for each seed in *workers* threads, and gets what was played by unit; the threads change nothing.

    *rivals* are by unit; without any the network plays all seats.
    """
    play = partial(play_unit, net, rules, exploration, games)
    with ThreadPoolExecutor(workers) as pool:
        units = list(pool.map(lambda seed, rival: play(seed, bids, rival), seeds, rivals or [None] * len(seeds)))
    return [joined(samples[seat] for samples, _ in units) for seat in range(SEATS)], [totals for _, totals in units]


def sum_of(units: Iterable[Totals]) -> Totals:
    """Adds up what was played in units."""
    totals = Totals()
    for unit in units:
        totals.add(unit)
    return totals


def joined(parts: Iterable[Samples]) -> Samples:
    """Puts samples behind each other."""
    parts = list(parts)
    starts = np.cumsum([0, *(part.features.size for part in parts[:-1])])
    return Samples(
        np.concatenate([part.features for part in parts]),
        np.concatenate([part.ends + np.uint32(start) for part, start in zip(parts, starts, strict=True)]),
        np.concatenate([part.results for part in parts]),
    )
