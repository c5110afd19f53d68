"""
Queries of the analysis engine: one JSON object a line, checked field by field.

A position is given in one of four ways: ``view`` or ``position`` in the notation of :mod:`tools.records.notation`,
``request`` as Botzone's judge sends it, or the fields ``rules``, ``seat``, ``hand``, ``bottom`` and ``plays``. One
error message names the field that is wrong.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from ddzbot.belief.certain import BeliefError, what_is_certain
from ddzbot.cards import CardsError, Hand, size
from ddzbot.game import HIGHEST_BID, SEAT_NAMES, SEATS
from ddzbot.players.mctshs import USUAL_PLAYOUTS
from ddzbot.protocol.botzone import rebuild
from ddzbot.rules import PASS, Move, RulesError, RuleSet, read_move, rule_set
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View, known_bids

from ...records.notation import NotationError, parse_position, parse_view
from ...records.replay import fits_into
from ...shared.bounds import MOST_MOVES, UnreadableError, utf8_text
from ...shared.json_text import checked, parse_json
from ...shared.language import seat_word
from ...shared.message import Message, joined, prose
from ...shared.paths import call_of
from ...shared.typed_cards import typed_hand
from .named_moves import named_moves
from .order import in_order

MOST_SECONDS = 3600
MOST_PLAYOUTS = 10_000_000
MOST_TOP = 1000
MOST_SEED = (1 << 64) - 1
LONGEST_ID = 200
WAYS = ("view", "position", "request", "hand")
"""The fields that give a position, one of them in each query."""
EXPLICIT = ("seat", "hand", "bottom", "plays", "stake")

Id = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID)] | Annotated[int, Meta(gt=-(1 << 63), le=(1 << 63) - 1)]
"""Type alias: what a query and its answer have in common."""

Read = TypeVar("Read")


class _Named(Struct):
    id: Id


class _Dropped(_Named, forbid_unknown_fields=True):
    terminate: Id


class _Request(Struct):
    requests: Annotated[list[Any], Meta(min_length=1)]
    responses: list[Any] = []


class _Asked(_Named, forbid_unknown_fields=True):
    rules: str | UnsetType = UNSET
    view: str | UnsetType = UNSET
    position: str | UnsetType = UNSET
    request: _Request | UnsetType = UNSET
    seat: Literal[0, 1, 2, "landlord", "landlord_down", "landlord_up"] | UnsetType = UNSET
    hand: str | UnsetType = UNSET
    bottom: str | UnsetType = UNSET
    plays: Annotated[list[str], Meta(max_length=MOST_MOVES)] | UnsetType = UNSET
    stake: Annotated[int, Meta(ge=1, le=HIGHEST_BID)] | UnsetType = UNSET
    seconds: Annotated[float, Meta(gt=0, le=MOST_SECONDS)] | UnsetType = UNSET
    playouts: Annotated[int, Meta(ge=1, le=MOST_PLAYOUTS)] | UnsetType = UNSET
    top: Annotated[int, Meta(ge=1, le=MOST_TOP)] | UnsetType = UNSET
    seed: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    only: Annotated[list[str], Meta(min_length=1, max_length=MOST_TOP)] | UnsetType = UNSET


KNOWN = _Asked.__struct_fields__
_PLACE = re.compile(r"(?:at `\$\.|field `)(\w+)")


class QueryError(ValueError):
    """Raised for what is not a query: the message is one sentence; *field* and *id* are what it is about, if known."""

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field
        self.id: Id | None = None


class Defaults(NamedTuple):
    """The defaults of a query."""

    limit: Limit = Limit(playouts=USUAL_PLAYOUTS)
    top: int = 5
    seed: int = 0


USUAL = Defaults()


@dataclass(frozen=True)
class Query:
    """A position to analyse."""

    id: Id
    view: View | BidView
    limit: Limit
    top: int
    seed: int
    only: tuple[Move, ...] = ()
    """The moves to analyse; all of them if none are named."""


@dataclass(frozen=True)
class Terminate:
    """A wish to drop a query that waits."""

    id: Id
    target: Id


def parse_line(line: bytes, defaults: Defaults = USUAL) -> Query | Terminate:
    """
    Reads one line.

    :raises QueryError: for what is not a query.
    """
    try:
        fields = parse_json(utf8_text(line))
    except UnreadableError as error:
        raise QueryError(str(error)) from None
    except ValueError as error:
        raise QueryError(Message("this is not JSON: {why}", why=prose(error))) from None
    return parse_query(fields, defaults)


def parse_query(fields: Any, defaults: Defaults = USUAL) -> Query | Terminate:
    """
    Checks the fields of a query.

    :raises QueryError: for the first field that is wrong.
    """
    query_id = _convert(fields, _Named).id
    try:
        if "terminate" in fields:
            return Terminate(query_id, _convert(fields, _Dropped).terminate)
        asked = _convert(fields, _Asked)
        seed = defaults.seed if asked.seed is UNSET else asked.seed
        if seed > MOST_SEED:
            raise QueryError(Message("seed must be at most {most}", most=MOST_SEED), "seed")
        top = defaults.top if asked.top is UNSET else asked.top
        view = _view(asked)
        return Query(query_id, view, _limit(asked, defaults.limit), top, seed, _only(view, asked.only))
    except QueryError as error:
        error.id = query_id
        raise


def _convert(fields: Any, kind: type[Read]) -> Read:
    try:
        return checked(fields, kind)
    except ValueError as error:
        # The last one: "Object missing required field `requests` - at `$.request`".
        places = _PLACE.findall(str(error))
        choices = f"; there are {', '.join(KNOWN)}" if "unknown field" in str(error) else ""
        raise QueryError(f"{error}{choices}", places[-1] if places else None) from None


def _limit(asked: _Asked, default: Limit) -> Limit:
    seconds, playouts = asked.seconds or None, asked.playouts or None
    return default if seconds is playouts is None else Limit(seconds, playouts)


def _only(view: View | BidView, texts: list[str] | UnsetType) -> tuple[Move, ...]:
    if texts is UNSET:
        return ()
    if isinstance(view, BidView):
        auction = Message("only names moves, and this is a turn of the auction, whose bids are all analysed")
        raise QueryError(auction, "only")
    try:
        return named_moves(view, texts)
    except ValueError as error:
        raise _refused("only", error) from None


# Positions.


def _view(asked: _Asked) -> View | BidView:
    given = [way for way in WAYS if getattr(asked, way) is not UNSET]
    if len(given) != 1:
        named = joined(given) or Message("none")
        problem = Message("a query has exactly one of {ways}, not {given}", ways=", ".join(WAYS), given=named)
        raise QueryError(problem, given[1] if given else "view")
    way = given[0]
    if way != "hand":
        for field in EXPLICIT:
            if getattr(asked, field) is not UNSET:
                problem = Message("{field} goes with hand, not with {way}, which has it already", field=field, way=way)
                raise QueryError(problem, field)
    view = _READERS[way](asked)
    _refuse_impossible(view, way)
    if way != "hand" and asked.rules is not UNSET and _rules(asked.rules) is not view.rules:
        others = "rules are {asked}, but {way} has rules {rules}"
        raise QueryError(Message(others, asked=asked.rules, way=way, rules=view.rules.name), "rules")
    return view


def _refuse_impossible(view: View | BidView, way: str) -> None:
    """Refuses a view that no player who is to move can have."""
    if isinstance(view, BidView):
        return
    to_move = len(view.plays) % SEATS
    if view.seat != to_move:
        field = "seat" if way == "hand" else way
        turn = "after {moves} moves it is the turn of seat {to_move}, not of seat {seat}"
        raise _refused(field, Message(turn, moves=len(view.plays), to_move=to_move, seat=view.seat))
    try:
        what_is_certain(view)
    except BeliefError as error:
        raise _refused(way, error) from None
    for seat in range(SEATS):
        if not view.cards_left(seat):
            raise _refused(way, Message("{seat} has no cards left: the game is over", seat=seat_word(seat)))


def _read(text: str, field: str, reader: Callable[[str], Read]) -> Read:
    try:
        return reader(text)
    except NotationError as error:
        raise QueryError(str(error), field) from None
    except ValueError as error:
        raise QueryError(Message("{value}: {why}", value=f"{field} {text!r:.60}", why=prose(error)), field) from None


def _refused(field: str, why: object) -> QueryError:
    """Makes the error of a field, which begins with its name."""
    return QueryError(Message("{value}: {why}", value=field, why=prose(why)), field)


def _from_view(asked: _Asked) -> View | BidView:
    return _read(_given(asked.view), "view", parse_view)


def _from_position(asked: _Asked) -> View:
    position = _given(asked.position)
    game = _read(position, "position", parse_position)
    if size(sum(game.hands)) + sum(size(move.cards) for move in game.plays) < size(game.rules.deck):
        solver = call_of("solve", position)
        endgame = Message("it lacks cards, as an endgame does, which {command} solves", command=solver)
        raise _refused("position", endgame)
    game = in_order(game)
    return View.of(game, game.seat)


def _from_request(asked: _Asked) -> View | BidView:
    message = _given(asked.request)
    try:
        return rebuild(message.requests, message.responses).view
    except ValueError as error:
        raise _refused("request", error) from None


def _given(value: Read | UnsetType) -> Read:
    assert value is not UNSET
    return value


def _rules(name: str) -> RuleSet:
    try:
        return rule_set(name)
    except RulesError as error:
        raise _refused("rules", error) from None


def _from_fields(asked: _Asked) -> View:
    for field in ("rules", "seat"):
        if getattr(asked, field) is UNSET:
            raise QueryError(Message("hand goes with {field}", field=field), field)
    rules, stake = _rules(_given(asked.rules)), asked.stake or 1
    if stake != 1 and not rules.bidding:
        no_auction = "there is no auction under rules {rules}, and so no stake but 1"
        raise QueryError(Message(no_auction, rules=rules.name), "stake")
    hand, bottom = _cards(_given(asked.hand), "hand"), _cards(asked.bottom or "", "bottom")
    if size(bottom) not in (0, rules.bottom_size):
        number = "bottom must be {count} cards, or none if it is unknown"
        raise QueryError(Message(number, count=rules.bottom_size), "bottom")
    plays = tuple(_play(rules, play) for play in asked.plays or [])
    for field, parts in (("hand", [hand]), ("bottom", [bottom]), ("plays", [hand, *(move.cards for move in plays)])):
        if not fits_into(rules.deck, parts):
            raise _refused(field, Message("the deck of rules {rules} does not have all these cards", rules=rules.name))
    seat = SEAT_NAMES.index(asked.seat) if isinstance(asked.seat, str) else _given(asked.seat)
    bids = known_bids([], 0, stake) if rules.bidding else ()
    return View(rules, seat, hand, bottom, bids, stake, 0, plays)


def _cards(text: str, field: str) -> Hand:
    try:
        return typed_hand(text)
    except CardsError as error:
        raise _refused(field, error) from None


def _play(rules: RuleSet, text: str) -> Move:
    if text == "pass":
        return PASS
    cards = _cards(text, "plays")
    if not cards:
        raise _refused("plays", Message("a move has cards, or is pass"))
    return read_move(rules, cards)


_READERS: dict[str, Callable[[_Asked], View | BidView]] = {
    "view": _from_view,
    "position": _from_position,
    "request": _from_request,
    "hand": _from_fields,
}
