"""The records of many shards in memory, without duplicates, split by game into training and test."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ddzbot.game import SEATS
from ddzbot.net.mcm_features import LAYERS, VALUED_LAYER, planes

from ..samples import Batch, Samples
from ..shards import Array, read_all
from .plan import FORMAT
from .shards import Shard

PAYOFFS = (2.0, 1.0, 1.0)
"""The payoff of a game to each seat, in the thesis' scale, to which the search's constant C belongs."""

_LAYER_BITS = np.arange(LAYERS, dtype=np.uint32)


class McmSamples(Samples):
    """
    The distinct records of some shards: each is a row of ``decision``, ``move``, ``kind`` and ``payoff``.

    ``shard`` has the columns of the decisions; ``duplicates`` says how many records were left out.
    """

    def __init__(self, shard: Shard, is_test: Array, heads: Sequence[dict[str, Any]] = ()) -> None:
        self.shard = shard
        self.decision = np.repeat(np.arange(len(shard.candidates), dtype=np.int32), shard.candidates)
        self.payoff = payoffs(shard.wins, shard.visits, shard.seat[self.decision])
        self.hashes = _hashes(shard, self.decision)
        distinct = self._distinct()
        self.duplicates = len(self.decision) - len(distinct)
        self.content = self.hashes, self.payoff
        super().__init__(distinct, is_test[self.decision[distinct]], heads)

    def _distinct(self) -> NDArray[np.int64]:
        """Keeps the first of those records whose inputs are the same, layer by layer."""
        order = np.argsort(self.hashes, kind="stable")
        is_first = np.ones(len(order), dtype=bool)
        is_first[1:] = self.hashes[order[1:]] != self.hashes[order[:-1]]
        originals = order[np.maximum.accumulate(np.where(is_first, np.arange(len(order)), 0))]
        suspects = ~is_first
        distinct = np.ones(len(order), dtype=bool)
        # Equal hashes are only a hint: what is thrown away was compared.
        distinct[order[suspects]] = ~self._same(order[suspects], originals[suspects])
        return np.flatnonzero(distinct)

    def _same(self, some: Array, others: Array) -> NDArray[np.bool_]:
        pairs = zip(self.inputs(some), self.inputs(others), strict=True)
        same: NDArray[np.bool_] = np.logical_and.reduce([np.all(mine == yours, axis=1) for mine, yours in pairs])
        return same

    def inputs(self, numbers: Array) -> tuple[Array, Array, Array]:
        """Gets cards, kinds and landlord bits of every layer of some records, each (n, 29)."""
        decisions = self.decision[numbers]
        cards, kinds = self.shard.words[decisions], self.shard.kinds[decisions]
        cards[:, VALUED_LAYER], kinds[:, VALUED_LAYER] = self.shard.move[numbers], self.shard.kind[numbers]
        landlord = (self.shard.landlord[decisions, None] >> _LAYER_BITS) & 1
        return cards, kinds, landlord.astype(np.uint8)

    def batch(self, numbers: Array) -> Batch:
        """Builds the input of some records; nothing of it is kept, since a million would take 26 GB."""
        return Batch(planes(*self.inputs(numbers)), self.payoff[numbers])

    def what(self) -> str:
        """Says how many records there are, and how many were left out."""
        distinct, decisions = len(self.training) + len(self.test), len(self.shard.seat)
        left_out = f"{self.duplicates:,} duplicates were left out"
        return f"{distinct:,} distinct records of {decisions:,} decisions ({left_out})"


def payoffs(wins: Array, visits: Array, seats: Array) -> NDArray[np.float32]:
    """Gets the mean payoff of each record: 3 wins of 4 are worth 1.0 to a landlord and 0.5 to a peasant."""
    scale = np.array(PAYOFFS)[seats]
    return (scale * (2.0 * wins / visits - 1.0)).astype(np.float32)


def load_samples(folders: Sequence[Path]) -> McmSamples:
    """
    Reads all shards of *folders*.

    :raises ValueError: if there is none, or something else in a shard's place, or games of several rule sets.
    """
    shards = read_all(folders, Shard._fields, FORMAT, "mcm", ["game"])
    return McmSamples(Shard(**shards.columns), shards.is_test["game"], shards.heads)


def _hashes(shard: Shard, decisions: Array) -> Array:
    """Hashes the input of each record."""
    state = _mixed(shard.landlord.astype(np.uint64))
    for layer in range(LAYERS):
        state = _mixed(state ^ shard.words[:, layer])
        state = _mixed(state ^ shard.kinds[:, layer])
    state = state[decisions]
    return _mixed(_mixed(state ^ shard.move) ^ shard.kind)


def _mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """One step of SplitMix64 (Steele, Lea, Flood 2014): a one-to-one map of 64 bits in which all of them mix."""
    words = words + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    words ^= words >> np.uint64(31)
    return words


def hand_sizes(samples: McmSamples, numbers: Array) -> Array:
    """Numbers what a side and three hand sizes make together: the same for two records only if both are."""
    decisions = samples.decision[numbers]
    sizes = samples.shard.cards_left[decisions].astype(np.int64)
    is_peasant: Array = (samples.shard.seat[decisions] != 0).astype(np.int64)
    return ((is_peasant * 32 + sizes[:, 0]) * 32 + sizes[:, 1]) * 32 + sizes[:, 2]


def of_side(samples: McmSamples, numbers: Array, landlord: bool) -> Array:
    """Keeps the records of one side."""
    seats: Sequence[int] = [0] if landlord else range(1, SEATS)
    return numbers[np.isin(samples.shard.seat[samples.decision[numbers]], seats)]
