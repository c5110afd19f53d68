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
The same view, seed and playouts give the same answer on every machine; seconds give what there was time for. What
cannot be right is refused with a ``TypeError`` or a ``ValueError`` in one sentence.
"""

import threading
from functools import lru_cache
from math import inf
from typing import TypeVar, Union

from ddzbot.cards import FULL_DECK, CardsError, Hand, hand_of_ids, hand_text, ids_for, parse_hand
from ddzbot.engine import Bid, Engine
from ddzbot.game import SEAT_NAMES, SEATS, Deal, Game, IllegalMoveError, auction, shuffled, start
from ddzbot.kernel import describe
from ddzbot.opinion import Estimate, Estimates, opinion_of
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

_ENGINES_OF_A_THREAD = 8
_View = TypeVar("_View", View, BidView)


class ViewError(ValueError):
    """Raised for a view that nobody can have whose turn it is; the message is one sentence that says why."""


class _Engines(threading.local):
    """The engines of one thread: each holds the seed and the best move of the decision that it makes."""

    def __init__(self) -> None:
        self.engine = lru_cache(maxsize=_ENGINES_OF_A_THREAD)(_new_engine)


def _new_engine(player: str) -> Engine:
    return Engine(checked_player(player).text)


_engines = _Engines()


def choose(view: View, limit: Limit = NO_LIMIT, player: str = DEFAULT_PLAYER, seed: int = 0) -> Decision:
    """
    Chooses a legal move within *limit*, for example ``choose(view, Limit(seconds=0.2)).move``.

    Without a limit the player makes its usual playouts, 1,000 for ``champion``. *player* is written as everywhere:
    ``rule``, or with options ``mcm:setting=thesis``. If it lacks kernel or network, a stand-in chooses, and
    ``failures`` says why.

    :raises ViewError: for a view that contradicts itself, or of a seat that is not to move.
    :raises PlayerError: for an unknown player, option or value.
    :raises TypeError: for an argument of another type, such as a number as *limit*.
    :raises ValueError: for a limit that is below 0, or no number.
    """
    return _engine(player, seed).choose(_checked(view), _checked_limit(limit))


def bid(view: BidView, player: str = DEFAULT_PLAYER, seed: int = 0) -> Bid:
    """
    Chooses a legal bid, for example ``bid(BidView(rule_set("botzone2"), hand, ())).bid``.

    :raises ViewError: for a hand that nobody was dealt, for bids that cannot be, and after the end of the auction.
    :raises PlayerError: for an unknown player, option or value.
    :raises TypeError: for an argument of another type.
    """
    return _engine(player, seed).bid(_checked_bid(view))


def analyse(view: View, limit: Limit = NO_LIMIT, seed: int = 0) -> Estimates:
    """
    Says how good each legal move is, the best first, within *limit*: the numbers that every command and page shows.

    All moves are played out in the same worlds, none is given up. ``choose`` gives up what is behind, so that of moves
    that are nearly as good it may lay another than the first. Without the kernel the network alone values the moves,
    and no limit counts.

    :raises ViewError, TypeError, ValueError: as :func:`choose`.
    :raises CannotPlay: without a network; the sentence says why there is none.
    """
    _demand("seed", seed, "a whole number", int)
    _checked_limit(limit)
    try:
        return opinion_of(_checked(view), limit, seed).estimates
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
    :raises TypeError: for an argument of another type.
    :raises ValueError: for a limit that is below 0, or no number.
    """
    _demand("position", position, "an Endgame or a Game", Endgame, Game)
    endgame = Endgame.of(position) if isinstance(position, Game) else position
    return Solver(endgame.rules, endgame.banned).solve(endgame, Deadline(_checked_limit(limit)))


def _checked(view: View) -> View:
    _demand("view", view, "a View", View)
    for name in ("seat", "stake", "landlord_position"):
        _demand(name, getattr(view, name), "a whole number", int)
    for name in ("bids", "plays"):
        _demand(name, getattr(view, name), "a tuple", tuple, list)
    _check_cards("bottom", view.bottom)
    for move in view.plays:
        _demand("plays: a move", move, "a Move", Move)
        _check_cards("plays: a move", move.cards)
    to_move = len(view.plays) % SEATS
    if view.seat in range(SEATS) and view.seat != to_move:
        raise ViewError(f"after {len(view.plays)} moves it is the turn of seat {to_move}, not of seat {view.seat}")
    return _without_contradiction(view._replace(bids=tuple(view.bids), plays=tuple(view.plays)))


def _checked_bid(view: BidView) -> BidView:
    _demand("view", view, "a BidView", BidView)
    _demand("bids", view.bids, "a tuple", tuple, list)
    return _without_contradiction(view._replace(bids=tuple(view.bids)))


def _without_contradiction(view: _View) -> _View:
    _demand("rules", view.rules, "a RuleSet", RuleSet)
    _check_cards("hand", view.hand)
    contradiction = view.contradiction()
    if contradiction:
        raise ViewError(contradiction)
    return view


def _check_cards(name: str, cards: Hand) -> None:
    _demand(name, cards, "a Hand", int)
    if not 0 <= cards <= FULL_DECK:
        raise ViewError(f"{name} {cards}: these cards are in no deck")


def _checked_limit(limit: Limit) -> Limit:
    _demand("limit", limit, "a Limit, such as Limit(seconds=0.2)", Limit)
    if limit.seconds is not None:
        _demand("limit.seconds", limit.seconds, "a number", int, float)
    if limit.playouts is not None:
        _demand("limit.playouts", limit.playouts, "a whole number", int)
    for name, number in zip(limit._fields, limit):
        if number is not None and not 0 <= number < inf:
            raise ValueError(f"limit.{name} must be 0 or more, or None, not {number!r}")
    return limit


def _demand(name: str, given: object, what: str, *types: type) -> None:
    if isinstance(given, bool) or not isinstance(given, types):
        raise TypeError(f"{name} must be {what}, not {given!r:.60}")


def _engine(player: str, seed: int) -> Engine:
    _demand("player", player, "a text", str)
    _demand("seed", seed, "a whole number", int)
    engine = _engines.engine(player)
    engine.reseed(seed)
    return engine
