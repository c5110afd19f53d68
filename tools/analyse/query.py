"""
Queries of the analysis engine: one JSON object a line, checked field by field.

A position is given in one of four ways: ``view`` or ``position`` in the notation of :mod:`tools.records.notation`,
``request`` as Botzone's judge sends it, or the fields ``rules``, ``seat``, ``hand``, ``bottom`` and ``plays``. What is
wrong is said in one sentence, with the name of the field.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import Any, NamedTuple, TypeVar

from ddzbot.belief.certain import BeliefError, what_is_certain
from ddzbot.cards import CardsError, Hand, parse_hand, size
from ddzbot.game import HIGHEST_BID, SEAT_NAMES, SEATS
from ddzbot.players.mctshs import USUAL_PLAYOUTS
from ddzbot.protocol.botzone import rebuild
from ddzbot.rules import PASS, Move, RulesError, RuleSet, read_move, rule_set
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View, known_bids

from ..records.notation import NotationError, parse_position, parse_view
from ..records.replay import fits_into
from ..shared.bounds import MOST_MOVES
from .order import in_order

MOST_SECONDS = 3600.0
MOST_PLAYOUTS = 10_000_000
MOST_TOP = 1000
MOST_SEED = (1 << 64) - 1
LONGEST_ID = 200
WAYS = ("view", "position", "request", "hand")
"""The fields that give a position, one of them in each query."""
EXPLICIT = ("seat", "hand", "bottom", "plays", "stake")
KNOWN = ("id", "rules", "view", "position", "request", *EXPLICIT, "seconds", "playouts", "top", "seed")

Id = str | int
"""Type alias: what a query and its answer have in common."""

Read = TypeVar("Read")


class QueryError(ValueError):
    """Raised for what is not a query: the message is one sentence; *field* and *id* are what it is about, if known."""

    def __init__(self, message: str, field: str | None = None, query_id: Id | None = None) -> None:
        super().__init__(message)
        self.field = field
        self.id = query_id


class Defaults(NamedTuple):
    """What holds where a query does not say it."""

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
        fields = json.loads(line.decode())
    except (ValueError, RecursionError) as error:
        raise QueryError(f"this is not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise QueryError(f"a query must be a JSON object, not {_shown(fields)}")
    return parse_query(fields, defaults)


def parse_query(fields: dict[str, Any], defaults: Defaults = USUAL) -> Query | Terminate:
    """
    Checks the fields of a query.

    :raises QueryError: for the first field that is wrong.
    """
    if "id" not in fields:
        raise QueryError("a query needs an id, text or a whole number", "id")
    query_id = _id(fields["id"], "id")
    try:
        if "terminate" in fields:
            _refuse_unknown(fields, ("id", "terminate"))
            return Terminate(query_id, _id(fields["terminate"], "terminate"))
        _refuse_unknown(fields, KNOWN)
        return Query(
            id=query_id,
            view=_view(fields),
            limit=_limit(fields, defaults.limit),
            top=_whole(fields, "top", 1, MOST_TOP, defaults.top),
            seed=_whole(fields, "seed", 0, MOST_SEED, defaults.seed),
        )
    except QueryError as error:
        error.id = query_id
        raise


def _shown(value: object) -> str:
    """Writes a value for a message, not too long."""
    try:
        text = json.dumps(value)
    except RecursionError:
        return "something nested too deeply"
    return text if len(text) <= 60 else text[:57] + "..."


def _id(value: object, field: str) -> Id:
    if isinstance(value, str) and 0 < len(value) <= LONGEST_ID:
        return value
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 63:
        return value
    raise QueryError(
        f"{field} must be text of 1 to {LONGEST_ID} characters or a whole number of 64 bits, not {_shown(value)}", field
    )


def _refuse_unknown(fields: dict[str, Any], known: tuple[str, ...]) -> None:
    for field in fields:
        if field not in known:
            raise QueryError(f"field {_shown(field)} is unknown; there are {', '.join(known)}", field)


# Numbers.


def _limit(fields: dict[str, Any], default: Limit) -> Limit:
    if "seconds" not in fields and "playouts" not in fields:
        return default
    seconds = fields.get("seconds")
    if "seconds" in fields:
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds <= MOST_SECONDS:
            raise QueryError(
                f"seconds must be a number above 0, at most {MOST_SECONDS:g}, not {_shown(seconds)}", "seconds"
            )
        seconds = float(seconds)
        assert isfinite(seconds)
    playouts = _whole(fields, "playouts", 1, MOST_PLAYOUTS, 0) if "playouts" in fields else None
    return Limit(seconds, playouts)


def _whole(fields: dict[str, Any], field: str, least: int, most: int, default: int) -> int:
    value = fields.get(field, default)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise QueryError(f"{field} must be a whole number from {least} to {most}, not {_shown(value)}", field)
    return value


# Positions.


def _view(fields: dict[str, Any]) -> View | BidView:
    given = [way for way in WAYS if way in fields]
    if len(given) != 1:
        found = " and ".join(given) if given else "none"
        raise QueryError(f"a query has exactly one of {', '.join(WAYS)}, not {found}", given[1] if given else "view")
    way = given[0]
    if way != "hand":
        for field in EXPLICIT:
            if field in fields:
                raise QueryError(f"{field} goes with hand, not with {way}, which tells it already", field)
    view = _READERS[way](fields)
    _refuse_impossible(view, way)
    if way != "hand" and "rules" in fields and _rules(fields["rules"]) is not view.rules:
        raise QueryError(f"rules are {fields['rules']}, but {way} has rules {view.rules.name}", "rules")
    return view


def _refuse_impossible(view: View | BidView, way: str) -> None:
    """Refuses a view that nobody can have who is to move."""
    if isinstance(view, BidView):
        return
    to_move = len(view.plays) % SEATS
    if view.seat != to_move:
        field = "seat" if way == "hand" else way
        raise QueryError(
            f"{field}: after {len(view.plays)} moves it is the turn of seat {to_move}, not of seat {view.seat}", field
        )
    try:
        what_is_certain(view)
    except BeliefError as error:
        raise QueryError(f"{way}: {error}", way) from None
    for seat in range(SEATS):
        if not view.cards_left(seat):
            raise QueryError(f"{way}: {SEAT_NAMES[seat]} has no cards left: the game is over", way)


def _text(fields: dict[str, Any], field: str) -> str:
    value = fields[field]
    if not isinstance(value, str):
        raise QueryError(f"{field} must be text, not {_shown(value)}", field)
    return value


def _read(fields: dict[str, Any], field: str, reader: Callable[[str], Read]) -> Read:
    text = _text(fields, field)
    try:
        return reader(text)
    except NotationError as error:
        raise QueryError(str(error), field) from None
    except ValueError as error:
        raise QueryError(f"{field} {text!r:.60}: {error}", field) from None


def _from_view(fields: dict[str, Any]) -> View | BidView:
    return _read(fields, "view", parse_view)


def _from_position(fields: dict[str, Any]) -> View:
    game = in_order(_read(fields, "position", parse_position))
    return View.of(game, game.seat)


def _from_request(fields: dict[str, Any]) -> View | BidView:
    message = fields["request"]
    if not isinstance(message, dict):
        raise QueryError(f"request must be the object that the judge sends, not {_shown(message)}", "request")
    requests, responses = message.get("requests"), message.get("responses", [])
    if not isinstance(requests, list) or not requests or not isinstance(responses, list):
        raise QueryError("request must have a list of requests, not an empty one, and one of responses", "request")
    try:
        return rebuild(requests, responses).view
    except ValueError as error:
        raise QueryError(f"request: {error}", "request") from None


def _rules(name: object) -> RuleSet:
    try:
        return rule_set(name if isinstance(name, str) else _shown(name))
    except RulesError as error:
        raise QueryError(f"rules: {error}", "rules") from None


def _from_fields(fields: dict[str, Any]) -> View:
    if "rules" not in fields:
        raise QueryError("hand goes with the name of its rules", "rules")
    rules = _rules(fields["rules"])
    seat, stake = _seat(fields), _whole(fields, "stake", 1, HIGHEST_BID, 1)
    if stake != 1 and not rules.bidding:
        raise QueryError(f"there is no auction under rules {rules.name}, and so no stake but 1", "stake")
    hand = _cards(fields["hand"], "hand")
    bottom = _cards(fields.get("bottom", ""), "bottom")
    if size(bottom) not in (0, rules.bottom_size):
        raise QueryError(f"bottom must be {rules.bottom_size} cards, or none if it is unknown", "bottom")
    plays = _plays(rules, fields.get("plays", []))
    for field, parts in (("hand", [hand]), ("bottom", [bottom]), ("plays", [hand, *(move.cards for move in plays)])):
        if not fits_into(rules.deck, parts):
            raise QueryError(f"{field}: the deck of rules {rules.name} does not have all these cards", field)
    bids = known_bids([], 0, stake) if rules.bidding else ()
    return View(rules, seat, hand, bottom, bids, stake, 0, plays)


def _seat(fields: dict[str, Any]) -> int:
    value = fields.get("seat")
    if isinstance(value, str) and value in SEAT_NAMES:
        return SEAT_NAMES.index(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < SEATS:
        return value
    raise QueryError(f"seat must be 0, 1, 2 or one of {', '.join(SEAT_NAMES)}, not {_shown(value)}", "seat")


def _cards(value: object, field: str) -> Hand:
    if not isinstance(value, str):
        raise QueryError(f"{field} must be cards as text, such as 334455, not {_shown(value)}", field)
    try:
        return parse_hand(value)
    except CardsError as error:
        raise QueryError(f"{field}: {error}", field) from None


def _plays(rules: RuleSet, value: object) -> tuple[Move, ...]:
    if not isinstance(value, list):
        raise QueryError(f"plays must be a list of moves, not {_shown(value)}", "plays")
    if len(value) > MOST_MOVES:
        raise QueryError(f"plays must be at most {MOST_MOVES} moves, not {len(value)}", "plays")
    laid = [0 if text == "pass" else _cards(text, "plays") for text in value]
    for text, cards in zip(value, laid, strict=True):
        if not cards and text != "pass":
            raise QueryError("plays: a move has cards, or is pass", "plays")
    return tuple(read_move(rules, cards) if cards else PASS for cards in laid)


_READERS: dict[str, Callable[[dict[str, Any]], View | BidView]] = {
    "view": _from_view,
    "position": _from_position,
    "request": _from_request,
    "hand": _from_fields,
}
