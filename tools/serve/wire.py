"""
What a connection may say: small JSON objects, each with exactly the fields of its kind.

The first message is ``join``. Every act names the state of the table that it answers (``at``, or the number of the
game), so that a second click on a button, or one that comes too late, does nothing.
"""

import json
from typing import NamedTuple

from ddzbot.cards import CardsError, hand_text, parse_hand

from .sentences import RefusedError

__all__ = ["MOST_BYTES", "Again", "Bid", "Hint", "Join", "Play", "Request", "Review", "read_request"]

MOST_BYTES = 1024
"""No message of a connection is longer."""

MOST_NUMBER = 10**6


class Join(NamedTuple):
    """Sits down with a token, or with an empty one on any free chair; or watches."""

    token: str
    watch: bool


class Bid(NamedTuple):
    """Bids 0 to 3."""

    at: int
    bid: int


class Play(NamedTuple):
    """Plays cards; none are the pass."""

    at: int
    cards: str


class Hint(NamedTuple):
    """Asks for an analysis."""

    at: int


class Again(NamedTuple):
    """Starts the game after number *game*."""

    game: int


class Review(NamedTuple):
    """Asks for a review of the finished game number *game*."""

    game: int


Request = Join | Bid | Play | Hint | Again | Review
"""Type alias: anything that a connection may say."""

_KINDS: dict[str, tuple[type[Request], dict[str, type]]] = {
    "join": (Join, {"token": str, "watch": bool}),
    "bid": (Bid, {"at": int, "bid": int}),
    "play": (Play, {"at": int, "cards": str}),
    "hint": (Hint, {"at": int}),
    "again": (Again, {"game": int}),
    "review": (Review, {"game": int}),
}


def read_request(text: str) -> Request:
    """
    Reads a message, for example ``{"type": "play", "at": 7, "cards": "334455"}``.

    :raises RefusedError: for anything else, with one sentence that names what is wrong.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise _refused(f"the message {text!r:.60} is not JSON") from None
    if not isinstance(value, dict) or not isinstance(value.get("type"), str) or value["type"] not in _KINDS:
        raise _refused(f"the message {text!r:.60} must be an object whose type is one of {', '.join(_KINDS)}")
    kind, fields = _KINDS[value.pop("type")]
    if set(value) != set(fields):
        raise _refused(f"a message {kind.__name__.lower()} has exactly the fields {', '.join(fields)}")
    for name, wanted in fields.items():
        if type(value[name]) is not wanted or (wanted is int and not 0 <= value[name] <= MOST_NUMBER):
            raise _refused(f"{name} {value[name]!r:.40} is not {_NAMES[wanted]}")
    return _checked(kind(**value))


_NAMES: dict[type, str] = {str: "text", bool: "a truth value", int: "a number that may stand there"}


def _checked(request: Request) -> Request:
    if isinstance(request, Play):
        try:
            return request._replace(cards=hand_text(parse_hand(request.cards)))
        except CardsError as error:
            raise _refused(str(error)) from None
    return request


def _refused(sentence: str) -> RefusedError:
    return RefusedError(sentence, f"消息有误：{sentence}")
