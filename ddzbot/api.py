"""
The interface for programs of your own: rule sets, games, views, moves, and what the champion makes of a position.

It runs on CPython 3.6 and newer with the standard library alone. The names in ``__all__`` stay as they are within
one major version; all other modules of this package may change with any release. For example, this plays a whole game::

    from ddzbot.api import Limit, View, choose, rule_set, shuffled, start

    game = start(shuffled(rule_set("botzone"), "my first deal"))
    while not game.finished:
        decision = choose(View.of(game, game.seat), Limit(playouts=200))
        game = game.play(decision.move)
    print(game.scores())

The functions keep networks and players from one call to the next. Threads may call them: each has players of its own.
The same view, seed and playouts give the same answer on every machine; seconds give what there was time for. What
cannot be right is refused with a ``TypeError`` or a ``ValueError`` in one sentence. A thread with a small stack may
call as well: :mod:`ddzbot.stack` lends a larger one.
"""

import threading
from functools import lru_cache
from typing import Callable, Optional, TypeVar, Union

from ddzbot import arguments, cards, game, rules
from ddzbot.arguments import refusing
from ddzbot.cards import CardsError, Hand
from ddzbot.engine import Bid, Engine
from ddzbot.evaluation import Estimate, Estimates, evaluate
from ddzbot.game import SEAT_NAMES, SEATS, Deal, Game, IllegalMoveError
from ddzbot.kernel import describe
from ddzbot.players.base import CannotPlay, Decision
from ddzbot.players.registry import DEFAULT_PLAYER, PlayerError, checked_player, player_names
from ddzbot.rules import KIND_NAMES, PASS, RULE_SETS, Move, RulesError, RuleSet
from ddzbot.search.deadline import Deadline
from ddzbot.search.endgame import Solution, Solver
from ddzbot.search.endgame_position import Endgame, EndgameError
from ddzbot.search.limit import NO_LIMIT, Limit
from ddzbot.stack import with_large_stack
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
_Answer = TypeVar("_Answer")

# The rules for programs of others: as in their modules, but what cannot be right is refused.
auction = refusing(game.auction, bids=arguments.bids)
beats = refusing(rules.beats, rules=arguments.rules, cards=arguments.hand, to_beat=arguments.hand)
classify = refusing(rules.classify, rules=arguments.rules, cards=arguments.hand, recognised=arguments.truth)
explain = refusing(
    rules.explain, rules=arguments.rules, hand=arguments.hand, cards=arguments.hand, to_beat=arguments.to_beat
)
hand_of_ids = refusing(cards.hand_of_ids, ids=arguments.ids)
hand_text = refusing(cards.hand_text, hand=arguments.hand)
ids_for = refusing(cards.ids_for, own_ids=arguments.ids, cards=arguments.hand)
legal_moves = refusing(rules.legal_moves, rules=arguments.rules, hand=arguments.hand, to_beat=arguments.to_beat)
parse_hand = refusing(cards.parse_hand, text=arguments.cards_text)
parse_move = refusing(rules.parse_move, rules=arguments.rules, text=arguments.cards_text)
read_move = refusing(rules.read_move, rules=arguments.rules, cards=arguments.hand)
rule_set = refusing(rules.rule_set, name=arguments.cards_text)
shuffled = refusing(game.shuffled, rules=arguments.rules, seed=arguments.text)
start = refusing(game.start, deal=arguments.deal, bids=arguments.bids, landlord_position=arguments.whole)


