"""How patient the client is: pauses that grow from one failure to the next, up to a bound, and differ a little."""

import random
from typing import NamedTuple

GROWTH = 2.0
LEAST_SHARE = 0.5
"""Each pause is drawn from this share of its length up to all of it, so that many clients do not come back at once."""


class Pace(NamedTuple):
    """How patient the client is, in seconds."""

    first_pause: float = 1.0
    most_pause: float = 60.0
    least: float = 0.5
    """So long one poll begins after the other, whatever the site sends."""
    gather: float = 5.0
    """So long a poll waits for answers that are being thought about."""
    idle: float = 0.1
    """The first pause after a poll that came back at once with nothing new."""
    most_idle: float = 2.0
    silence: float = 5.0
    """A poll without news that lasted so long means that the site waits for others, or does not repeat its requests."""
    late: float = 20.0
    """For so long a match may still show up if the site never confirmed its start."""
    patience: float = 3600.0
    """A match of which nothing was heard for so long is given up: its end never reached us."""


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
