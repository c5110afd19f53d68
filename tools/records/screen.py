"""Draws a record in the terminal, move by move, with all hands open or as one seat has seen it."""

from collections.abc import Callable, Collection, Sequence

from rich.padding import Padding
from rich.text import Text

from ddzbot.cards import Hand
from ddzbot.game import SEAT_NAMES, SEATS

from ..shared.json_text import json_text, points_text
from ..shared.language import seat_word, tr, translate
from ..shared.message import English, Message, joined, prose
from ..shared.names import short_names
from ..shared.plain import plain
from ..shared.terminal import Console, GameScreen
from .fallbacks import fallback_lines
from .faults import ending_with_fault, said_in_tag
from .record import NO_NOTE, UNFINISHED, GameRecord, Note, RecordError, Result
from .replay import Ply
from .text import record_text

INDENT = 6


def draw_record(
    console: Console,
    record: GameRecord,
    seat: int | None = None,
    debug: bool = False,
    pause: Callable[[], object] = lambda: None,
) -> None:
    """
    Draws the whole record; *pause* is called after each move.

    With *seat*, only that seat's hand, its bids and what was noted about its moves are shown. Hands that the record
    does not know are hidden too. With *debug*, what the players said is printed below their moves.

    :raises RecordError: if the hand of *seat* is unknown.
    """
    if record.landlord_position is None:
        if seat is not None:
            raise RecordError(Message("the auction is not over: there are no seats yet"))
        console.print(Text(record_text(record)))
        return
    bids, hidden = record.bids, set(record.unknown_seats)
    if seat is not None:
        bids, hidden = record.view(0, seat).bids, set(range(SEATS)) - {seat}
    for tag, content in record.tags.items():
        line = said_in_tag(content) if tag == "Faults" else f"{tag}: {content}"
        console.print(Text(plain(translate(line))))
    short = short_names(record.names)
    screen = _HidingScreen(console, [short[player] for player in record.names], hidden)
    for position, bid in enumerate(bids):
        if bid is not None:
            screen.bid(position, bid)
    screen.opening(record.start)
    if record.bottom is None:
        console.print(Text(tr("the bottom is unknown")))
    for ply in record.plies():
        secret = seat not in (None, ply.seat)
        note = NO_NOTE if secret else record.moves[ply.number].note
        _draw_ply(screen, ply, note, secret)
        if debug and note.debug is not None:
            console.print(Padding(Text(json_text(note.debug), "dim"), (0, 0, 0, INDENT), expand=False))
        pause()
    console.print(Text(plain(translate(result_text(record.result)))))
    if seat is None:
        for sentence in fallback_lines(record):
            console.print(Text(plain(translate(sentence))))


def remark_of(note: Note) -> str:
    """Gets what was noted about a move in a few words. For example, ``0.14 s, value -0.30, too early``."""
    remarks: list[str] = []
    if note.seconds is not None:
        remarks.append(Message("{seconds} s", seconds=f"{note.seconds:.2f}"))
    if note.value is not None:
        remarks.append(Message("value {value}", value=f"{note.value:.2f}"))
    return joined([*remarks, *filter(None, [note.comment])])


def result_text(result: Result) -> str:
    """Gets the result in words. For example, ``landlord out: the landlord wins, scores 2.17, 0.12, 0.12 (by seat)``."""
    ending = _ENDINGS.get(result.termination) or ending_with_fault(result.termination)
    sentence = ending or English(result.termination)
    if result.winner:
        side = Message("the landlord wins" if result.winner == "landlord" else "the peasants win")
        sentence = Message("{end}: {side}", end=sentence, side=side)
    if result.scores:
        scores = ", ".join(map(points_text, result.scores))
        sentence = Message("{result}, scores {scores} (by seat)", result=sentence, scores=scores)
    return sentence


_ENDINGS: dict[str, str] = {
    UNFINISHED: Message("unfinished"),
    **{f"{name} out": Message("{name} out", name=seat_word(seat)) for seat, name in enumerate(SEAT_NAMES)},
}
"""Other endings stand as the record has them."""


def _draw_ply(screen: GameScreen, ply: Ply, note: Note, secret: bool) -> None:
    if ply.problem:
        # The whole sentence may tell the hand.
        problem = Message("illegal move: {why}", why=prose(ply.problem))
        screen.fault(tr("illegal move") if secret else translate(problem))
    screen.move(ply.after, remark_of(note))


class _HidingScreen(GameScreen):
    """Draws a game with some hands hidden: of these only the number of cards."""

    def __init__(self, console: Console, names: Sequence[str], hidden: Collection[int]) -> None:
        super().__init__(console, names)
        self._hidden = hidden

    def _shown(self, hand: Hand, seat: int) -> str:
        return "?" if seat in self._hidden and hand else super()._shown(hand, seat)
