"""
Search with the fast network in slices: the best move at any time, until a limit or until one move is left.

Thin over the kernel (:mod:`ddzbot.kernel.rollout`); docs/champion.md says how it searches.
"""

from typing import TYPE_CHECKING, Callable, List, NamedTuple, Optional

from ddzbot.kernel.rollout import NativeRollout, RolloutArm, RolloutOptions
from ddzbot.rules import Move
from ddzbot.search.clock import Clock
from ddzbot.search.limit import Limit
from ddzbot.view import View

if TYPE_CHECKING:
    from ddzbot.kernel.fast_net import FastNet
    from ddzbot.kernel.worlds import KernelWorlds

FIRST_SLICE = 50
"""Playouts before the first look at the clock: a few milliseconds."""
SLICE_SECONDS = 0.005
"""How long a slice shall take, and so about how much too late a search may end."""


class RolloutResult(NamedTuple):
    """What a search found."""

    arms: List[RolloutArm]
    """The moves that competed, the network's best first."""
    best: int
    """The index of the best."""
    playouts: int

    @property
    def move(self) -> Move:
        """The best move."""
        return self.arms[self.best].move


class RolloutSearch:
    """
    One search of one view. For example ``RolloutSearch(net, view, options, 7, worlds).run(Limit(playouts=500))``.

    *worlds* are those that the hidden hands are drawn from. After every slice *report* gets the best move so far.

    :raises KernelError: if the kernel refuses the view, the worlds or the options.
    """

    def __init__(
        self,
        net: "FastNet",
        view: View,
        options: RolloutOptions,
        seed: int,
        worlds: "KernelWorlds",
        report: Optional[Callable[[Move], None]] = None,
    ) -> None:
        self._search = NativeRollout(net, view, options, seed, worlds)
        self._report = report

    def run(self, limit: Limit, clock: Optional[Clock] = None) -> RolloutResult:
        """
        Searches until *limit* is reached or one move is left.

        *clock* was started when the limit's seconds began, by default now.

        :raises ValueError: for a limit of nothing, which might never end.
        """
        if limit.seconds is None and limit.playouts is None:
            raise ValueError("a search needs a limit of seconds or playouts")
        clock = clock or Clock.starting_now()
        size = FIRST_SLICE
        result = self._result()
        while not self._is_over(limit, result.playouts, clock):
            before, done = clock.seconds(), result.playouts
            left = size if limit.playouts is None else limit.playouts - done
            self._search.run(min(size, left))
            result = self._result()
            if self._report:
                self._report(result.move)
            if result.playouts == done:
                break  # as many worlds as there is room for
            size = _next_slice(result.playouts - done, clock.seconds() - before)
        return result

    def _result(self) -> RolloutResult:
        return RolloutResult(self._search.arms(), self._search.best, self._search.playouts)

    def _is_over(self, limit: Limit, done: int, clock: Clock) -> bool:
        if self._search.alive == 1 or (limit.playouts is not None and done >= limit.playouts):
            return True
        # The slice that would begin now would end behind the limit.
        return limit.seconds is not None and clock.seconds() + SLICE_SECONDS / 2 >= limit.seconds


def _next_slice(size: int, seconds: float) -> int:
    """Adapts the slice so that the next one takes :data:`SLICE_SECONDS`; it grows fourfold at most."""
    if seconds <= 0:
        return 4 * size
    return max(1, min(4 * size, int(size * SLICE_SECONDS / seconds)))
