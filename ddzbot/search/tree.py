"""
Tree search over candidates, and how its moves are ranked in the end.

Thin over the kernel (:mod:`ddzbot.kernel.searching`), which does all the work; docs/design/search.md says how.
"""

from typing import TYPE_CHECKING, Callable, List, Optional, Tuple

from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.searching import Arm, Branches, NativeSearch, SearchOptions
from ddzbot.search.slices import MoveResult, Search, SearchResult
from ddzbot.view import View

if TYPE_CHECKING:
    from ddzbot.kernel.worlds import KernelWorlds

STEP = 1000
"""A limit of playouts may end early after multiples of this alone, so that the clock cannot change the result."""
MOST_NODES = 400000
"""Moves that the trees of a search have room for together, 16 MB."""
MOST_TREES = 64
"""A search has no more trees."""


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

    With several *trees* each has worlds of its own and an equal part of the playouts, and they vote in the end: the
    visits and wins of a move are added up (root parallelization: G. Chaslot, M. Winands, H. van den Herik, "Parallel
    Monte-Carlo tree search", 2008).

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
        trees: int = 1,
    ) -> None:
        self._worlds = worlds  # the kernel reads them as long as it searches
        address = worlds.address if worlds else None
        self._trees = [
            NativeSearch(kernel, view, options, seed + tree, nodes // trees, address) for tree in range(trees)
        ]
        for tree in self._trees:
            if branches:
                tree.branch(branches)
        self._final = final
        self.arms = len(self._trees[0].arms())
        """The number of moves that compete."""

    @property
    def playouts(self) -> int:
        """The simulations so far."""
        return sum(tree.simulations for tree in self._trees)

    def advance(self, playouts: int) -> None:
        """Runs so many simulations more; the part of each tree depends on their sum alone, and on no slice."""
        total, trees = self.playouts + playouts, len(self._trees)
        for index, tree in enumerate(self._trees):
            tree.run((total + trees - 1 - index) // trees - tree.simulations)

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
        best, runner_up = self._ranked()[:2]
        return best.visits - runner_up.visits > left

    def result(self) -> SearchResult:
        """Gets the moves of the root, best first."""
        moves = [MoveResult(arm.move, arm.visits, arm.wins) for arm in self._ranked()]
        return SearchResult(moves[0].move, moves, self.playouts, sum(tree.nodes for tree in self._trees))

    def _ranked(self) -> List[Arm]:
        arms = map(_added_up, zip(*(tree.arms() for tree in self._trees)))
        return sorted(arms, key=self._final, reverse=True)


def _added_up(arms: Tuple[Arm, ...]) -> Arm:
    """Adds up what the trees know of one move."""
    moves, *numbers = zip(*arms)
    return Arm(moves[0], *map(sum, numbers))
