"""The rest of a decision's limit: one object for clock and playouts, from the engine down to the last search."""

import time
from typing import Callable, Optional

from ddzbot.search.limit import NO_LIMIT, Limit


class Clock:
    """
    Counts the seconds since a moment, at which the process had *worked* so long; a test hands in its own *now*.
    """

    def __init__(self, started: float, now: Callable[[], float] = time.monotonic, worked: float = 0.0) -> None:
        self._started = started
        self._now = now
        self._worked = worked

    @classmethod
    def starting_now(cls) -> "Clock":
        """Starts a clock at this moment."""
        return cls(time.monotonic(), worked=time.process_time())

    def elapsed(self) -> float:
        """Gets the seconds since the start."""
        return self._now() - self._started

    def share(self) -> float:
        """Gets the share of a processor that this process has had since the start, from 0 to 1; waiting counts."""
        seconds = self.elapsed()
        return min(1.0, (time.process_time() - self._worked) / seconds) if seconds > 0 else 1.0


class Deadline:
    """
    The seconds and playouts that are left of a limit; the seconds run, the playouts are charged.

    For example ``deadline = Deadline(Limit(seconds=1))`` when a decision begins, then ``search(deadline)``. A *clock*
    that runs already began when the limit's seconds did. *watch* is called with the playouts of each charge, and may
    raise an exception to end the decision. The search defines its unit: the endgame solver charges positions.
    """

    def __init__(
        self,
        limit: Limit = NO_LIMIT,
        clock: Optional[Clock] = None,
        watch: Optional[Callable[[int], None]] = None,
    ) -> None:
        self._limit = limit
        self._clock = clock or Clock(time.monotonic())
        self._watch = watch
        self.spent = 0
        """The playouts that were charged."""

    def elapsed(self) -> float:
        """Gets the seconds since the limit began."""
        return self._clock.elapsed()

    def left(self) -> Limit:
        """Gets the limit that is left now, for a process or thread with its own clock."""
        if self.is_endless:
            return NO_LIMIT
        seconds = self._limit.seconds
        return Limit(None if seconds is None else max(0.0, seconds - self.elapsed()), self.playouts_left)

    @property
    def playouts_left(self) -> Optional[int]:
        """The playouts that are left, None without such a limit."""
        playouts = self._limit.playouts
        return None if playouts is None else max(0, playouts - self.spent)

    @property
    def is_endless(self) -> bool:
        """Checks if nothing limits the decision."""
        return self._limit == NO_LIMIT

    def charge(self, playouts: int) -> None:
        """Notes that so many playouts were made."""
        self.spent += playouts
        if self._watch is not None:
            self._watch(self.spent)

    def is_over(self, margin: float = 0.0) -> bool:
        """Checks if nothing is left, or fewer seconds than *margin*."""
        if self.playouts_left == 0:
            return True
        return self._limit.seconds is not None and self.elapsed() + margin >= self._limit.seconds

    def leaves(self, times: float) -> bool:
        """Checks if so many *times* as long is left as has gone by; where no seconds limit, it always is."""
        seconds = self._limit.seconds
        return seconds is None or seconds >= (1 + times) * self.elapsed()

    def granted(self, wanted: int) -> int:
        """Gets how many of the *wanted* playouts are left."""
        left = self.playouts_left
        return wanted if left is None else min(wanted, left)

    def part(self, seconds: float, playouts: Optional[int]) -> "Deadline":
        """
        Gets a deadline of its own on the same clock: this share of the *seconds* from the very beginning, so many
        *playouts*.
        """
        whole = self._limit.seconds
        return Deadline(Limit(None if whole is None else seconds * whole, playouts), self._clock)

    def with_playouts(self, playouts: Optional[int]) -> "Deadline":
        """Gets a deadline with the same seconds and so many *playouts*, none of them spent."""
        return Deadline(self._limit._replace(playouts=playouts), self._clock)
