"""
The messages of a connection: small JSON objects, each with exactly the fields of its kind.

The first message is ``join``. Every act names the state of the table that it answers (``at``, or the number of the
game), so that a second click on a button, or one that comes too late, does nothing. The server answers with these:

``welcome``: ``chair`` (null for a watcher), and the ``token`` of the own seat from now on. ``state``: everything that
the page shows, after each event (:mod:`.shown`). ``hint``: ``at``, ``analysis``, only to the page that asked.
``refused``: ``sentence`` with ``en`` and ``zh``; ``fatal`` if the connection ends for good; after any other loss the
page connects again. ``review``: ``game``, ``done`` of ``of`` decisions, ``ready`` (its page is at
``/tables/NAME/games/GAME/review``), ``problem``. ``closed``: ``sentence``, the table has ended.

The page of an endgame has no connection. It sends all its moves, ``GET /endgames/16/game?moves=4,Q,pass``, and gets
the game after them with the reply.
"""

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from ddzbot.cards import CardsError, hand_text, parse_hand
from ddzbot.game import SEATS

from ...shared.json_text import checked, parse_json
from .sentences import RefusedError

MOST_BYTES = 1024
"""No message of a connection is longer."""

_Number = Annotated[int, Meta(ge=0, le=10**6)]


class _Message(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    pass


class Join(_Message, frozen=True):
    """
    Sits down with a token, or with an empty one on any free chair; or watches. Comes first.

    The token of an invitation ends with that.
    """

    token: str
    watch: bool


class Bid(_Message, frozen=True):
    """Bids 0 to 3."""

    at: _Number
    bid: _Number


class Play(_Message, frozen=True):
    """Plays cards; none are the pass."""

    at: _Number
    cards: str


class Back(_Message, frozen=True):
    """Takes the last own bid or move back, and all that followed; at a board, all but so many *moves*."""

    at: _Number
    moves: _Number | None


class Bots(_Message, frozen=True):
    """Has bots play on at these positions of a board, and the person at all others."""

    positions: tuple[Annotated[int, Meta(ge=0, lt=SEATS)], ...]


class Hint(_Message, frozen=True):
    """Asks for an analysis."""

    at: _Number


class Again(_Message, frozen=True):
    """Starts the game after number *game*."""

    game: _Number


class Review(_Message, frozen=True):
    """Asks for a review of the finished game number *game*."""

    game: _Number


Request = Join | Bid | Play | Back | Bots | Hint | Again | Review
"""Type alias: any message of a connection."""


def read_request(text: str) -> Request:
    """
    Reads a message, for example ``{"type": "play", "at": 7, "cards": "334455"}``.

    :raises RefusedError: for anything else, with one sentence that names what is wrong.
    """
    try:
        request: Request = checked(parse_json(text), Request)  # type: ignore[arg-type]
        return replace(request, cards=hand_text(parse_hand(request.cards))) if isinstance(request, Play) else request
    except CardsError as error:
        raise _refused(str(error)) from None
    except ValueError as error:
        kinds = "join, bid, play, back, bots, hint, again or review"
        raise _refused(f"the message {text!r:.60} is no {kinds}: {error}") from None


def _refused(sentence: str) -> RefusedError:
    return RefusedError(sentence, f"消息有误：{sentence}")
