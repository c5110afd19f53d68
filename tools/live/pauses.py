"""Pauses that grow from one failure to the next, up to a bound, and differ a little from each other."""

import random

__all__ = ["Pauses"]

GROWTH = 2.0
LEAST_SHARE = 0.5
"""Each pause is drawn from this share of its length up to all of it, so that many clients do not come back at once."""


class Pauses:
    """
    A row of pauses. For example, ``Pauses(1, 60, seed=7)`` gives about 0.8 s, 1.5 s, 3 s, ... and never more than 60 s.
    """

    def __init__(self, first: float, most: float, seed: int = 0) -> None:
        self._first, self._most = first, most
        self._random = random.Random(f"pauses/{seed}")
        self.failures = 0
        """How many there were since the last success."""

    def next(self) -> float:
        """Gets the seconds to wait after one more failure."""
        length = min(self._first * GROWTH ** min(self.failures, 60), self._most)
        self.failures += 1
        return length * self._random.uniform(LEAST_SHARE, 1.0)

    def reset(self) -> None:
        """Begins anew, after a success."""
        self.failures = 0
