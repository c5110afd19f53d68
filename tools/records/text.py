"""
The text form of records, for people: one game on one screen of 80 columns.

For example::

    [Event "demo"]
    [Rules "botzone2"]
    [Player0 "rule"]
    [Player1 "random"]
    [Player2 "rule"]
    [Winner "landlord"]
    [Scores "6 -3 -3"]
    [Termination "landlord out"]
    bids    0 1 3
    bottom  3QA
    seats   landlord@2             landlord_down@0        landlord_up@1
    hands   33345566789TTJQKA2LB   3445678899TJQK2AB      ...
    1       334455                 667788                 -
    2       -                      -                      2*
    note    1 landlord seconds=0.138 value=-0.3 comment="the long chain first" debug={"player":"rule"}

A blank line separates games, and lines that begin with ``#`` are not read. docs/reference/records.md has every rule.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import accumulate
from operator import itemgetter

from ddzbot.cards import Hand, hand_text, size
from ddzbot.game import SEAT_NAMES, SEATS

from ..shared.json_text import json_text, number_text
from .record import GameRecord

LABEL_WIDTH = 8
COLUMN_WIDTH = 23
"""Room for the largest hand, or the largest move and its mark, and two spaces."""

NO_SEATS = "player"
"""Stands in place of a seat while there is no landlord."""


def record_text(record: GameRecord) -> str:
    """Gets the canonical text of one game; :func:`tools.records.text_reader.parse_record` gets the game back."""
    lines = [*_tag_lines(record), *_deal_lines(record), *_round_lines(record), *_note_lines(record)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _tag_lines(record: GameRecord) -> Iterator[str]:
    result = record.result
    tags = {**record.tags, "Rules": record.rules.name}
    tags.update({f"Player{position}": player for position, player in enumerate(record.names) if player})
    if result.winner:
        tags["Winner"] = result.winner
    if result.scores:
        tags["Scores"] = " ".join(map(number_text, result.scores))
    tags["Termination"] = result.termination
    for tag, content in tags.items():
        yield f"[{tag} {json_text(content)}]"


def _deal_lines(record: GameRecord) -> Iterator[str]:
    if record.bids:
        yield _row("bids", [" ".join("?" if bid is None else str(bid) for bid in record.bids)], 0)
    yield _row("bottom", [_cards(record.bottom)], 0)
    width = _column_width(record)
    if record.landlord_position is None:
        yield _row("seats", [f"{NO_SEATS}@{position}" for position in range(SEATS)], width)
    else:
        yield _row("seats", [f"{SEAT_NAMES[seat]}@{record.position_of(seat)}" for seat in range(SEATS)], width)
    yield _row("hands", [_cards(hand) for hand in record.seat_hands], width)


def _round_lines(record: GameRecord) -> Iterator[str]:
    width = _column_width(record)
    outs = outs_of(record)
    cells = [_cards(move.cards) + ("*" if ply in outs else "") for ply, move in enumerate(record.moves)]
    for ply in range(0, len(cells), SEATS):
        yield _row(str(ply // SEATS + 1), cells[ply : ply + SEATS], width)


def _note_lines(record: GameRecord) -> Iterator[str]:
    for ply, (_, note) in enumerate(record.moves):
        fields = []
        if note.seconds is not None:
            fields.append(f"seconds={number_text(note.seconds)}")
        if note.value is not None:
            fields.append(f"value={number_text(note.value)}")
        if note.comment:
            fields.append(f"comment={json_text(note.comment)}")
        if note.debug is not None:
            fields.append(f"debug={json_text(note.debug)}")
        if fields:
            yield _row("note", [str(ply // SEATS + 1), SEAT_NAMES[ply % SEATS], *fields], 0)


def _row(label: str, cells: Iterable[str], width: int) -> str:
    return label.ljust(LABEL_WIDTH) + " ".join(cell.ljust(width - 1) for cell in cells)


def _column_width(record: GameRecord) -> int:
    hands = [size(hand or 0) for hand in record.seat_hands]
    moves = [size(move.cards) + 1 for move in record.moves]
    return max(COLUMN_WIDTH, *(longest + 2 for longest in (*hands, *moves)))


def _cards(cards: Hand | None) -> str:
    return "?" if cards is None else hand_text(cards) or "-"


def outs_of(record: GameRecord) -> list[int]:
    """Lists the moves, by number, with which a seat has played as many cards as it had."""
    outs = []
    sizes = [*map(_size, map(itemgetter(0), record.moves))]
    for seat, hand in enumerate(record.seat_hands):
        held = record.rules.seat_cards(seat) if hand is None else size(hand)
        played = sizes[seat::SEATS]
        if 0 < held <= sum(played) and held in (so_far := [*accumulate(played)]):
            outs.append(so_far.index(held) * SEATS + seat)
    return sorted(outs)


_size = lru_cache(maxsize=1 << 12)(size)
"""Most moves are of few cards, and come again and again."""
