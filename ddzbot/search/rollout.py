"""
Search with the fast network: its best moves are played out over many worlds.

Thin over the kernel (:mod:`ddzbot.kernel.rollout`); docs/design/champion.md says how it searches.
"""

from math import sqrt
from typing import TYPE_CHECKING, List, Optional, Sequence, Tuple

from ddzbot.cards import Hand
from ddzbot.kernel.fast_records import chance
from ddzbot.kernel.rollout import NativeRollout, RolloutArm, RolloutOptions
from ddzbot.search.slices import Found, FoundMove, Search
from ddzbot.view import View

if TYPE_CHECKING:
    from ddzbot.belief.heard import Way
    from ddzbot.kernel.bid_net import KernelBidNet
    from ddzbot.kernel.fast_net import FastNet
    from ddzbot.kernel.worlds import KernelWorlds


class RolloutSearch(Search):
    """
    One search of one view: ``RolloutSearch(net, view, options, 7, worlds).run(Deadline(Limit(playouts=500)))``.

    *worlds* are those that the hidden hands are drawn from. It is settled when one move is left. With *win_points*,
    what a win pays more than a loss, tricks decide between moves that win alike within the error.

    :raises KernelError: if the kernel refuses the view, the worlds or the options.
    """

    first_slice = 50
    slice_seconds = 0.005

    def __init__(
        self,
        net: "FastNet",
        view: View,
        options: RolloutOptions,
        seed: int,
        worlds: "KernelWorlds",
        win_points: float = 0,
    ) -> None:
        self._search = NativeRollout(net, view, options, seed, worlds)
        self._arms = self._search.arms()
        self._by_score = bool(options.by_score)
        self._win_points = win_points

    def hear(self, bid_net: "KernelBidNet", ways: "Sequence[Way]", heat: int) -> None:
        """Lets the auction weigh the worlds too, before the first playout, as :meth:`NativeRollout.hear` does."""
        self._search.hear(bid_net, ways, heat)

    @property
    def playouts(self) -> int:
        """The games that were played out so far."""
        return self._search.playouts

    def advance(self, playouts: int) -> None:
        """Plays out at least so many games more."""
        self._search.run(playouts)
        self._arms = self._search.arms()

    def is_settled(self, left: Optional[int]) -> bool:
        """Tells whether all moves but one were given up."""
        return self._search.alive == 1

    def found(self) -> Found:
        """Gets the moves, those with the most playouts first; the best one counts the network's opinion too."""
        best = self._best().move
        moves = sorted(map(self._found_move, self._arms), key=lambda move: (move.visits, move.mean), reverse=True)
        return Found(best, moves, self.playouts)

    def _best(self) -> RolloutArm:
        """Gets the best move; with ``win_points`` of those that win alike the one that all in all is paid the most."""
        best = self._arms[self._search.best]
        if self._by_score or not self._win_points:
            return best
        alike = [
            arm
            for index, arm in enumerate(self._arms)
            if self._search.is_alive(index) and arm.visits == best.visits and arm.behind <= sqrt(max(0.0, arm.variance))
        ]
        return max([best, *alike], key=lambda arm: arm.mean_points - self._win_points * arm.behind)

    def worlds(self) -> List[Tuple[Hand, Hand, float]]:
        """Lists the worlds that were drawn with their weights, as :meth:`NativeRollout.worlds` does."""
        return self._search.worlds()

    def _found_move(self, arm: RolloutArm) -> FoundMove:
        points = arm.mean_points if self._by_score else None
        error = sqrt(max(0.0, arm.variance)) if arm.visits else None
        return FoundMove(arm.move, arm.visits, arm.wins, chance(arm.win), points, arm.behind, error)
