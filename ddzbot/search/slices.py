"""
The one way to think: a search runs in slices, names its best move after each, and stops when its deadline says so.

:class:`ddzbot.search.tree.TreeSearch` and :class:`ddzbot.search.rollout.RolloutSearch` are such searches.
"""

from typing import Callable, List, NamedTuple, Optional, Sequence

from ddzbot.rules import Move
from ddzbot.search.deadline import Deadline


class MoveResult(NamedTuple):
    """A move that competed, and what the search found out about it."""

    move: Move
    visits: int
    """Its playouts, or the worlds that it was played out in."""
    wins: int
    """The number of playouts that the own side won."""
    prior: Optional[float] = None
    """The chance of winning that the network gave it before the search."""
    points: Optional[float] = None
    """The mean payment of a playout, where points decide."""
    behind: float = 0.0
    """The distance to the best move, as a probability or in points, by playouts in the same worlds and the network."""
    error: Optional[float] = None
    """The standard error of the playouts in ``behind``; of the best move, that of what it was paid; None: unknown."""
    win: float = 0.0
    """The chance of winning, the network's evaluation included as it counts in the choice."""
    value: float = 0.0
    """The same of what decides, games or points; the best move leads in it."""
    expected: float = 0.0
    """The network's own part in ``value``."""
    own_error: Optional[float] = None
    """The standard error of what it was paid; None: unknown."""

    @property
    def mean(self) -> float:
        """The share of playouts that were won, 0 without any."""
        return self.wins / self.visits if self.visits else 0.0


class SearchResult(NamedTuple):
    """The result of a search."""

    move: Move
    """The best move."""
    moves: List[MoveResult]
    """All moves that competed, the best guesses first."""
    playouts: int
    nodes: int = 0
    """Moves in the tree, 0 of a search without one."""

    def best_among(self, some: Sequence[Move]) -> Move:
        """Gets the best move; with *some* moves the best of these, which need not have competed."""
        if not some or self.move in some:
            return self.move
        return next((arm.move for arm in self.moves if arm.move in some), some[0])


class Search:
    """The base class of searches: a subclass runs slices, and :meth:`run` is the one loop around them."""

    first_slice = 100
    """Playouts before the first look at the clock: some milliseconds at most."""
    slice_seconds = 0.01
    """The seconds of a slice, and so about how late a search may end."""
    watch: "Optional[Callable[[Search], bool]]" = None
    """Of all searches in a process: sees each after every slice, and says whether its answer is wanted now."""

    @property
    def playouts(self) -> int:
        """The playouts so far."""
        raise AssertionError(f"{type(self).__name__} does not count")

    def advance(self, playouts: int) -> None:
        """Makes at least one and about so many *playouts* more, or as many as there is room for."""
        raise AssertionError(f"{type(self).__name__} does not search")

    def result(self) -> SearchResult:
        """Gets what is known so far."""
        raise AssertionError(f"{type(self).__name__} finds nothing")

    def slice_of(self, wanted: int) -> int:
        """Gets how many of the *wanted* playouts the next slice may have."""
        return wanted

    def is_settled(self, left: Optional[int]) -> bool:
        """Checks if more playouts, at most the *left* ones, would not change the best move."""
        raise AssertionError(f"{type(self).__name__} is never settled")

    def may_stop(self) -> bool:
        """Checks if there is an answer already; without one, time that is over does not end the search."""
        return True

    def run(self, deadline: Deadline, report: Optional[Callable[[Move], None]] = None) -> SearchResult:
        """
        Searches until *deadline*, or until the best move cannot change; *report* gets the best move after every slice.

        :raises ValueError: for a deadline of nothing, at which a search might never end.
        """
        if deadline.is_endless:
            raise ValueError("a search needs a limit of seconds or playouts")
        size, took = self.first_slice, 0.0
        while not (self.may_stop() and self._is_over(deadline, took)):
            began, done = deadline.elapsed(), self.playouts
            self.advance(self.slice_of(max(1, deadline.granted(size))))
            made = self.playouts - done
            deadline.charge(made)
            if report:
                report(self.result().move)
            if made == 0 or (Search.watch and self.may_stop() and Search.watch(self)):
                break
            took = deadline.elapsed() - began
            size = self._next_slice(made, took)
        return self.result()

    def _is_over(self, deadline: Deadline, took: float) -> bool:
        # The slice that would begin now must not end behind the limit, even if other programs interrupt it as they
        # did the last one.
        usual = self.slice_seconds / 2
        return deadline.is_over(max(usual, took - usual)) or self.is_settled(deadline.playouts_left)

    def _next_slice(self, playouts: int, seconds: float) -> int:
        """Adapts the slice so that the next one takes the seconds that it shall; it grows fourfold at most."""
        if seconds <= 0:
            return 4 * playouts
        return max(1, min(4 * playouts, int(playouts * self.slice_seconds / seconds)))
