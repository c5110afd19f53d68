"""Decisions that other programs logged, as JSON lines: the row, and the view that its seat had."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ddzbot.cards import CardsError, hand_text, parse_hand
from ddzbot.game import SEATS
from ddzbot.view import View

from ..records.from_rows import record_of_row
from ..records.record import RecordError
from ..shared.bounds import UnreadableError, lines_of
from ..shared.json_text import parse_json


class RowError(ValueError):
    """A line of the file is not a decision."""


def rows_in(path: Path) -> Iterator[tuple[int, Any]]:
    """
    Yields the lines of a file, packed with gzip or not, as (number of the line, its JSON).

    :raises RowError: for a file that cannot be read, or is beyond a bound of
        :mod:`tools.shared.bounds`; the sentence names the line.
    """
    number = 0
    try:
        for number, line, _ in lines_of(path):
            yield number, parse_json(line)
    except UnreadableError as error:
        raise RowError(f"{path}: {error}") from None
    except ValueError as error:
        raise RowError(f"{path}, line {number}: {error}") from None


def view_of(row: Any) -> View | None:
    """
    Gets the view of the seat that decided; None where its cards cannot be read or contradict each other, or the game
    is over.

    A row has the own ``hand``, the hands at the start by seat (``hands0``, null where unknown), ``bottom``, and the
    moves so far (``history``).

    :raises RowError: if it is not a decision.
    """
    try:
        hands, own = row["hands0"], row["hand"]
        game = {
            "agents": dict.fromkeys(hands),
            "hands": hands,
            "moves": row["history"],
            "bottom": row.get("bottom"),
        }
    except (KeyError, TypeError, AttributeError) as error:
        raise RowError(f"this is not a decision: {type(error).__name__}: {error}") from None
    try:
        view = record_of_row(game).view()
        goes_on = all(view.cards_left(seat) for seat in range(SEATS))
        fits = goes_on and view.hand == parse_hand(own) and not view.contradiction()
    except (CardsError, RecordError):
        return None
    return view if fits else None


def move_name(text: str) -> str:
    """
    Writes a logged move as this project does: ``"43"`` is ``34``, and an empty text ``pass``.

    :raises CardsError: if there are no such cards.
    """
    return "pass" if text in ("", "pass") else hand_text(parse_hand(text))
