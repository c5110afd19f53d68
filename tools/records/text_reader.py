"""Reads the text form of records that :mod:`tools.records.text` writes; spaces are free, all else is strict."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, NoReturn

from ddzbot.cards import CardsError, Hand, contains, hand_text, parse_hand
from ddzbot.game import SEAT_NAMES, SEATS, Scores
from ddzbot.rules import RulesError, RuleSet, rule_set

from ..shared.bounds import LONGEST_LINE, LONGEST_REASON, MOST_MOVES, Line
from ..shared.json_text import checked, parse_json, parse_json_at
from .jsonl import note_of
from .record import UNFINISHED, GameRecord, Note, RecordedMove, RecordError, Result
from .text import NO_SEATS, moves_with_outs

_TAG = re.compile(r'\[([A-Z][A-Za-z0-9_]*) (".*")\]', re.ASCII)
_SEATED = re.compile(r"([a-z_]+)@([012])", re.ASCII)
_FIELD = re.compile(r"\s+([a-z]+)=", re.ASCII)
_ROUND = re.compile(r"[1-9][0-9]{0,3}", re.ASCII)

Hands = tuple[Hand | None, Hand | None, Hand | None]


class SourceLine(NamedTuple):
    """A line of a text, and how to refuse it."""

    number: int
    text: str

    @property
    def label(self) -> str:
        """The first word."""
        return self.text.split(None, 1)[0]

    def refuse(self, problem: object) -> NoReturn:
        """
        Names the line with what is wrong in it.

        :raises RecordError: always.
        """
        raise RecordError(f"line {self.number} {self.text!r:.70}: {problem!s:.{LONGEST_REASON}}")


class _Line(SourceLine):
    @property
    def cells(self) -> list[str]:
        return self.text.split()[1:]

    def some_cells(self, number: int) -> list[str]:
        if len(self.cells) != number:
            self.refuse(f"{self.label} must have {number}, not {len(self.cells)}")
        return self.cells

    def cards(self, text: str) -> Hand | None:
        """Reads cards; ``?`` are unknown ones, and ``-`` none."""
        if text == "?":
            return None
        try:
            return parse_hand("" if text == "-" else text)
        except CardsError as error:
            self.refuse(error)


def parse_record(text: str) -> GameRecord:
    """
    Reads the text of exactly one game.

    :raises RecordError: if it is not the text of one game.
    """
    records = parse_records(text)
    if len(records) != 1:
        raise RecordError(f"the text has {len(records)} games where one must be")
    return records[0]


def parse_records(text: str) -> list[GameRecord]:
    """
    Reads the text of any number of games.

    :raises RecordError: for text that is none; the sentence has the number of the line and the line.
    """
    return list(read_games(lines_of_text(text)))


def read_games(lines: Iterable[Line]) -> Iterator[GameRecord]:
    """
    Yields the games of the lines of a text, one at a time.

    :raises RecordError: as :func:`parse_records` does.
    """
    return (_Reader(game).record() for game in _games(lines))


def lines_of_text(text: str) -> Iterator[Line]:
    """Numbers the lines of a text, without a byte order mark at its start."""
    lines = text.removeprefix("\ufeff").split("\n")
    return (Line(number, line, len(line) + 1) for number, line in enumerate(lines, 1))


def _games(lines: Iterable[Line]) -> Iterator[list[_Line]]:
    game: list[_Line] = []
    length = 0
    for number, whole, size in lines:
        line = whole.strip()
        if line and not line.startswith("#"):
            game.append(_Line(number, line))
            length += size
            if length > LONGEST_LINE:
                game[0].refuse(f"the lines of this game have more than {LONGEST_LINE:,} bytes")
        elif not line and game:
            yield game
            game, length = [], 0
    if game:
        yield game


class _Reader:
    """Reads one game, line by line, in the order in which they must stand."""

    def __init__(self, lines: list[_Line]) -> None:
        self._first, self._last = lines[0], lines[-1]
        self._left = lines[::-1]

    def record(self) -> GameRecord:
        tags = self._tags()
        rules = _rules(self._first, tags.pop("Rules", None))
        result = _result(tags)
        names = tuple(_text(tags.pop(f"Player{position}", None)) for position in range(SEATS))
        bids = self._bids()
        line = self._take("bottom")
        bottom = line.cards(line.some_cells(1)[0])
        landlord_position, hands = self._deal(bottom)
        rounds = self._rounds()
        moves = [RecordedMove(cards) for _, _, cards, _ in rounds]
        for ply, note in self._notes(len(moves)):
            moves[ply] = moves[ply]._replace(note=note)
        try:
            record = GameRecord(
                rules=rules,
                hands=hands,
                bottom=bottom,
                bids=bids,
                landlord_position=landlord_position,
                moves=tuple(moves),
                names=(names[0], names[1], names[2]),
                result=result,
                tags={label: _text(tag) for label, tag in tags.items()},
            )
        except RecordError as error:
            raise RecordError(
                f"the game in lines {self._first.number} to {self._last.number}: {error!s:.{LONGEST_REASON}}"
            ) from None
        _check_outs(record, rounds)
        return record

    def _next_is(self, label: str) -> bool:
        return bool(self._left) and self._left[-1].label == label

    def _take(self, label: str) -> _Line:
        if not self._left:
            self._last.refuse(f"the line {label!r} must follow")
        line = self._left.pop()
        if line.label != label:
            line.refuse(f"expected the line {label!r}")
        return line

    def _tags(self) -> "dict[str, _Tag]":
        tags: dict[str, _Tag] = {}
        while self._left and self._left[-1].text.startswith("["):
            line = self._left.pop()
            tag = _TAG.fullmatch(line.text)
            if not tag:
                line.refuse('a tag is written [Name "value"]')
            if tag[1] in tags:
                line.refuse(f"tag {tag[1]} occurs twice")
            try:
                tags[tag[1]] = _Tag(line, parse_json(tag[2]))
            except ValueError as error:
                line.refuse(f"the value is not a JSON text: {error}")
        return tags

    def _bids(self) -> tuple[int | None, ...]:
        if not self._next_is("bids"):
            return ()
        line = self._take("bids")
        for cell in line.cells:
            if cell not in ("?", "0", "1", "2", "3"):
                line.refuse(f"{cell!r} is not a bid")
        return tuple(None if cell == "?" else int(cell) for cell in line.cells) or line.refuse("there are no bids")

    def _deal(self, bottom: Hand | None) -> tuple[int | None, Hands]:
        """Reads the seats and their first hands; returns the landlord's position and the hands as dealt."""
        seats = self._take("seats")
        landlord_position, positions = _seating(seats, seats.some_cells(SEATS))
        line = self._take("hands")
        hands: list[Hand | None] = [None] * SEATS
        for seat, cell in enumerate(line.some_cells(SEATS)):
            hand = line.cards(cell)
            if hand is not None and bottom is not None and seat == 0 and landlord_position is not None:
                if not contains(hand, bottom):
                    line.refuse(f"the landlord's hand does not have the bottom {hand_text(bottom)}")
                hand -= bottom
            hands[positions[seat]] = hand
        return landlord_position, (hands[0], hands[1], hands[2])

    def _rounds(self) -> "list[_Cell]":
        cells: list[_Cell] = []
        while self._left and self._left[-1].label != "note":
            line = self._left.pop()
            if line.label != str(len(cells) // SEATS + 1) or len(cells) % SEATS:
                line.refuse(f"move {len(cells) + 1} of the game, or a note, must be here")
            if not 1 <= len(line.cells) <= SEATS:
                line.refuse(f"a round has one to three moves, not {len(line.cells)}")
            cells += [_cell(line, cell) for cell in line.cells]
            if len(cells) > MOST_MOVES:
                line.refuse(f"a game has at most {MOST_MOVES} moves")
        return cells

    def _notes(self, moves: int) -> Iterator[tuple[int, Note]]:
        seen = set()
        while self._left:
            line = self._take("note")
            parts = line.text.split(None, 3)
            if len(parts) != 4 or not _ROUND.fullmatch(parts[1]) or parts[2] not in SEAT_NAMES:
                line.refuse("a note has a round, a seat, and fields such as seconds=0.5")
            ply = (int(parts[1]) - 1) * SEATS + SEAT_NAMES.index(parts[2])
            if ply in seen or ply >= moves:
                line.refuse("the move has a note already" if ply in seen else "there is no such move")
            seen.add(ply)
            yield ply, _note(line, " " + parts[3])


class _Tag(NamedTuple):
    line: _Line
    value: Any


class _Cell(NamedTuple):
    line: _Line
    text: str
    cards: Hand
    out: bool


def _text(tag: _Tag | None) -> str:
    return str(tag.value) if tag else ""


def _rules(first: _Line, tag: _Tag | None) -> RuleSet:
    if tag is None:
        first.refuse('the game has no tag [Rules "..."]')
    try:
        return rule_set(_text(tag))
    except RulesError as error:
        tag.line.refuse(error)


def _result(tags: dict[str, _Tag]) -> Result:
    winner, scores = tags.pop("Winner", None), tags.pop("Scores", None)
    ended = tags.pop("Termination", None)
    termination = _text(ended) if ended else UNFINISHED
    paid = _scores(scores) if scores else None
    if winner and winner.value not in ("landlord", "peasants"):
        winner.line.refuse("the winner must be landlord or peasants")
    return Result(winner.value if winner else None, paid, termination)


def _scores(tag: _Tag) -> Scores:
    try:
        return checked([parse_json(word) for word in tag.value.split()], tuple[float, float, float])
    except ValueError:
        tag.line.refuse("the scores must be three numbers")


def _seating(line: _Line, cells: list[str]) -> tuple[int | None, list[int]]:
    """Gets the landlord's position, and the position for each column."""
    matches = [_SEATED.fullmatch(cell) for cell in cells]
    names = [match[1] for match in matches if match]
    positions = [int(match[2]) for match in matches if match]
    if names == [NO_SEATS] * SEATS and positions == [0, 1, 2]:
        return None, positions
    if names != list(SEAT_NAMES) or [(position - positions[0]) % SEATS for position in positions] != [0, 1, 2]:
        line.refuse("the seats must be landlord, landlord_down and landlord_up, at positions in turn")
    return positions[0], positions


def _cell(line: _Line, text: str) -> _Cell:
    """Reads a move: cards, or ``-`` or ``pass``; a star marks the player that goes out."""
    cards = line.cards("-" if text == "pass" else text.removesuffix("*"))
    if cards is None or text == "*":
        line.refuse(f"{text!r} is not a move")
    return _Cell(line, text, cards, text.endswith("*"))


def _check_outs(record: GameRecord, cells: list[_Cell]) -> None:
    for cell, (_, out) in zip(cells, moves_with_outs(record), strict=True):
        if cell.out != out:
            cell.line.refuse(f"{cell.text!r} " + ("goes out and needs a star" if out else "does not go out"))


def _note(line: _Line, text: str) -> Note:
    fields: dict[str, Any] = {}
    offset = 0
    while offset < len(text):
        field = _FIELD.match(text, offset)
        if not field or field[1] in fields:
            line.refuse(f"{text[offset:]!r:.40} is not a further field of a note")
        try:
            fields[field[1]], offset = parse_json_at(text, field.end())
        except ValueError as error:
            line.refuse(f"{field[1]} is not a JSON value: {error}")
    try:
        return note_of(fields)
    except RecordError as error:
        line.refuse(error)
