"""
Tree search over candidates, and how its moves are ranked in the end.

Thin over the kernel (:mod:`ddzbot.kernel.searching`), which does all the work; docs/design/search.md says how.
"""

from typing import TYPE_CHECKING, Callable, List, Optional

from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.searching import Arm, Branches, NativeSearch, SearchOptions
from ddzbot.search.slices import MoveResult, Search, SearchResult
from ddzbot.view import View

if TYPE_CHECKING:
    from ddzbot.kernel.worlds import KernelWorlds

STEP = 1000
"""A limit of playouts may end early after multiples of this alone, so that the clock cannot change the result."""
MOST_NODES = 400000
"""Moves that a tree has room for, 16 MB."""


def by_mean(arm: Arm) -> float:
    """Ranks a move by the share of games won."""
    return arm.mean


def by_visits(arm: Arm) -> float:
    """Ranks a move by its visits; the share of games won decides between equals."""
    return arm.visits + arm.mean / 2


def by_corrected_mean(arm: Arm) -> float:
    """Ranks a branch by the share of games won, its head start included."""
    return arm.corrected_mean


class TreeSearch(Search):
    """
    One search of one view: ``TreeSearch(kernel, view, options, seed=7).run(Deadline(Limit(playouts=5000)))``.

    *final* ranks the moves in the end, :func:`by_mean` or :func:`by_visits`. *worlds* are those
    to draw the hidden hands from; without them each is as likely. With *branches* only these moves compete.

    :raises KernelError: if the kernel refuses the view, the options or the branches.
    """

    first_slice = 200
    slice_seconds = 0.01

    def __init__(
        self,
        kernel: Kernel,
        view: View,
        options: SearchOptions,
        seed: int = 0,
        final: Callable[[Arm], float] = by_visits,
        nodes: int = MOST_NODES,
        worlds: "Optional[KernelWorlds]" = None,
        branches: Optional[Branches] = None,
    ) -> None:
        self._worlds = worlds  # the kernel reads them as long as it searches
        self._search = NativeSearch(kernel, view, options, seed, nodes, worlds.address if worlds else None)
        if branches:
            self._search.branch(branches)
        self._final = final
        self.arms = len(self._search.arms())
        """The number of moves that compete."""

    @property
    def playouts(self) -> int:
        """The simulations so far."""
        return self._search.simulations

    def advance(self, playouts: int) -> None:
        """Runs so many simulations more."""
        self._search.run(playouts)

    def slice_of(self, wanted: int) -> int:
        """Gets the *wanted* simulations, but none beyond the next step, after which the search may be settled."""
        return min(wanted, STEP - self.playouts % STEP)

    def may_stop(self) -> bool:
        """Checks if anything was simulated: the moves of a tree without a simulation are in no order."""
        return self.playouts > 0

    def is_settled(self, left: Optional[int]) -> bool:
        """Checks if one move competes alone, or has more visits than the others can still get."""
        if self.arms == 1:
            return True
        if left is None or self.playouts % STEP or self._final is not by_visits:
            return False
        first, second = self._ranked()[:2]
        return first.visits - second.visits > left

    def result(self) -> SearchResult:
        """Gets the moves of the root, best first."""
        moves = [MoveResult(arm.move, arm.visits, arm.wins) for arm in self._ranked()]
        return SearchResult(moves[0].move, moves, self.playouts, self._search.nodes)

    def _ranked(self) -> List[Arm]:
        return sorted(self._search.arms(), key=self._final, reverse=True)
