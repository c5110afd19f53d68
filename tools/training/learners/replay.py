"""
The replay memory of a Q-learner: decisions in the order of their games, the oldest forgotten first (L. Lin, 1992).
"""

from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray


class Batch(NamedTuple):
    """Decisions drawn from a replay, and what came of them."""

    decisions: NDArray[np.void]
    followers: NDArray[np.void]
    """The next decision of the same seat; anything where the game ended first."""
    rewards: NDArray[np.float32]
    """The payment of the game if it ended before the next decision, else 0."""
    ended: NDArray[np.bool_]


class Replay:
    """
    Keeps the last *room* decisions, rows of *kind*.

    The decisions of a seat in a game lie one after the other, so that the next one is always the next row: when a row
    is overwritten, so were all before it.
    """

    def __init__(self, kind: np.dtype[np.void], room: int) -> None:
        self.kind = kind
        self._rows = np.zeros(room, kind)
        self._rewards = np.zeros(room, np.float32)
        self._ended = np.zeros(room, np.bool_)
        self._room = room
        self._count = 0
        """Rows that were ever written."""

    def __len__(self) -> int:
        return min(self._count, self._room)

    def add(self, decisions: NDArray[np.void], reward: float) -> None:
        """Adds all decisions of one seat in one game, at the end of which it got *reward*."""
        if not len(decisions):
            return
        places = (self._count + np.arange(len(decisions))) % self._room
        self._rows[places] = decisions
        self._rewards[places], self._ended[places] = 0, False
        self._rewards[places[-1]], self._ended[places[-1]] = reward, True
        self._count += len(decisions)

    def draw(self, number: int, generator: np.random.Generator) -> Batch:
        """Draws *number* decisions, each with the same probability."""
        drawn = generator.integers(len(self), size=number)
        return Batch(self._rows[drawn], self._rows[(drawn + 1) % self._room], self._rewards[drawn], self._ended[drawn])

    def state(self) -> dict[str, Any]:
        """Gets everything that :meth:`load_state` needs, as tensors; the rows are bytes."""
        used = slice(0, len(self))
        return {
            "rows": torch.from_numpy(self._rows[used].copy().view(np.uint8)),
            "rewards": torch.from_numpy(self._rewards[used].copy()),
            "ended": torch.from_numpy(self._ended[used].copy()),
            "count": self._count,
        }

    def load_state(self, state: dict[str, Any]) -> None:
        """Resumes from what :meth:`state` returned."""
        self._count = int(state["count"])
        used = slice(0, len(self))
        self._rows[used] = state["rows"].numpy().view(self.kind)
        self._rewards[used], self._ended[used] = state["rewards"].numpy(), state["ended"].numpy()
