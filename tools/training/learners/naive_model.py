"""The naive networks in torch; tools/programs/naive.py describes them, and runs them without torch."""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import relu

from ddzbot.net.cql_features import STATE_FEATURES, facts_of
from ddzbot.rules import Move

from ...programs.naive import ABSTRACT_MOVES, INNER, WIDTH, MoveList
from .encoding import FACTS, facts_array, states
from .games import Situation

_FACTS = [(name, FACTS[name]) for name in FACTS.names or ()]
SHORT_ROW = np.dtype([*_FACTS, ("move", "u2")])
"""A decision: its facts, and the place of the move that was made."""
ROW = np.dtype([*_FACTS, ("legal", "?", ABSTRACT_MOVES.size), ("move", "u2")])
"""The same, and which abstract moves were legal."""


class NaiveModel(nn.Module):
    """A number for each move of a list."""

    def __init__(self, moves: MoveList = ABSTRACT_MOVES) -> None:
        super().__init__()
        self.hidden1, self.hidden2 = nn.Linear(STATE_FEATURES, WIDTH), nn.Linear(WIDTH, INNER)
        self.moves = nn.Linear(INNER, moves.size)

    def units(self, rows: NDArray[np.void]) -> Tensor:
        """Gets what the last layer is shown of each situation."""
        return relu(self.hidden2(relu(self.hidden1(torch.from_numpy(states(rows))))))

    def forward(self, rows: NDArray[np.void]) -> Tensor:
        """Gets (n, 398); the numbers of illegal moves are minus infinity."""
        return self.legal_only(self.moves(self.units(rows)), rows)

    @staticmethod
    def legal_only(numbers: Tensor, rows: NDArray[np.void]) -> Tensor:
        """Makes the numbers of illegal moves minus infinity."""
        return numbers.masked_fill(~torch.from_numpy(np.ascontiguousarray(rows["legal"])), -torch.inf)


def rows_of(choices: Sequence[Situation]) -> tuple[NDArray[np.void], list[dict[int, Move]]]:
    """Gets decisions as rows, of which no move is chosen yet, and the moves that each offers by their places."""
    rows, offers = short_rows_of(choices, ABSTRACT_MOVES, ROW)
    for row, offered in zip(rows, offers, strict=True):
        row["legal"][list(offered)] = True
    return rows, offers


def short_rows_of(
    choices: Sequence[Situation], moves: MoveList, kind: "np.dtype[np.void]" = SHORT_ROW
) -> tuple[NDArray[np.void], list[dict[int, Move]]]:
    """Gets them without what was legal."""
    rows = np.zeros(len(choices), kind)
    facts = facts_array([facts_of(choice.view) for choice in choices])
    rows["cards"], rows["numbers"] = facts["cards"], facts["numbers"]
    return rows, [moves.offered(choice.view.hand, choice.legal) for choice in choices]
