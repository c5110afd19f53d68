"""
The interface for programs of your own: rule sets, games, views, moves, and what the champion makes of a position.

It runs on CPython 3.6 and newer with the standard library alone. What stands in ``__all__`` stays as it is within one
major version; every other module of this package may change with any release. For example, this plays a whole game::

    from ddzbot.api import Limit, View, choose, rule_set, shuffled, start

    game = start(shuffled(rule_set("botzone"), "my first deal"))
    while not game.finished:
        decision = choose(View.of(game, game.seat), Limit(playouts=200))
        game = game.play(decision.move)
    print(game.scores())

The functions keep networks and players from one call to the next. Threads may call them: each has players of its own.
The same view, seed and playouts give the same answer on every machine; seconds give what there was time for.
"""

import threading
from functools import lru_cache
from typing import Union

from ddzbot.cards import CardsError, Hand, hand_of_ids, hand_text, ids_for, parse_hand
from ddzbot.engine import Bid, Engine
from ddzbot.game import SEAT_NAMES, SEATS, Deal, Game, IllegalMoveError, auction, shuffled, start
from ddzbot.kernel import describe
from ddzbot.opinion import Estimate, Estimates, champions_opinion, finished, network_alone
from ddzbot.players.base import CannotPlay, Decision
from ddzbot.players.registry import DEFAULT_PLAYER, PlayerError, checked_player, player_names
from ddzbot.rules import (
    KIND_NAMES,
    PASS,
    RULE_SETS,
    Move,
    RulesError,
    RuleSet,
    beats,
    classify,
    explain,
    legal_moves,
    parse_move,
    read_move,
    rule_set,
)
from ddzbot.search.deadline import Deadline
from ddzbot.search.endgame import Solution, Solver
from ddzbot.search.endgame_position import Endgame, EndgameError
from ddzbot.search.limit import NO_LIMIT, Limit
from ddzbot.view import BidView, View

__all__ = [
    "DEFAULT_PLAYER",
    "KIND_NAMES",
    "NO_LIMIT",
    "PASS",
    "RULE_SETS",
    "SEATS",
    "SEAT_NAMES",
    "Bid",
    "BidView",
    "CannotPlay",
    "CardsError",
    "Deal",
    "Decision",
    "Endgame",
    "EndgameError",
    "Estimate",
    "Estimates",
    "Game",
    "Hand",
    "IllegalMoveError",
    "Limit",
    "Move",
    "PlayerError",
    "RuleSet",
    "RulesError",
    "Solution",
    "View",
    "ViewError",
    "analyse",
    "auction",
    "beats",
    "bid",
    "choose",
    "classify",
    "describe",
    "explain",
    "hand_of_ids",
    "hand_text",
    "ids_for",
    "legal_moves",
    "parse_hand",
    "parse_move",
    "player_names",
    "read_move",
    "rule_set",
    "shuffled",
    "solve",
    "start",
]

_KEPT_ENGINES = 8


class ViewError(ValueError):
    """Raised for a view that nobody can have whose turn it is; the message is one sentence that says why."""


class _Kept(threading.local):
    """The engines of one thread: each holds the seed and the best move of the decision that it makes."""

    def __init__(self) -> None:
        self.engine = lru_cache(maxsize=_KEPT_ENGINES)(_made)


def _made(player: str) -> Engine:
    return Engine(checked_player(player).text)


_kept = _Kept()


def choose(view: View, limit: Limit = NO_LIMIT, player: str = DEFAULT_PLAYER, seed: int = 0) -> Decision:
    """
    Chooses a legal move within *limit*, for example ``choose(view, Limit(seconds=0.2)).move``.

    Without a limit the player makes its usual playouts, 1,000 for ``champion``. *player* is written as everywhere:
    ``rule``, or with options ``mcm:setting=thesis``. If it lacks kernel or network, a stand-in chooses, and
    ``failures`` says why.

    :raises ViewError: for a view that contradicts itself, or of a seat that is not to move.
    :raises PlayerError: for an unknown player, option or value.
    """
    return _engine(player, seed).choose(_checked(view), limit)


def bid(view: BidView, player: str = DEFAULT_PLAYER, seed: int = 0) -> Bid:
    """
    Chooses a legal bid, for example ``bid(BidView(rule_set("botzone2"), hand, ())).bid``.

    :raises PlayerError: for an unknown player, option or value.
    """
    return _engine(player, seed).bid(view)


def analyse(view: View, limit: Limit = NO_LIMIT, seed: int = 0) -> Estimates:
    """
    Says how good each legal move is, the best first: the champion's opinion within *limit*.

    The first move is the one that ``choose(view, limit)`` makes with the same seed and playouts. Without the kernel the
    network alone values the moves, and no limit counts.

    :raises ViewError: as :func:`choose`.
    :raises CannotPlay: without a network; the sentence says why there is none.
    """
    try:
        return finished(view, _estimated(_checked(view), limit, seed))
    except ViewError:
        raise
    except ValueError as error:  # what belief and kernel refuse, in a sentence
        raise ViewError(str(error)) from None


def solve(position: Union[Endgame, Game], limit: Limit = NO_LIMIT) -> Solution:
    """
    Finds the winner and every winning move with all hands open; *limit* counts positions as its playouts.

    For example ``solve(Endgame(rule_set("standard"), (parse_hand("4667788QK2"), parse_hand("334455QK2"))))``. A winner
    or a move that the limit is not enough for is unknown, and never wrong. Without a limit it may take for ever.

    :raises EndgameError: for a position that cannot be, such as one in which somebody is out.
    """
    endgame = Endgame.of(position) if isinstance(position, Game) else position
    return Solver(endgame.rules, endgame.banned).solve(endgame, Deadline(limit))


def _estimated(view: View, limit: Limit, seed: int) -> Estimates:
    try:
        return champions_opinion(view, limit, seed).estimates
    except CannotPlay as error:
        estimates = network_alone(view, seed)
        estimates.notes["no_search"] = str(error)
        return estimates


def _checked(view: View) -> View:
    to_move = len(view.plays) % SEATS
    if view.seat != to_move:
        raise ViewError(f"after {len(view.plays)} moves it is the turn of seat {to_move}, not of seat {view.seat}")
    contradiction = view.contradiction()
    if contradiction:
        raise ViewError(contradiction)
    return view


def _engine(player: str, seed: int) -> Engine:
    engine = _kept.engine(player)
    engine.reseed(seed)
    return engine
