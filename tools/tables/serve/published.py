"""
What goes over the wire about a game: everything that one position may know, or that is public.

This is the only place that reads a table for a connection. It asks the table for the view of the one position that the
message is for, and takes all hands only when the game is over. The fields of a state:

``game``, ``at``, ``rules``, ``has_auction``, ``phase`` (``bidding``, ``playing`` or ``over``), ``to_move``,
``landlord``, ``stake``, ``bids`` (those that the position has heard), ``bottom``, ``bottom_size``, ``left`` (numbers
of cards), ``plays`` (cards and kind). ``places``: by position ``chair``, ``who``, ``here``, ``pages`` (the seat's
connections), ``free``, ``points``. ``you``, ``hand``, ``legal_bids``, ``can_pass``, ``can_take_back``: the own
position, hand and choices. ``waiting``: whether a person is missing. ``kept``: whether the table would survive a
restart, null with ``--tables off``. ``fallbacks``: the players that chose in place of bots, by position of a bid and
number of a move. ``open``, ``bots``: at a board all hands, and the positions where bots play; else null. ``result``:
``winner``, ``scores``, ``dealt`` and ``hands``; null until the game is over.
"""

from typing import Any, NamedTuple

from ddzbot.cards import hand_text
from ddzbot.game import SEATS
from ddzbot.rules import KIND_NAMES
from ddzbot.view import BidView, View

from ..table.events import BidMade, Event, GameOver, LandlordNamed, MoveMade
from ..table.table import Table

GameState = dict[str, Any]
"""Type alias: one JSON object; the head of this module has its fields."""


class Published(NamedTuple):
    """What is public in a game between two events, and what each position is shown of it."""

    at: int
    to_move: int | None
    over: bool
    plays: int
    """How many moves there were."""
    scores: tuple[float, ...]
    """By position; empty until the game is over."""
    states: dict[int | None, GameState]
    """By position; of None for watchers."""


def published(table: Table) -> Published:
    """Publishes the game of a table."""
    return _published(table, {position: shown_game(table, position) for position in (None, *range(SEATS))})


def published_board(table: Table) -> Published:
    """Publishes the game of a board, where all are shown the same."""
    return _published(table, dict.fromkeys((None, *range(SEATS)), shown_board(table)))


def _published(table: Table, states: dict[int | None, GameState]) -> Published:
    plays = sum(isinstance(event, MoveMade) for event in table.events)
    return Published(table.at, table.position_to_move, table.over, plays, tuple(_scores(table)), states)


def shown_game(table: Table, position: int | None) -> GameState:
    """Gets what *position* may know of the game now, or with None what a watcher may."""
    heard = _heard(table, position)
    plays = [event for event in heard if isinstance(event, MoveMade)]
    landlord = next((event for event in heard if isinstance(event, LandlordNamed)), None)
    state: GameState = {
        "at": table.at,
        "rules": table.rules.name,
        "has_auction": table.rules.bidding,
        "you": position,
        "phase": "over" if table.over else "bidding" if table.in_auction else "playing",
        "to_move": table.position_to_move,
        "bids": {str(event.position): event.bid for event in heard if isinstance(event, BidMade)},
        "landlord": landlord and landlord.position,
        "stake": landlord and landlord.stake,
        "bottom": landlord and hand_text(landlord.bottom),
        "bottom_size": table.rules.bottom_size,
        "left": _left(table, plays),
        "plays": [[hand_text(event.move.cards), KIND_NAMES[event.move.kind]] for event in plays],
        "fallbacks": _fallbacks(heard),
        "hand": None,
        "legal_bids": None,
        "can_pass": False,
        "can_take_back": False,
        "open": None,
        "result": _result(table) if table.over else None,
    }
    if position is not None:
        state.update(_own(table.view(position), position == table.position_to_move))
        state["can_take_back"] = may_take_back(table, position)
    return state


def shown_board(table: Table) -> GameState:
    """Gets what all may know at a board: all hands lie open, and the person acts for every seat."""
    state = shown_game(table, table.position_to_move)
    return {**state, "can_take_back": bool(state["plays"]), "open": _open_hands(table)}


def may_take_back(table: Table, position: int) -> bool:
    """Tests whether a person who is to move there plays alone with bots, and has something to take back."""
    alone = [person for person in range(SEATS) if table.is_person(person)] == [position]
    return alone and position == table.position_to_move and table.last_act(position) is not None


def _heard(table: Table, position: int | None) -> list[Event]:
    """Gets the events that are known there; a watcher hears a hidden bid when the game is over."""
    if table.over or (position is None and table.rules.open_bids):
        return list(table.events)
    if position is None:
        return [event for event in table.events if not isinstance(event, BidMade)]
    return table.events_for(position)


def _fallbacks(heard: list[Event]) -> GameState:
    """Names the fallbacks that bid (by position) and moved (by number of the move) in place of a bot."""
    plays = [event for event in heard if isinstance(event, MoveMade)]
    return {
        "bids": {
            str(event.position): event.fallback for event in heard if isinstance(event, BidMade) and event.fallback
        },
        "plays": {str(ply): event.fallback for ply, event in enumerate(plays) if event.fallback},
    }


def _left(table: Table, plays: list[MoveMade]) -> list[int]:
    """Counts the cards of each position."""
    left = [table.rules.dealt if table.in_auction else table.rules.seat_cards(table.seat_of(p)) for p in range(SEATS)]
    for event in plays:
        left[event.position] -= event.move.size
    return left


def _own(view: View | BidView, to_move: bool) -> GameState:
    """Gets what only the position itself may know."""
    own: GameState = {"hand": hand_text(view.hand)}
    if isinstance(view, BidView):
        own["legal_bids"] = view.legal_bids if to_move else None
    else:
        own["can_pass"] = to_move and view.to_beat is not None
    return own


def _result(table: Table) -> GameState:
    """Gets the end of the game, by position: all cards are open now."""
    end = table.events[-1]
    assert isinstance(end, GameOver)
    return {
        "winner": "peasants" if end.seat else "landlord",
        "scores": _scores(table),
        "dealt": [hand_text(cards) for cards in table.record().deal.hands],
        "hands": _open_hands(table),
    }


def _scores(table: Table) -> list[float]:
    """Lists the scores by position; none until the game is over."""
    end = table.events[-1] if table.events else None
    return [end.scores[table.seat_of(position)] for position in range(SEATS)] if isinstance(end, GameOver) else []


def _open_hands(table: Table) -> list[str]:
    """Lists all hands by position."""
    return [hand_text(table.view(position).hand) for position in range(SEATS)]
