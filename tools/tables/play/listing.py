"""Legal moves and past moves as tables that fit into a terminal."""

from collections.abc import Sequence

from rich.table import Column, Table
from rich.text import Text

from ddzbot.cards import hand_text
from ddzbot.game import SEATS
from ddzbot.rules import KIND_NAMES, Move
from ddzbot.view import View

from ...shared.language import told
from ...shared.terminal import SEAT_STYLES, SHORT_SEAT_NAMES, folding_table

__all__ = ["ListingError", "history_table", "moves_table"]

MOST_WIDTH = 48
"""Columns for the moves of one kind, unless that kind is asked for."""


class ListingError(ValueError):
    """Raised for a kind that there is not; the message is one sentence."""


def moves_table(moves: Sequence[Move], kind: str = "") -> Table:
    """
    Lists moves by kind, of each kind as many as fit on a line, or all moves of one *kind*.

    :raises ListingError: if there are no moves of that kind.
    """
    by_kind: dict[str, list[str]] = {}
    for move in moves:
        by_kind.setdefault(told(KIND_NAMES[move.kind]), []).append(str(move))
    wanted = told(kind.strip().lower())
    if wanted and wanted not in by_kind:
        raise ListingError(f"{kind.strip()!r}: you have no such move now; there are {', '.join(by_kind)}")
    table = folding_table("", "", "", header=False)
    for name, texts in by_kind.items():
        if wanted in ("", name):
            shown = texts if wanted else _on_a_line(texts)
            more = told(f"... and {len(texts) - len(shown)} more") if len(shown) < len(texts) else ""
            table.add_row(Text("  " + name), Text(str(len(texts))), Text(" ".join(filter(None, [*shown, more]))))
    return table


def _on_a_line(texts: Sequence[str]) -> Sequence[str]:
    width = 0
    for number, text in enumerate(texts):
        width += len(text) + 1
        if width > MOST_WIDTH:
            # What is left out needs room for its number too, and one move is shown at least.
            return texts[: max(1, number - 1)]
    return texts


def history_table(view: View) -> Table:
    """Lists all moves so far, a round on a line; a pass is a dash, the viewer's own column is marked."""
    own = [told(" (you)") if seat == view.seat else "" for seat in range(SEATS)]
    names = map(Text, map(str.__add__, map(told, SHORT_SEAT_NAMES), own), SEAT_STYLES)
    table = folding_table(Column("   ", justify="right"), *map(Column, names))
    for first in range(0, len(view.plays), SEATS):
        moves = view.plays[first : first + SEATS]
        table.add_row(f"{first // SEATS + 1}", *(hand_text(move.cards) or "-" for move in moves))
    return table
