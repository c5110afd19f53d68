"""Reads the text form of records that :mod:`tools.records.text` writes; spaces are free, all else is strict."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import count, groupby, islice, takewhile
from operator import methodcaller
from typing import Any, Literal, NamedTuple, NoReturn

from ddzbot.cards import CardsError, Hand, contains, hand_text, parse_hand
from ddzbot.game import SEAT_NAMES, SEATS, Scores
from ddzbot.rules import RulesError, RuleSet, rule_set

from ..shared.bounds import LONGEST_LINE, LONGEST_REASON, MOST_MOVES
from ..shared.json_text import checked, parse_json, parse_json_at
from .jsonl import note_of
from .record import NO_NOTE, PLAYER_TAGS, UNFINISHED, GameRecord, Note, RecordedMove, RecordError, Result
from .text import LABEL_WIDTH, NO_SEATS, outs_of

_TAG = re.compile(r'\[([A-Z][A-Za-z0-9_]*) "(.*)"\]', re.ASCII)
"""A tag, whose value is a JSON text."""
_PLAIN_TAGS = re.compile(r'^\[([A-Z][A-Za-z0-9_]*) "([^"\\\x00-\x1f]*)"\]$', re.ASCII | re.MULTILINE)
"""Tags whose values have no escapes, as they stand in a text."""
_NUMBER = r"(-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]+)?(?:e-?[0-9]{1,2})?)"
_NUMBERS = re.compile(rf"{_NUMBER}(?: value={_NUMBER})?")
"""The fields of most notes, after the first ``seconds=``."""
_FIELD = re.compile(r"\s+([a-z]+)=", re.ASCII)
_ROUND = re.compile(r"[1-9][0-9]{0,3}", re.ASCII)

_AT_ONCE = 32
"""Lines of a game that are measured together; each may be as long as a whole game."""
_new = tuple.__new__
"""Makes a named tuple without a step of Python code."""

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


def read_games(lines: Iterable[str]) -> Iterator[GameRecord]:
    """
    Yields the games of the lines of a text, one at a time.

    :raises RecordError: as :func:`parse_records` does.
    """
    return (_Reader(game).record() for game in _games(lines))


def lines_of_text(text: str) -> list[str]:
    """Lists the lines of a text, without a byte order mark at its start."""
    return text.removeprefix("\ufeff").split("\n")


def _games(lines: Iterable[str]) -> Iterator[dict[int, str]]:
    """Yields the lines of each game by their numbers, without the remarks."""
    number = 1
    for has_text, group in groupby(map(str.strip, lines), bool):
        game: dict[int, str] = {}
        length = 0
        while part := list(islice(group, _AT_ONCE)):
            if has_text:
                written = dict(zip(count(number), part))
                if "#" in [line[0] for line in part]:
                    written = {at: line for at, line in written.items() if line[0] != "#"}
                game.update(written)
                length += sum(map(len, written.values())) + len(written)
                if length > LONGEST_LINE:
                    first = SourceLine(*next(iter(game.items())))
                    first.refuse(f"the lines of this game have more than {LONGEST_LINE:,} bytes")
            number += len(part)
        if game:
            yield game


class _Reader:
    """Reads one game, line by line, in the order in which they must stand."""

    def __init__(self, game: dict[int, str]) -> None:
        self._numbers, self._lines = list(game), list(game.values())
        self._at = -1
        """The line that is read."""

    def record(self) -> GameRecord:
        tags = self._tags()
        rules = self._rules(tags)
        result = self._result(tags)
        names = tuple([tags.pop(name, "") for name in PLAYER_TAGS])
        bids = self._bids()
        bottom = self._cards(self._take("bottom", 1)[0])
        landlord_position, hands = self._deal(bottom)
        first_round = self._at + 1
        moves, outs = self._rounds()
        self._notes(moves)
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
                tags=tags,
            )
        except RecordError as error:
            where = f"the game in lines {self._numbers[0]} to {self._numbers[-1]}"
            raise RecordError(f"{where}: {error!s:.{LONGEST_REASON}}") from None
        due = outs_of(record)
        if outs != due:
            self._refuse_out(min({*outs} ^ {*due}), due, first_round)
        return record

    def _refuse(self, problem: object, at: int | None = None) -> NoReturn:
        at = self._at if at is None else at
        SourceLine(self._numbers[at], self._lines[at]).refuse(problem)

    def _next_is(self, label: str) -> bool:
        return self._at + 1 < len(self._lines) and self._lines[self._at + 1].split(None, 1)[0] == label

    def _take(self, label: str, number: int | None = None) -> list[str]:
        """Gets the words of the next line, which must have that label, and that number of words."""
        if self._at + 1 == len(self._lines):
            self._refuse(f"the line {label!r} must follow")
        self._at += 1
        first, *words = self._lines[self._at].split()
        if first != label:
            self._refuse(f"expected the line {label!r}")
        if number is not None and len(words) != number:
            self._refuse(f"{label} must have {number}, not {len(words)}")
        return words

    def _cards(self, text: str) -> Hand | None:
        """Reads cards; ``?`` are unknown ones, and ``-`` none."""
        if text == "?":
            return None
        try:
            return parse_hand("" if text == "-" else text)
        except CardsError as error:
            self._refuse(error)

    def _tags(self) -> dict[str, str]:
        lines = [*takewhile(_begins_as_tag, self._lines)]
        plain = _PLAIN_TAGS.findall("\n".join(lines))
        tags: dict[str, str] = dict(plain)
        if len(tags) == len(lines):
            self._at += len(lines)
            self._tag_names = list(tags)
            return tags
        tags.clear()
        for line in lines:
            self._at += 1
            tag = _TAG.fullmatch(line)
            if not tag:
                self._refuse('a tag is written [Name "value"]')
            name, escaped = tag.groups()
            if name in tags:
                self._refuse(f"tag {name} occurs twice")
            try:
                tags[name] = parse_json(f'"{escaped}"')
            except ValueError as error:
                self._refuse(f"the value is not a JSON text: {error}")
        self._tag_names = list(tags)
        return tags

    def _refuse_tag(self, name: str, problem: object) -> NoReturn:
        self._refuse(problem, self._tag_names.index(name))

    def _rules(self, tags: dict[str, str]) -> RuleSet:
        if "Rules" not in tags:
            self._refuse('the game has no tag [Rules "..."]', 0)
        try:
            return rule_set(tags.pop("Rules"))
        except RulesError as error:
            self._refuse_tag("Rules", error)

    def _result(self, tags: dict[str, str]) -> Result:
        winner, scores = tags.pop("Winner", None), tags.pop("Scores", None)
        termination = tags.pop("Termination", UNFINISHED)
        try:
            paid = None if scores is None else _scores(scores)
        except ValueError:
            self._refuse_tag("Scores", "the scores must be three numbers")
        if winner not in _WINNERS:
            self._refuse_tag("Winner", "the winner must be landlord or peasants")
        return Result(_WINNERS[winner], paid, termination)

    def _bids(self) -> tuple[int | None, ...]:
        if not self._next_is("bids"):
            return ()
        words = self._take("bids")
        for word in words:
            if word not in ("?", "0", "1", "2", "3"):
                self._refuse(f"{word!r} is not a bid")
        return tuple(None if word == "?" else int(word) for word in words) or self._refuse("there are no bids")

    def _deal(self, bottom: Hand | None) -> tuple[int | None, Hands]:
        """Reads the seats and their first hands; returns the landlord's position and the hands as dealt."""
        seats = tuple(self._take("seats", SEATS))
        if seats not in _SEATINGS:
            self._refuse("the seats must be landlord, landlord_down and landlord_up, at positions in turn")
        landlord_position = _SEATINGS[seats]
        cells = self._take("hands", SEATS)
        first = self._cards(cells[0])
        if first is not None and bottom is not None and landlord_position is not None:
            if not contains(first, bottom):
                self._refuse(f"the landlord's hand does not have the bottom {hand_text(bottom)}")
            first -= bottom
        hands, shift = (first, *map(self._cards, cells[1:])), -(landlord_position or 0)
        return landlord_position, (hands[shift], hands[(shift + 1) % SEATS], hands[(shift + 2) % SEATS])

    def _rounds(self) -> tuple[list[RecordedMove], list[int]]:
        """Reads the moves; gets them, and the numbers of those with a star: the player goes out."""
        moves: list[RecordedMove] = []
        outs: list[int] = []
        for line in self._lines[self._at + 1 :]:
            label, *cells = line.split()
            if label == "note":
                break
            self._at += 1
            if label != _LABELS.get(len(moves)):
                self._refuse(f"move {len(moves) + 1} of the game, or a note, must be here")
            if not 1 <= len(cells) <= SEATS:
                self._refuse(f"a round has one to three moves, not {len(cells)}")
            if "*" in line:
                outs += [len(moves) + seat for seat, cell in enumerate(cells) if cell[-1] == "*"]
            try:
                moves += map(_move, cells)
            except ValueError as error:
                self._refuse(error)
            if len(moves) > MOST_MOVES:
                self._refuse(f"a game has at most {MOST_MOVES} moves")
        return moves, outs

    def _refuse_out(self, ply: int, due: list[int], first_round: int) -> NoReturn:
        at = first_round + ply // SEATS
        cell = self._lines[at].split()[1 + ply % SEATS]
        self._refuse(f"{cell!r} " + ("goes out and needs a star" if ply in due else "does not go out"), at)

    def _notes(self, moves: list[RecordedMove]) -> None:
        """Reads the notes, and puts them to their moves."""
        for line in self._lines[self._at + 1 :]:
            self._at += 1
            beginning, _, fields = line.partition(" seconds=")
            ply = _NOTED.get(beginning)
            numbers = None if ply is None else _NUMBERS.fullmatch(fields)
            if ply is None or numbers is None:
                ply, fields = self._any_note(line)
            if ply >= len(moves):
                self._refuse("there is no such move")
            cards, noted = moves[ply]
            if noted is not NO_NOTE:
                self._refuse("the move has a note already")
            if numbers is None:
                note = self._note(fields)
            else:
                seconds, value = numbers.groups()
                note = _new(Note, (float(seconds), value and float(value), None, ""))
            moves[ply] = _new(RecordedMove, (cards, note))

    def _any_note(self, line: str) -> tuple[int, str]:
        """Gets the number of the move of a note, and its fields."""
        parts = line.split(None, 3)
        if parts[0] != "note":
            self._refuse("expected the line 'note'")
        if len(parts) != 4 or not _ROUND.fullmatch(parts[1]) or parts[2] not in SEAT_NAMES:
            self._refuse("a note has a round, a seat, and fields such as seconds=0.5")
        return (int(parts[1]) - 1) * SEATS + SEAT_NAMES.index(parts[2]), " " + parts[3]

    def _note(self, text: str) -> Note:
        fields: dict[str, Any] = {}
        offset = 0
        while offset < len(text):
            field = _FIELD.match(text, offset)
            if not field or field[1] in fields:
                self._refuse(f"{text[offset:]!r:.40} is not a further field of a note")
            try:
                fields[field[1]], offset = parse_json_at(text, field.end())
            except ValueError as error:
                self._refuse(f"{field[1]} is not a JSON value: {error}")
        try:
            return note_of(fields)
        except RecordError as error:
            self._refuse(error)


