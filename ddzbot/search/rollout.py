"""
Search with the fast network: its best moves are played out over many worlds.

Thin over the kernel (:mod:`ddzbot.kernel.rollout`); docs/design/champion.md says how it searches.
"""

from math import sqrt
from typing import TYPE_CHECKING, List, Optional, Sequence, Tuple

from ddzbot.cards import Hand
from ddzbot.kernel.fast_records import chance
from ddzbot.kernel.rollout import NativeRollout, RolloutArm, RolloutOptions
from ddzbot.rules import Move
from ddzbot.search.slices import MoveResult, Search, SearchResult
from ddzbot.view import View

if TYPE_CHECKING:
    from ddzbot.kernel.fast_net import FastNet
    from ddzbot.kernel.worlds import KernelWorlds


class RolloutSearch(Search):
    """
    One search of one view: ``RolloutSearch(net, view, options, 7, worlds).run(Deadline(Limit(playouts=500)))``.

    *worlds* are those that the hidden hands are drawn from. It is settled when one move is left.

    :raises KernelError: if the kernel refuses the view, the worlds or the options.
    """

    first_slice = 50
    slice_seconds = 0.005

    def __init__(self, net: "FastNet", view: View, options: RolloutOptions, seed: int, worlds: "KernelWorlds") -> None:
        self._search = NativeRollout(net, view, options, seed, worlds)
        self._arms = self._search.arms()
        self._by_score = bool(options.by_score)
        self._prior, self._blend = options.prior, options.blend / 1000

    def only(self, moves: Sequence[Move]) -> None:
        """
        Lets only these moves compete, before the search has run; of many, the network's best.

        :raises KernelError: if none of them is legal.
        """
        self._search.only([move.cards for move in moves])
        self._arms = self._search.arms()

    @property
    def playouts(self) -> int:
        """The games that were played out so far."""
        return self._search.playouts

    def advance(self, playouts: int) -> None:
        """Plays out at least so many games more."""
        self._search.run(playouts)
        self._arms = self._search.arms()

    def is_settled(self, left: Optional[int]) -> bool:
        """Checks if all moves but one were given up."""
        return self._search.alive == 1

    def result(self) -> SearchResult:
        """Gets the moves, those with the most playouts first; the best one counts the network's evaluation too."""
        best = self._arms[self._search.best]
        top = self._share(best, best.mean_points, best.score) if self._by_score else self._win(best)
        moves = [self._result_of(arm, top - arm.behind) for arm in self._arms]
        moves.sort(key=lambda move: (move.visits, move.mean), reverse=True)
        return SearchResult(best.move, moves, self.playouts)

    def worlds(self) -> List[Tuple[Hand, Hand, float]]:
        """Lists the worlds that were drawn with their weights, as :meth:`NativeRollout.worlds` does."""
        return self._search.worlds()

    def _share(self, arm: RolloutArm, paid: float, expected: float) -> float:
        weight = self._prior + arm.visits * self._blend
        return (arm.visits * paid + weight * expected) / (arm.visits + weight) if arm.visits else expected

    def _win(self, arm: RolloutArm) -> float:
        return self._share(arm, arm.mean, chance(arm.win))

    def _result_of(self, arm: RolloutArm, value: float) -> MoveResult:
        prior, points = chance(arm.win), arm.mean_points if self._by_score else None
        error, own = (sqrt(max(0.0, square)) if arm.visits else None for square in (arm.variance, arm.own))
        win, expected = (self._win(arm), arm.score) if self._by_score else (value, prior)
        counts = (arm.move, arm.visits, arm.wins, prior, points)
        return MoveResult(*counts, arm.behind, error, win, value, expected, own)
