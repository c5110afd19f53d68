"""Games of the search against itself, and what it found out at each decision."""

import math
import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ddzbot.game import SEATS, shuffled, start
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.searching import Arm, candidates
from ddzbot.rules import rule_set
from ddzbot.search.deadline import Deadline
from ddzbot.search.limit import Limit
from ddzbot.search.slices import MoveResult
from ddzbot.search.tree import TreeSearch, by_mean, by_visits
from ddzbot.view import View

from ..making import Stopped
from .plan import THESIS, SearchSelfPlay

WARMTH = 0.1
"""When exploring, a move that wins so much less of its games than the best is e times less likely to be played."""


class Searched(NamedTuple):
    """A decision between several candidates."""

    game: int
    """The index of the deal."""
    view: View
    arms: list[MoveResult]
    """The candidates, all with visits, in the order of their cards."""
    choice: int
    """The place of the best one in ``arms``."""
    playouts: int

    @property
    def cards_left(self) -> list[int]:
        """The cards that each seat holds, by seat."""
        return [self.view.cards_left(seat) for seat in range(SEATS)]


def searched_game(
    kernel: Kernel, plan: SearchSelfPlay, index: int, stopped: Callable[[], bool] = lambda: False
) -> Iterator[Searched]:
    """
    Plays one game, and yields every decision that was one: a single candidate, or one that goes out, is played unseen.

    :raises Stopped: once *stopped* says so.
    """
    deal = plan.deal_seed(index)
    chance = random.Random(f"{deal}/selfplay")
    game = start(shuffled(rule_set(plan.rules), deal))
    while not game.finished:
        if stopped():
            raise Stopped
        view = View.of(game, game.seat)
        moves = candidates(kernel, view.rules, view.hand, view.to_beat, plan.options(1).root_margin)
        move = next((move for move in moves if move.cards == view.hand), moves[0])
        if len(moves) > 1 and move.cards != view.hand:
            searched = search(kernel, plan, index, view, len(moves), chance.getrandbits(63))
            yield searched
            move = searched.arms[_played(searched, plan.explore, chance)].move
        game = game.played(move)


def search(kernel: Kernel, plan: SearchSelfPlay, index: int, view: View, count: int, seed: int) -> Searched:
    """Searches one decision of game *index* with the plan's budget for *count* candidates."""
    final = by_mean if plan.setting == THESIS else _by_visits
    tree = TreeSearch(kernel, view, plan.options(count), seed, final)
    result = tree.run(Deadline(Limit(playouts=plan.budget(count))))
    arms = sorted(result.moves, key=lambda arm: arm.move.cards)
    return Searched(index, view, arms, arms.index(result.moves[0]), result.playouts)


def _by_visits(arm: Arm) -> float:
    """Ranks as by_visits does. With that itself a search ends early, and a record's simulations shall be whole."""
    return by_visits(arm)


def _played(searched: Searched, explore: float, chance: random.Random) -> int:
    """Chooses what is played: the best move, or when exploring one of all, the better the likelier."""
    if chance.random() >= explore:
        return searched.choice
    best = max(arm.mean for arm in searched.arms)
    weights = [math.exp((arm.mean - best) / WARMTH) for arm in searched.arms]
    return chance.choices(range(len(weights)), weights)[0]
