"""The records of many shards in memory, without duplicates, split by game into training and test."""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ddzbot.game import SEATS
from ddzbot.net.mcm_features import LAYERS, VALUED_LAYER, planes

from ..held_out import are_test_games
from ..records import Batch
from ..shards import Array, read_all
from .plan import FORMAT
from .shards import Shard

PAYOFFS = (2.0, 1.0, 1.0)
"""What a game is worth to each seat; the thesis' scale, on which the search's constant C is stated too."""

_SALT = "mcm"
"""What stands before a deal in the hash that says whether its game is in the test."""
_LAYER_BITS = np.arange(LAYERS, dtype=np.uint32)


class Records:
    """
    All records of some shards: each is a row of ``decision``, ``move``, ``kind`` and ``payoff``.

    ``shard`` has the columns of the decisions. ``training`` and ``test`` are the numbers of the distinct records, in
    the order of the games; ``duplicates`` says how many were left out.
    """

    def __init__(self, shard: Shard, is_test: Array, heads: Sequence[dict[str, Any]] = ()) -> None:
        self.shard = shard
        self.heads = heads
        """How the games were played: the different heads of the shards."""
        self.decision = np.repeat(np.arange(len(shard.candidates), dtype=np.int32), shard.candidates)
        self.payoff = payoffs(shard.wins, shard.visits, shard.seat[self.decision])
        self.hashes = _hashes(shard, self.decision)
        distinct = self._distinct()
        self.duplicates = len(self.decision) - len(distinct)
        in_test = is_test[self.decision[distinct]]
        self.training = distinct[~in_test]
        self.test = distinct[in_test]

    def _distinct(self) -> NDArray[np.int64]:
        """Keeps the first of those records whose inputs are the same, layer by layer."""
        order = np.argsort(self.hashes, kind="stable")
        is_first = np.ones(len(order), dtype=bool)
        is_first[1:] = self.hashes[order[1:]] != self.hashes[order[:-1]]
        first = order[np.maximum.accumulate(np.where(is_first, np.arange(len(order)), 0))]
        suspects = ~is_first
        kept = np.ones(len(order), dtype=bool)
        # Equal hashes are only a hint: what is thrown away was compared.
        kept[order[suspects]] = ~self._same(order[suspects], first[suspects])
        return np.flatnonzero(kept)

    def _same(self, some: Array, others: Array) -> NDArray[np.bool_]:
        pairs = zip(self.inputs(some), self.inputs(others), strict=True)
        same: NDArray[np.bool_] = np.logical_and.reduce([np.all(mine == yours, axis=1) for mine, yours in pairs])
        return same

    def inputs(self, numbers: Array) -> tuple[Array, Array, Array]:
        """Gets cards, kinds and landlord bits of every layer of some records, each (n, 29)."""
        decisions = self.decision[numbers]
        words, kinds = self.shard.words[decisions], self.shard.kinds[decisions]
        words[:, VALUED_LAYER], kinds[:, VALUED_LAYER] = self.shard.move[numbers], self.shard.kind[numbers]
        landlord = (self.shard.landlord[decisions, None] >> _LAYER_BITS) & 1
        return words, kinds, landlord.astype(np.uint8)

    def batch(self, numbers: Array) -> Batch:
        """Builds the input of some records; nothing of it is kept, since a million would take 26 GB."""
        return Batch(planes(*self.inputs(numbers)), self.payoff[numbers])

    def keep(self, most: int) -> None:
        """Leaves the first *most* training records; the test stays as it is."""
        self.training = self.training[:most]

    def digest(self) -> str:
        """Hashes which records these are and in which order, in 16 hex digits."""
        content = hashlib.sha256()
        for column in (self.hashes, self.payoff, self.training, self.test):
            content.update(column.tobytes())
        return content.hexdigest()[:16]

    def summary(self) -> str:
        """Says how many records there are, in one sentence."""
        return (
            f"{len(self.training) + len(self.test):,} distinct records of {len(self.shard.seat):,} decisions: "
            f"{len(self.training):,} for training, {len(self.test):,} for the test; "
            f"{self.duplicates:,} duplicates were left out."
        )


def payoffs(wins: Array, visits: Array, seats: Array) -> NDArray[np.float32]:
    """Gets the mean payoff of each record: 3 wins of 4 are worth 1.0 to a landlord and 0.5 to a peasant."""
    scale = np.array(PAYOFFS)[seats]
    return (scale * (2.0 * wins / visits - 1.0)).astype(np.float32)


def load_records(folders: Iterable[Path]) -> Records:
    """
    Reads all shards of *folders*.

    :raises ValueError: if there is none, or something else in a shard's place, or games of several rule sets.
    """
    found = read_all(list(folders), Shard._fields, FORMAT, "tools train make mcm")
    heads: list[dict[str, Any]] = []
    tests = []
    for about, columns in found:
        if about not in heads:
            heads.append(about)
        tests.append(are_test_games(about, Shard(*columns).game, _SALT))
    joined = (np.concatenate(parts) for parts in zip(*(columns for _, columns in found), strict=True))
    return Records(Shard(*joined), np.concatenate(tests), heads)


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


def hand_sizes(records: Records, numbers: Array) -> Array:
    """Numbers what a side and three hand sizes make together: the same for two records only if both are."""
    decisions = records.decision[numbers]
    sizes = records.shard.cards_left[decisions].astype(np.int64)
    is_peasant: Array = (records.shard.seat[decisions] != 0).astype(np.int64)
    return ((is_peasant * 32 + sizes[:, 0]) * 32 + sizes[:, 1]) * 32 + sizes[:, 2]


def of_side(records: Records, numbers: Array, landlord: bool) -> Array:
    """Keeps the records of one side."""
    seats: Sequence[int] = [0] if landlord else range(1, SEATS)
    return numbers[np.isin(records.shard.seat[records.decision[numbers]], seats)]
