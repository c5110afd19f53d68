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
from typing import Callable, List, Optional, TypeVar, Union

from ddzbot import arguments, cards, game
from ddzbot import rules as known_rules
from ddzbot.arguments import refusing
from ddzbot.cards import ACE, BIG_JOKER, LITTLE_JOKER, RANKS, TWO, CardsError, Hand
from ddzbot.engine import Bid, Engine
from ddzbot.evaluation import Estimate, Estimates, evaluate
from ddzbot.game import SEAT_NAMES, SEATS, Deal, Game, IllegalMoveError
from ddzbot.illegal_moves import Refusal
from ddzbot.kernel import describe
from ddzbot.players.base import CannotPlay, Decision
from ddzbot.players.registry import DEFAULT_PLAYER, PlayerError, checked_player, player_names
from ddzbot.rules import (
    BOMB,
    FOUR_TWO_PAIR,
    FOUR_TWO_SOLO,
    KIND_NAMES,
    PAIR,
    PAIR_CHAIN,
    PASS,
    PASS_KIND,
    PLANE,
    PLANE_PAIR,
    PLANE_SOLO,
    ROCKET,
    RULE_SETS,
    SHUTTLE,
    SHUTTLE_PAIR,
    SHUTTLE_SOLO,
    SOLO,
    SOLO_CHAIN,
    TRIO,
    TRIO_PAIR,
    TRIO_SOLO,
    UNKNOWN,
    Move,
    RulesError,
    RuleSet,
)
from ddzbot.search.deadline import Deadline
from ddzbot.search.endgame import Solution, Solver
from ddzbot.search.endgame_position import Endgame, EndgameError
from ddzbot.search.limit import NO_LIMIT, Limit
from ddzbot.stack import with_large_stack
from ddzbot.view import BidView, View

__all__ = [
    "ACE",
    "BIG_JOKER",
    "BOMB",
    "DEFAULT_PLAYER",
    "FOUR_TWO_PAIR",
    "FOUR_TWO_SOLO",
    "KIND_NAMES",
    "LITTLE_JOKER",
    "NO_LIMIT",
    "PAIR",
    "PAIR_CHAIN",
    "PASS",
    "PASS_KIND",
    "PLANE",
    "PLANE_PAIR",
    "PLANE_SOLO",
    "RANKS",
    "ROCKET",
    "RULE_SETS",
    "SEATS",
    "SEAT_NAMES",
    "SHUTTLE",
    "SHUTTLE_PAIR",
    "SHUTTLE_SOLO",
    "SOLO",
    "SOLO_CHAIN",
    "TRIO",
    "TRIO_PAIR",
    "TRIO_SOLO",
    "TWO",
    "UNKNOWN",
    "Bid",
    "BidView",
    "CannotPlay",
    "Cards",
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
hand_of_ids = refusing(cards.hand_of_ids, ids=arguments.ids)
hand_text = refusing(cards.hand_text, hand=arguments.hand)
ids_for = refusing(cards.ids_for, own_ids=arguments.ids, cards=arguments.hand)
parse_hand = refusing(cards.parse_hand, text=arguments.cards_text)
parse_move = refusing(known_rules.parse_move, rules=arguments.rules, text=arguments.cards_text)
rule_set = refusing(known_rules.rule_set, name=arguments.cards_text)
shuffled = refusing(game.shuffled, rules=arguments.rules, seed=arguments.text)
start = refusing(game.start, deal=arguments.deal, bids=arguments.bids, landlord_position=arguments.whole)

Cards = Union[Hand, str]
"""Type alias: cards as a hand, or as their text, such as ``"3344TT2LB"``."""


def legal_moves(rules: RuleSet, hand: Cards, to_beat: Union[Move, str, None] = None) -> List[Move]:
    """
    Lists every legal move, each set of cards once, in a fixed order; ``legal_moves(rules, "3445", "3")`` has 4 moves.

    Without *to_beat* the hand leads and must not pass. Otherwise the pass comes first, then the answers of the
    same kind by rank, then bombs, then the rocket. *to_beat* may be of unknown kind.

    :raises RulesError: if *to_beat* is a pass: it does not tell whether the hand leads, or what lies below the pass.
    :raises CardsError: for a text that is no cards.
    """
    by = arguments.rules("rules", rules)
    return known_rules.legal_moves(by, arguments.cards("hand", hand), arguments.to_beat("to_beat", to_beat, by))


def explain(rules: RuleSet, hand: Cards, cards: Cards, to_beat: Union[Move, str, None] = None) -> Optional[Refusal]:
    """
    Gets why *cards* may not be played from *hand* now, which is one sentence as a text, or None if they may.

    :raises RulesError: if *to_beat* is a pass.
    :raises CardsError: for a text that is no cards.
    """
    by = arguments.rules("rules", rules)
    held, played = arguments.cards("hand", hand), arguments.cards("cards", cards)
    return known_rules.explain(by, held, played, arguments.to_beat("to_beat", to_beat, by))


def beats(rules: RuleSet, cards: Cards, to_beat: Cards) -> bool:
    """
    Checks if playing *cards* is a legal answer to *to_beat*: ``beats(rules, "44", "33")``, and any bomb beats both.

    Any legal reading of the one may beat any recognised reading of the other. Cards of unknown kind are beaten by
    bombs and the rocket only.

    :raises RulesError: if *to_beat* has no cards: a pass is nothing to beat.
    :raises CardsError: for a text that is no cards.
    """
    by = arguments.rules("rules", rules)
    return known_rules.beats(by, arguments.cards("cards", cards), arguments.cards("to_beat", to_beat))


def classify(rules: RuleSet, cards: Cards, recognised: bool = False) -> List[Move]:
    """
    Lists every reading of *cards* as a move, none if they are not a move.

    The legal grammar is asked, or with *recognised* the wider one. No cards at all are the pass.

    :raises CardsError: for a text that is no cards.
    """
    by = arguments.rules("rules", rules)
    return known_rules.classify(by, arguments.cards("cards", cards), arguments.truth("recognised", recognised))


def read_move(rules: RuleSet, cards: Cards) -> Move:
    """
    Gets the first recognised reading of cards that were played; a move of kind ``UNKNOWN`` if there is none.

    :raises CardsError: for a text that is no cards.
    """
    return known_rules.read_move(arguments.rules("rules", rules), arguments.cards("cards", cards))


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
