"""The only place that reads the clock."""

import time
from typing import Callable


class Clock:
    """Counts the seconds since a moment; a test hands in its own *now*."""

    def __init__(self, started: float, now: Callable[[], float] = time.monotonic) -> None:
        self._started = started
        self._now = now

    @classmethod
    def starting_now(cls) -> "Clock":
        """Starts a clock at this moment."""
        return cls(time.monotonic())

    def seconds(self) -> float:
        """Gets the seconds since the start."""
        return self._now() - self._started
