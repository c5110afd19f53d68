"""
Rounds in shards, here or on a cluster, with the same bits.

Each shard learns from games of its own what an undivided round would, all from the same network, and the result is
the mean of what they have come to: weights, averages, moments (local SGD: S. Stich, "Local SGD Converges Fast and
Communicates Little", ICLR 2019; T. Lin et al., "Don't Use Large Mini-Batches, Use Local SGD", ICLR 2020).
"""

import io
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from functools import partial, reduce
from statistics import fmean
from typing import Any

import click
import torch
from torch import Tensor

from ddzbot.kernel.bid_net import KernelBidNet
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.fast_net import FastNet
from ddzbot.net import bid_net
from ddzbot.net.fast_features import NAME
from ddzbot.net.fast_net import seats_of
from ddzbot.net.packed import WeightsError, read
from ddzbot.rules import rule_set

from ...cluster.dispatch import Cluster
from ...cluster.needs import Needs
from ...shared.interrupts import StoppedError
from ..figures import LogLine
from ..kernel import needed_kernel
from .games import Totals, sum_of
from .league import ITSELF, QUICK, League
from .learner import ROUND_UNITS, UNIT_GAMES, ChampionLearner, Part


def learner_of(
    settings: Mapping[str, Any], workers: int, kind: type[ChampionLearner] = ChampionLearner
) -> ChampionLearner:
    """
    Makes a learner of what :attr:`ChampionLearner.settings` has.

    :raises ClickException: without a kernel, or for a network that is not there.
    """
    kernel, rules = needed_kernel(), settings["rules"]
    bids = _bid_net(kernel, rules) if settings["auction"] else None
    league = _league(kernel, settings["rivals"], settings["share"])
    options = (settings["seed"], workers, settings["objective"], bids, settings["units"], league, settings["shards"])
    return kind(kernel, rule_set(rules), *options)


def needs_of(settings: Mapping[str, Any]) -> Needs:
    """Says what a worker must have for it."""
    return Needs(files=tuple(_networks(settings["rivals"])), torch=True)


class Sharded(ChampionLearner):
    """Learns in shards, one after the other in this process or all at once on :attr:`cluster`."""

    cluster: Cluster | None = None
    sent = got = 0
    """Bytes that the last round sent to workers and got from them."""

    def round(self) -> LogLine | None:
        """
        Learns a round.

        :raises StoppedError: if the training was stopped before it was whole.
        """
        state = _packed({**self.about(), "done": self.done, "learner": self.state()})
        games = [self.done + shard * UNIT_GAMES * ROUND_UNITS for shard in range(self.shards)]
        learn = partial(learn_shards, self.settings, state)
        results = self._on_cluster(learn, games) if self.cluster else self._here(learn, games)
        if len(results) < len(games):
            raise StoppedError
        shards = [_unpacked(results[game]) for game in games]
        self.helped = sum(shard["seconds"] for shard in shards) if self.cluster else 0.0
        self.load({**self.about(), "learner": mean([shard["learner"] for shard in shards])})
        return self._noted(_whole([Part(Totals(**shard["totals"]), *shard["part"]) for shard in shards]))

    @property
    def traffic(self) -> str:
        """Says what the last round sent."""
        sent, got = (f"{size / 1e6:.1f} MB" for size in (self.sent, self.got))
        return f"A round of {self.shards} shards sends {sent} to workers and gets {got}."

    def _here(self, learn: Any, games: list[int]) -> dict[int, bytes]:
        with closing(learn(games, self.workers, self.stopped)) as shards:
            return dict(zip(games, shards, strict=True))

    def _on_cluster(self, learn: Any, games: list[int]) -> dict[int, bytes]:
        from ...cluster.run import Job

        def show(text: str) -> None:
            self.helpers = text

        assert self.cluster
        results: dict[int, bytes] = {}
        job = Job(learn, iter(games), lambda game: f"the shard from game {game} on", 1, results.__setitem__)
        self.sent = self.cluster.play(job, self.stopped, show)
        self.got = sum(map(len, results.values()))
        return results


def learn_shards(
    settings: Mapping[str, Any],
    packed: bytes,
    games: Sequence[int],
    workers: int = 1,
    stopped: Callable[[], bool] = ChampionLearner.stopped,
) -> Generator[bytes, None, None]:
    """Learns shards of a round, each named by its first game, all from the same *packed* state; gets packed ones."""
    learner = learner_of(settings, workers)
    learner.stopped = stopped
    for game in games:
        began = time.process_time()
        state = _unpacked(packed)  # each time: an optimizer changes what it has loaded
        learner.done = state["done"]
        learner.load(state)
        totals, *part = learner.part(game)
        seconds = time.process_time() - began
        yield _packed({"totals": vars(totals), "part": part, "learner": learner.state(), "seconds": seconds})


def mean(states: Sequence[Any]) -> Any:
    """Averages the numbers of states that are built alike; what is no number is the same in all."""
    first = states[0]
    if isinstance(first, dict):
        # A seat that has not had samples enough for one step has no moments yet.
        names = dict.fromkeys(key for state in states for key in state)
        return {key: mean([state[key] for state in states if key in state]) for key in names}
    if isinstance(first, list):
        return [mean(parts) for parts in zip(*states, strict=True)]
    if isinstance(first, Tensor):
        return reduce(torch.add, states) / len(states)
    # Numbers of an optimizer that are the same remain so to the last bit.
    return fmean(states) if isinstance(first, float) and {*states} != {first} else first


def _whole(parts: Sequence[Part]) -> Part:
    """Makes one of several: what was played is added up, and losses are averaged."""
    playing, learning = (sum(getattr(part, clock) for part in parts) for clock in ("playing", "learning"))
    return Part(sum_of(part.totals for part in parts), playing, learning, mean([part.losses for part in parts]))


def _packed(state: Mapping[str, Any]) -> bytes:
    buffer = io.BytesIO()
    torch.save(state, buffer)
    return buffer.getvalue()


def _unpacked(packed: bytes) -> dict[str, Any]:
    return dict(torch.load(io.BytesIO(packed), weights_only=True))


def _networks(rivals: Sequence[str]) -> list[str]:
    return [rival for rival in rivals if rival not in (QUICK, ITSELF)]


def _league(kernel: Kernel, names: Sequence[str], share: float) -> League:
    """Reads the networks among the members."""
    try:
        networks = {rival: FastNet(kernel, seats_of(read(rival, [NAME]))) for rival in _networks(names)}
    except WeightsError as error:
        raise click.UsageError(f"--rival: {error}") from None
    return League(names, networks, share if names else 0.0)


def _bid_net(kernel: Kernel, rules: str) -> KernelBidNet:
    """Gets the network for bids that is current."""
    loaded = bid_net.LOADER.load(kernel, rules)
    if not isinstance(loaded.net, KernelBidNet):
        raise click.ClickException(f"--auction: {loaded.description}")
    return loaded.net
