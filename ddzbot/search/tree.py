"""
Tree search in slices: as many simulations as a limit allows, and the best move at any time in between.

Thin over the kernel (:mod:`ddzbot.kernel.searching`), which does all the work; docs/search.md says how.
"""

from typing import Callable, List, NamedTuple, Optional

from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.searching import Arm, Branches, NativeSearch, SearchOptions
from ddzbot.rules import Move
from ddzbot.search.clock import Clock
from ddzbot.search.limit import Limit
from ddzbot.view import View

FIRST_SLICE = 200
"""Simulations before the first look at the clock: a millisecond or two where they are slowest."""
SLICE_SECONDS = 0.01
"""How long a slice shall take, and so about how much too late a search may end."""
STEP = 1000
"""A limit of playouts may end early after multiples of this alone, so that the clock cannot change the result."""
MOST_NODES = 400000
"""Moves that a tree has room for, 16 MB."""


class Result(NamedTuple):
    """What a search found."""

    arms: List[Arm]
    """The moves of the root, best first."""
    playouts: int
    nodes: int
    """Moves in the tree."""

    @property
    def move(self) -> Move:
        """The best move."""
        return self.arms[0].move


def by_mean(arm: Arm) -> float:
    """Ranks a move by the share of games won."""
    return arm.mean


def by_visits(arm: Arm) -> float:
    """Ranks a move by its visits; the share of games won decides between equals."""
    return arm.visits + arm.mean / 2


def by_corrected_mean(arm: Arm) -> float:
    """Ranks a branch by the share of games won, its head start included."""
    return arm.corrected_mean


class TreeSearch:
    """
    One search of one view. For example ``TreeSearch(kernel, view, options, seed=7).run(Limit(playouts=5000))``.

    *final* ranks the moves in the end, :func:`by_mean` or :func:`by_visits`. *worlds* is the address of a ddz_worlds
    to draw the hidden hands from. After every slice *report* gets the best move so far. With *branches* only these
    moves compete.

    :raises KernelError: if the kernel refuses the view, the options or the branches.
    """

    def __init__(
        self,
        kernel: Kernel,
        view: View,
        options: SearchOptions,
        seed: int = 0,
        final: Callable[[Arm], float] = by_visits,
        report: Optional[Callable[[Move], None]] = None,
        nodes: int = MOST_NODES,
        worlds: Optional[int] = None,
        branches: Optional[Branches] = None,
    ) -> None:
        self._search = NativeSearch(kernel, view, options, seed, nodes, worlds)
        if branches:
            self._search.branch(branches)
        self._final = final
        self._report = report
        self.arms = len(self._search.arms())
        """How many moves compete."""

    def run(self, limit: Limit, clock: Optional[Clock] = None) -> Result:
        """
        Searches until *limit* is reached, or the best move cannot change.

        *clock* was started when the limit's seconds began, by default now.

        :raises ValueError: for a limit of nothing, which would never end.
        """
        if limit.seconds is None and limit.playouts is None:
            raise ValueError("a tree search needs a limit of seconds or playouts")
        clock = clock or Clock.starting_now()
        done = 0
        slice_size = FIRST_SLICE
        while not self._is_over(limit, done, clock):
            before = clock.seconds()
            size = slice_size
            if limit.playouts is not None:
                size = min(size, limit.playouts - done, STEP - done % STEP)
            self._search.run(size)
            done += size
            if self._report:
                self._report(self._ranked()[0].move)
            slice_size = _next_slice(size, clock.seconds() - before)
        return Result(self._ranked(), done, self._search.nodes)

    def _is_over(self, limit: Limit, done: int, clock: Clock) -> bool:
        if done == 0:
            return False  # a result without any simulation says nothing
        if self.arms == 1 or (limit.playouts is not None and done >= limit.playouts):
            return True
        # The slice that would begin now would end behind the limit.
        if limit.seconds is not None and clock.seconds() + SLICE_SECONDS / 2 >= limit.seconds:
            return True
        return limit.playouts is not None and done % STEP == 0 and self._is_decided(limit.playouts - done)

    def _is_decided(self, left: int) -> bool:
        if self._final is not by_visits:
            return False
        first, second = self._ranked()[:2]
        return first.visits - second.visits > left

    def _ranked(self) -> List[Arm]:
        return sorted(self._search.arms(), key=self._final, reverse=True)


def _next_slice(size: int, seconds: float) -> int:
    """Adapts the slice so that the next one takes :data:`SLICE_SECONDS`; it grows fourfold at most."""
    if seconds <= 0:
        return 4 * size
    return max(1, min(4 * size, int(size * SLICE_SECONDS / seconds)))
