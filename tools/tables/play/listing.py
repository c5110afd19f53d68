"""Legal moves and past moves as tables that fit into a terminal."""

from collections.abc import Sequence

from rich.table import Column, Table
from rich.text import Text

from ddzbot.cards import hand_text
from ddzbot.game import SEATS
from ddzbot.rules import Move
from ddzbot.view import View

from ...shared.language import kind_word, tr, translate
from ...shared.message import Message, joined
from ...shared.terminal import SEAT_STYLES, folding_table

HEADS = (Message("landlord"), Message("down"), Message("up"))
"""The seats, as short as the heads of columns."""
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
        by_kind.setdefault(kind_word(move.kind), []).append(str(move))
    chosen = kind.strip().lower()
    # A kind may be named in either language.
    if chosen and not any(chosen in (group, translate(group)) for group in by_kind):
        problem = "{text}: you have no such move now; there are {kinds}"
        raise ListingError(Message(problem, text=repr(kind.strip()), kinds=joined(by_kind)))
    table = folding_table("", "", "", header=False)
    for group, texts in by_kind.items():
        if chosen in ("", group, translate(group)):
            listed = texts if chosen else _on_a_line(texts)
            omitted = tr("... and {count} more", count=len(texts) - len(listed)) if len(listed) < len(texts) else ""
            table.add_row(
                Text("  " + translate(group)), Text(str(len(texts))), Text(" ".join(filter(None, [*listed, omitted])))
            )
    return table


def _on_a_line(texts: Sequence[str]) -> Sequence[str]:
    width = 0
    for count, text in enumerate(texts):
        width += len(text) + 1
        if width > MOST_WIDTH:
            # The number of moves that are left out needs room too, and one move is shown at least.
            return texts[: max(1, count - 1)]
    return texts


def history_table(view: View) -> Table:
    """Lists all moves so far, a round on a line; a pass is a dash, the viewer's own column is marked."""
    heads = [Message("{name} (you)", name=head) if seat == view.seat else head for seat, head in enumerate(HEADS)]
    names = map(Text, map(translate, heads), SEAT_STYLES)
    table = folding_table(Column("   ", justify="right"), *map(Column, names))
    for ply in range(0, len(view.plays), SEATS):
        moves = view.plays[ply : ply + SEATS]
        table.add_row(f"{ply // SEATS + 1}", *(hand_text(move.cards) or "-" for move in moves))
    return table