class ViewError(ValueError):
    """Raised for a view that the player to move cannot have; the message says why."""


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
    ``rule``, or with options ``mcm:setting=thesis``. If it lacks kernel or network, a fallback chooses, and
    ``failures`` says why.

    :raises ViewError: for a view that contradicts itself, or of a seat that is not to move.
    :raises PlayerError: for an unknown player, option or value.
    :raises TypeError: for an argument of another type, such as a number as *limit*.
    :raises ValueError: for a limit that is below 0, or no number.
    """
    engine, checked, within = _engine(player, seed), _checked(view), arguments.limit("limit", limit)
    return _asked(lambda: engine.choose(checked, within))


def bid(view: BidView, player: str = DEFAULT_PLAYER, seed: int = 0) -> Bid:
    """
    Chooses a legal bid, for example ``bid(BidView(rule_set("botzone2"), hand, ())).bid``.

    :raises ViewError: for a hand that is not as large as a dealt one, for impossible bids, and after the auction.
    :raises PlayerError: for an unknown player, option or value.
    :raises TypeError: for an argument of another type.
    """
    engine, checked = _engine(player, seed), _checked_bid(view)
    return _asked(lambda: engine.bid(checked))


def analyse(view: View, limit: Limit = NO_LIMIT, seed: int = 0) -> Estimates:
    """
    Says how good each legal move is, the best first, within *limit*: the numbers that every command and page shows.

    All moves are played out in the same worlds, none is given up. ``choose`` gives up what is behind, so that of moves
    that are nearly as good it may play another than the first. Without the kernel the network alone values the moves,
    and no limit counts.

    :raises ViewError, TypeError, ValueError: as :func:`choose`.
    :raises CannotPlay: without a network; the sentence says why there is none.
    """
    arguments.seed("seed", seed)
    checked, within = _checked(view), arguments.limit("limit", limit)
    try:
        return _asked(lambda: evaluate(checked, within, seed)).estimates
    except ValueError as error:  # what belief and kernel refuse, in a sentence
        raise ViewError(str(error)) from None


def solve(position: Union[Endgame, Game], limit: Limit = NO_LIMIT) -> Solution:
    """
    Finds the winner and every winning move with all hands open; *limit* counts positions as its playouts.

    For example ``solve(Endgame(rule_set("standard"), (parse_hand("4667788QK2"), parse_hand("334455QK2"))))``. A winner
    or a move that the limit is not enough for is unknown, and never wrong. Without a limit it may take for ever.

    :raises EndgameError: for an impossible position, such as one in which a hand is empty.
    :raises TypeError: for an argument of another type.
    :raises ValueError: for a limit that is below 0, or no number.
    """
    arguments.demand("position", position, "an Endgame or a Game", Endgame, Game)
    if isinstance(position, Game):
        try:
            position = Endgame.of(arguments.game("position", position))
        except ValueError as error:
            raise EndgameError(str(error)) from None
    endgame, within = arguments.endgame("position", position), arguments.limit("limit", limit)
    return _asked(lambda: Solver(endgame.rules, endgame.banned).solve(endgame, Deadline(within)))


def _checked(view: View) -> View:
    arguments.demand("view", view, "a View", View)
    rules = _view_rules(view)
    try:
        for field in ("seat", "stake", "landlord_position"):
            arguments.whole(field, getattr(view, field))
        bids = arguments.heard_bids("bids", view.bids)
        plays = arguments.moves("plays", view.plays, rules)
        arguments.hand("bottom", view.bottom)
        arguments.hand("hand", view.hand)
    except ValueError as error:
        raise ViewError(str(error)) from None
    to_move = len(plays) % SEATS
    if view.seat in range(SEATS) and view.seat != to_move:
        raise ViewError(f"after {len(plays)} moves it is the turn of seat {to_move}, not of seat {view.seat}")
    checked = view._replace(bids=bids, plays=plays)
    _refuse(checked.contradiction() or checked.contradiction_of_turns())
    return checked


def _checked_bid(view: BidView) -> BidView:
    arguments.demand("view", view, "a BidView", BidView)
    _view_rules(view)
    try:
        bids = arguments.bids("bids", view.bids)
        arguments.hand("hand", view.hand)
    except ValueError as error:
        raise ViewError(str(error)) from None
    checked = view._replace(bids=bids)
    _refuse(checked.contradiction())
    return checked


def _view_rules(view: Union[View, BidView]) -> RuleSet:
    try:
        return arguments.rules("rules", view.rules)
    except ValueError as error:
        raise ViewError(str(error)) from None


def _refuse(contradiction: Optional[str]) -> None:
    if contradiction:
        raise ViewError(contradiction)


def _asked(call: Callable[[], _Answer]) -> _Answer:
    try:
        return with_large_stack(call)
    except KeyboardInterrupt:
        _engines.engine.cache_clear()  # a thread without a caller may still use them
        raise


def _engine(player: str, seed: int) -> Engine:
    arguments.text("player", player)
    arguments.seed("seed", seed)
    engine = _engines.engine(player)
    engine.reseed(seed)
    return engine
