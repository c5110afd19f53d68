"""The network of combinational Q-learning in torch; ddzbot/net/cql_layers.py describes it."""

from collections.abc import Sequence
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import linear, relu

from ddzbot.net.cql_divisions import MOST_DIVISIONS, MOST_MOVES, Offer
from ddzbot.net.cql_features import MOVE_FEATURES, STATE_FEATURES, Facts
from ddzbot.net.cql_layers import INNER, LAST, MOVE_UNITS, UNITS, WIDTH

from .encoding import FACTS, facts_array, move_words, moves, states

ROW = np.dtype(
    [
        *((name, FACTS[name]) for name in FACTS.names or ()),
        ("words", "u8", MOST_MOVES),
        ("kinds", "u1", MOST_MOVES),
        ("divisions", "u8", MOST_DIVISIONS),
        ("count", "u1"),
        ("playable", "u8"),
        ("passes", "u1"),
        ("division", "u1"),
        ("move", "u1"),
    ]
)
"""
A decision: its facts, the moves of its offer, the divisions as sets of bits, how many there are, the moves that are
legal now as bits, 1 where a pass is, and what was chosen.
"""
_PLACES = np.arange(MOST_MOVES, dtype=np.uint64)
_ONE = np.uint64(1)

Bits = NDArray[np.uint64]
Indices = NDArray[np.int64]


def rows_of(facts: Sequence[Facts], offers: Sequence[Offer]) -> NDArray[np.void]:
    """Gets decisions as rows; nothing is chosen yet."""
    rows = np.zeros(len(offers), ROW)
    short = facts_array(facts)
    rows["cards"], rows["numbers"] = short["cards"], short["numbers"]
    for row, offer in zip(rows, offers, strict=True):
        count = len(offer.moves)
        row["words"][:count], row["kinds"][:count] = move_words(offer.moves)
        row["divisions"][: len(offer.divisions)] = [_bits(division) for division in offer.divisions]
        row["count"] = len(offer.divisions)
        row["playable"] = _bits([index for index, legal in enumerate(offer.playable) if legal])
        row["passes"] = offer.moves[0].is_pass
    return rows


def _bits(places: Sequence[int]) -> int:
    return sum({1 << index for index in places})


def choices_of(rows: NDArray[np.void], divisions: Bits) -> Bits:
    """Gets as bits the moves that can be made once these divisions, bits too, are chosen."""
    return cast(Bits, (divisions & rows["playable"]) | rows["passes"].astype(np.uint64))


