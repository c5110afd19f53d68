"""
Precise values of the moves of a decision: the champion's search, in which no move is given up.

Two such searches, the halves, draw their worlds from different seeds. In each, all moves are played out in the same
worlds and so equally often, and the network's evaluation counts nothing. The halves are independent of each
other, so that a move picked by one can be valued by the other, and products of their errors are 0 on average.
"""

from typing import Any, NamedTuple

from ddzbot.belief.certain import Certain, what_is_certain
from ddzbot.belief.models import MOST_OF_A_RANK, Model, Table
from ddzbot.cards import RANK_COUNT, Hand, count
from ddzbot.evaluation import FARTHEST
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.rollout import MOST_ARMS
from ddzbot.players.champion import ChampionPlayer
from ddzbot.search.certain import Proved, look_for_wins
from ddzbot.search.deadline import Deadline
from ddzbot.search.limit import Limit
from ddzbot.search.slices import MoveResult, SearchResult
from ddzbot.view import View

from ...shared.seeds import player_seed
from .decision import Pair, ValuedMove
from .recipe import HALVES, Recipe

_DIGITS = 6
_FEWEST = 2
"""A search with a single move is over before it begins."""


class Values(NamedTuple):
    """The moves that competed, the network's best first, and how many worlds count, by half."""

    moves: tuple[ValuedMove, ...]
    worlds: tuple[int, int]


def is_open(kernel: Kernel, view: View) -> bool:
    """Tells whether several moves compete, and none is proved to win or wins in all worlds with open hands."""
    if len(ChampionPlayer(0).search_of(view).result().moves) < 2:
        return False
    return look_for_wins(kernel, view, what_is_certain(view), Deadline()).proved is Proved.NOTHING


def values_of(
    recipe: Recipe, deal: str, view: View, hands: tuple[Hand, Hand, Hand], also: str | None = None
) -> Values | None:
    """
    Values the moves that compete, and with *also* all that the network ranks above that move, too.

    More moves change no value of the others: all meet the same worlds. None if too many would compete.
    """
    worths = ChampionPlayer(0, search="none").consider(view, Limit()).worths
    options: dict[str, Any] = {}
    if also is not None:
        rank = next((rank for rank, worth in enumerate(worths, 1) if str(worth.move) == also), MOST_ARMS + 1)
        if rank > MOST_ARMS:
            return None
        options = {"max_moves": max(_FEWEST, rank), "margin": FARTHEST}
    halves = [_half(recipe, player_seed(deal, 1 + half, view.seat), view, options) for half in range(HALVES)]
    real = _found(ChampionPlayer(0, prune_z=0, prior=0, oversample=0, belief=_known(hands), **options), view, 1)
    one, two = ({found.move.cards: found for found in half.moves} for half in halves)
    truly = {found.move.cards: found for found in real.moves}
    moves = [
        ValuedMove(
            move=str(worth.move),
            logit=round(worth.win, _DIGITS),
            score=round(worth.score, _DIGITS),
            won=_pair(one[cards].mean, two[cards].mean),
            paid=_pair(_paid(one[cards]), _paid(two[cards])),
            errors=_pair(one[cards].error or 0.0, two[cards].error or 0.0),
            open=round(_paid(truly[cards]), _DIGITS),
        )
        for worth in worths
        if (cards := worth.move.cards) in one
    ]
    return Values(tuple(moves), (halves[0].moves[0].visits, halves[1].moves[0].visits))


def _half(recipe: Recipe, seed: int, view: View, options: dict[str, Any]) -> SearchResult:
    return _found(
        ChampionPlayer(seed, prune_z=0, prior=0, oversample=recipe.drawn, **options), view, recipe.worlds // HALVES
    )


def _found(player: ChampionPlayer, view: View, worlds: int) -> SearchResult:
    """Plays every move out in so many worlds that differ, or in all that there are."""
    search = player.search_of(view)
    search.advance(worlds * len(search.result().moves))
    return search.result()


def _paid(one: MoveResult) -> float:
    return one.mean if one.points is None else one.points


def _pair(one: float, two: float) -> Pair:
    return round(one, _DIGITS), round(two, _DIGITS)


def _known(hands: tuple[Hand, Hand, Hand]) -> Model:
    """Makes the belief of a player who sees all hands."""

    def table(view: View, certain: Certain) -> Table:
        hand = hands[certain.seats[0]]
        return [[int(count(hand, rank) == cards) for cards in range(MOST_OF_A_RANK + 1)] for rank in range(RANK_COUNT)]

    return table
