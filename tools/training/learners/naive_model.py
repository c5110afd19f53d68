"""The naive networks in torch; tools/opponents/naive.py describes them, and runs them without torch."""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import relu

from ddzbot.net.cql_features import STATE_FEATURES, facts_of
from ddzbot.rules import Move

from ...opponents.abstract_moves import BODIES, choices_among
from ...opponents.naive import INNER, WIDTH
from .encoding import FACTS, facts_array, states
from .games import Situation

ROW = np.dtype([*((name, FACTS[name]) for name in FACTS.names or ()), ("legal", "?", len(BODIES)), ("move", "u2")])
"""A decision: its facts, which abstract moves were legal, and the place of the one that was made."""


class NaiveModel(nn.Module):
    """A number for each abstract move."""

    def __init__(self) -> None:
        super().__init__()
        self.hidden1, self.hidden2 = nn.Linear(STATE_FEATURES, WIDTH), nn.Linear(WIDTH, INNER)
        self.moves = nn.Linear(INNER, len(BODIES))

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
    offers = [choices_among(choice.view.hand, choice.legal) for choice in choices]
    rows = np.zeros(len(choices), ROW)
    facts = facts_array([facts_of(choice.view) for choice in choices])
    rows["cards"], rows["numbers"] = facts["cards"], facts["numbers"]
    for row, offered in zip(rows, offers, strict=True):
        row["legal"][list(offered)] = True
    return rows, offers