class CqlModel(nn.Module):
    """The two stages."""

    def __init__(self) -> None:
        super().__init__()
        self.state1, self.state2 = nn.Linear(STATE_FEATURES, WIDTH), nn.Linear(WIDTH, UNITS)
        self.group1, self.group2 = nn.Linear(MOVE_FEATURES, MOVE_UNITS), nn.Linear(MOVE_UNITS, UNITS)
        self.division1, self.division2 = nn.Linear(2 * UNITS, INNER), nn.Linear(INNER, LAST)
        self.division3 = nn.Linear(LAST, 1)
        self.move1, self.move2, self.move3 = nn.Linear(3 * UNITS, INNER), nn.Linear(INNER, LAST), nn.Linear(LAST, 1)

    def situations(self, rows: NDArray[np.void]) -> Tensor:
        """Gets the 128 numbers of each situation."""
        return relu(self.state2(relu(self.state1(torch.from_numpy(states(rows))))))

    def groups(self, rows: NDArray[np.void], wanted: Bits) -> tuple[Tensor, Indices]:
        """
        Gets the 128 numbers of those moves of each row that are *wanted*, bits, and where each one's are: (rows, 64).

        Row 0 of the numbers is all 0, for places that are empty.
        """
        taken = unpacked(wanted)
        cards, kinds = rows["words"][taken], rows["kinds"][taken]
        numbers = relu(self.group2(relu(self.group1(torch.from_numpy(moves(cards, kinds))))))
        where = np.zeros(taken.shape, np.int64)
        where[taken] = np.arange(1, len(cards) + 1)
        return torch.cat((torch.zeros(1, UNITS), numbers)), where

    def pooled(self, groups: Tensor, where: Indices, divisions: Bits) -> Tensor:
        """Gets the 128 numbers of divisions: the largest of their moves'. *where* has a row for each division."""
        taken = unpacked(divisions)
        division, places = np.nonzero(taken)
        sizes = taken.sum(1)
        within = np.arange(len(division)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        padded = np.zeros((len(divisions), max(1, int(sizes.max(initial=0)))), np.int64)
        padded[division, within] = where[division, places]
        # No number is negative, so that the empty places change no largest one.
        own = groups.index_select(0, torch.from_numpy(padded.reshape(-1)))
        return own.view(*padded.shape, UNITS).amax(1)

    def division_values(self, situations: Tensor, owners: Tensor, pooled: Tensor) -> Tensor:
        """Values divisions; *owners* says to which situation each belongs."""
        shared = linear(situations, self.division1.weight[:, :UNITS], self.division1.bias)
        sums = shared.index_select(0, owners) + linear(pooled, self.division1.weight[:, UNITS:])
        return cast(Tensor, self.division3(relu(self.division2(relu(sums))))).squeeze(1)

    def move_values(self, situations: Tensor, pooled: Tensor, owners: Tensor, own: Tensor) -> Tensor:
        """Values moves whose numbers are *own*; *owners* says to which situation, and chosen division, each belongs."""
        shared = linear(torch.cat((situations, pooled), 1), self.move1.weight[:, : 2 * UNITS], self.move1.bias)
        sums = shared.index_select(0, owners) + linear(own, self.move1.weight[:, 2 * UNITS :])
        return cast(Tensor, self.move3(relu(self.move2(relu(sums))))).squeeze(1)

    def chosen_values(self, rows: NDArray[np.void], division: Indices, move: Indices) -> tuple[Tensor, Tensor]:
        """Values of each row one division and one of its moves, by both stages."""
        bits = chosen(rows, division)
        groups, where = self.groups(rows, bits | (_ONE << move.astype(np.uint64)))
        situations, pooled = self.situations(rows), self.pooled(groups, where, bits)
        owners = torch.arange(len(rows))
        own = groups.index_select(0, torch.from_numpy(where[np.arange(len(rows)), move]))
        return (
            self.division_values(situations, owners, pooled),
            self.move_values(situations, pooled, owners, own),
        )

    @torch.no_grad()
    def best_moves(self, rows: NDArray[np.void], division: Indices) -> Indices:
        """Finds the best move of one division of each row, as its place."""
        bits = chosen(rows, division)
        choices = choices_of(rows, bits)
        groups, where = self.groups(rows, bits | choices)
        return self._best(rows, self.situations(rows), groups, where, bits)

    @torch.no_grad()
    def best(self, rows: NDArray[np.void]) -> tuple[Indices, Indices]:
        """Finds the best division of each row, and its best move."""
        valid = np.arange(MOST_DIVISIONS) < rows["count"][:, None]
        owners = np.nonzero(valid)[0]
        every = np.bitwise_or.reduce(rows["divisions"], 1) | rows["passes"].astype(np.uint64)
        groups, where = self.groups(rows, every)
        situations = self.situations(rows)
        pooled = self.pooled(groups, where[owners], rows["divisions"][valid])
        values = self.division_values(situations, torch.from_numpy(owners), pooled).numpy()
        division = _largest(valid, values)
        return division, self._best(rows, situations, groups, where, chosen(rows, division))

    def _best(self, rows: NDArray[np.void], situations: Tensor, groups: Tensor, where: Indices, bits: Bits) -> Indices:
        allowed = unpacked(choices_of(rows, bits))
        owners = torch.from_numpy(np.nonzero(allowed)[0])
        own = groups.index_select(0, torch.from_numpy(where[allowed]))
        pooled = self.pooled(groups, where, bits)
        return _largest(allowed, self.move_values(situations, pooled, owners, own).numpy())


def chosen(rows: NDArray[np.void], division: Indices) -> Bits:
    """Gets of each row one division, as bits."""
    return cast(Bits, rows["divisions"][np.arange(len(rows)), division])


def unpacked(bits: Bits) -> NDArray[np.bool_]:
    """Gets (n, 64): which bits are set."""
    return cast(NDArray[np.bool_], (bits[:, None] >> _PLACES) & _ONE != 0)


def _largest(valid: NDArray[np.bool_], values: NDArray[np.float32]) -> Indices:
    """Finds in each row of *valid* the first place with the largest value; *values* are those of the valid places."""
    table = np.full(valid.shape, -np.inf, np.float32)
    table[valid] = values
    return cast(Indices, table.argmax(1))