_WINNERS: dict[str | None, Literal["landlord", "peasants"] | None] = {
    None: None,
    "landlord": "landlord",
    "peasants": "peasants",
}
_SEATINGS = {tuple(f"{NO_SEATS}@{position}" for position in range(SEATS)): None} | {
    tuple(f"{name}@{(first + seat) % SEATS}" for seat, name in enumerate(SEAT_NAMES)): first for first in range(SEATS)
}
"""The landlord's position by the words of the line of seats; None before the auction is over."""
_LABELS = {ply: str(ply // SEATS + 1) for ply in range(0, MOST_MOVES + 1, SEATS)}
"""The first word of a round by the number of moves before it."""
_begins_as_tag = methodcaller("startswith", "[")
_NOTED = {
    f"{'note':{LABEL_WIDTH}}{number} {name}": (number - 1) * SEATS + seat
    for number in range(1, 100)
    for seat, name in enumerate(SEAT_NAMES)
}
"""The number of the move by how the line of its note begins, as it is written."""


@lru_cache(maxsize=1 << 6)
def _scores(text: str) -> Scores:
    return checked(parse_json(f"[{','.join(text.split())}]"), tuple[float, float, float])


@lru_cache(maxsize=1 << 14)
def _move(cell: str) -> RecordedMove:
    """Reads a move: cards, or ``-`` or ``pass``; a star marks the player that goes out."""
    text = "-" if cell == "pass" else cell.removesuffix("*")
    if text == "?" or cell == "*":
        raise RecordError(f"{cell!r} is not a move")
    return RecordedMove(parse_hand("" if text == "-" else text))
