"""
What stands in the file of a table, and a table out of it. Each line is a JSON object:

======================================= ===============================================================
``{"format": "ddzbot-table", ...}``      the first: name, number, rules, the chairs as they are, and for how many
                                        seconds of a running server nobody used the table
``{"chair": 1, "token": ..., ...}``      a chair has another token, or somebody sat down
``{"finished": 3, "record": ...}``       a finished game that the table still shows
``{"game": 4, "seed": ..., ...}``        a game and its ``record`` so far: all hands, and what was done before
``{"bid": 2}``, ``{"move": ...}``        what was done since, in order
``{"over": 4, "points": [...], ...}``    the game is over, with its result
======================================= ===============================================================

Of a token only the SHA-256 hash stands there. Tokens are random and long, so that nobody finds one by its hash. Cards
stand there open, so that a later version that shuffles in another way still finds the same hands.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct

from ddzbot.game import SEATS, auction
from ddzbot.protocol.last_resort import shortened
from ddzbot.rules import RuleSet, rule_set

from ...records.jsonl import move_object, parse_move, record_json, record_of_json
from ...records.record import GameRecord, RecordedMove, Result
from ...shared.json_text import checked, parse_json
from ...shared.kept.folder import FolderError
from ..table.events import BidMade, Event, MoveMade
from .seats import Chair
from .store import FORMAT, Line

VERSION = 1


class Saved(NamedTuple):
    """A table as its file has it."""

    name: str
    number: int
    """Which table of the server, from 1."""
    rules: RuleSet
    chairs: list[Chair]
    finished: dict[int, GameRecord]
    game: int
    seed: int
    record: GameRecord
    """Of the last game, so far."""
    over: bool
    """It is over, and its points are counted."""
    unused: float
    """Seconds of a running server in which nobody used the table."""
    board: bool


# Lines.


def first_line(
    name: str, number: int, rules: RuleSet, chairs: Sequence[Chair], unused: float, board: bool = False
) -> Line:
    """Makes the first line; no time of day is in it, as a clock may jump."""
    shown = [{"who": one.who, "token": one.token, "taken": one.taken, "points": one.points} for one in chairs]
    about = {"name": name, "number": number, "rules": rules.name, "chairs": shown, "unused": round(unused, 1)}
    return {"format": FORMAT, "version": VERSION, **about, **({"board": True} if board else {})}


def chair_line(number: int, chair: Chair) -> Line:
    """Makes the line about a chair that changed."""
    return {"chair": number, "token": chair.token, "taken": chair.taken}


def finished_line(number: int, record: GameRecord) -> Line:
    """Makes the line of a finished game, for a file that is written anew."""
    return {"finished": number, "record": parse_json(record_json(record))}


def begun_line(number: int, seed: int, record: GameRecord) -> Line:
    """Makes the line of a game that goes on from *record*."""
    return {"game": number, "seed": seed, "record": parse_json(record_json(record))}


def event_lines(events: Sequence[Event], record: GameRecord) -> list[Line]:
    """Makes the lines of the last *events* of the game with that *record*. What follows from others has none."""
    made = sum(isinstance(event, MoveMade) for event in events)
    moves = iter(record.moves[len(record.moves) - made :])
    lines: list[Line] = []
    for event in events:
        if isinstance(event, BidMade):
            lines.append({"bid": event.bid})
        elif isinstance(event, MoveMade):
            lines.append({"move": move_object(next(moves))})
    return lines


def over_line(number: int, record: GameRecord, chairs: Sequence[Chair]) -> Line:
    """Makes the line of the end of a game."""
    return {"over": number, "result": list(record.result), "points": [chair.points for chair in chairs]}


# A table out of lines.


def saved(lines: Sequence[Line]) -> Saved:
    """
    Reads a table.

    :raises FolderError: if the lines are not what this module writes; the message says which one.
    """
    reading = _Reading()
    for number, line in enumerate(lines, 1):
        try:
            reading.read(line)
        except ValueError as error:
            raise FolderError(shortened(f"line {number} does not fit: {error}", 200)) from None
    if reading.record is None or reading.rules is None:
        raise FolderError("there is no game in it")
    return Saved(
        name=reading.name,
        number=reading.number,
        rules=reading.rules,
        chairs=reading.chairs,
        finished=reading.finished,
        game=reading.game,
        seed=reading.seed,
        record=reading.whole(),
        over=reading.result is not None,
        unused=reading.unused,
        board=reading.board,
    )


Token = Annotated[str, Meta(pattern=r"\A([0-9a-f]{64})?\Z")]
"""The SHA-256 hash of one; of a chair that nobody was invited to it is empty."""


class _Chair(Struct):
    who: str
    token: Token
    taken: bool
    points: float


class _First(Struct):
    format: str
    version: int
    name: str
    number: int
    rules: str
    chairs: tuple[_Chair, _Chair, _Chair]
    unused: Annotated[float, Meta(ge=0)] = 0.0
    board: bool = False


class _Changed(Struct):
    chair: Annotated[int, Meta(ge=0, lt=SEATS)]
    token: Token
    taken: bool


class _Finished(Struct):
    finished: int
    record: Any


class _Game(Struct):
    game: int
    seed: int
    record: Any


class _Bid(Struct):
    bid: int


class _Move(Struct):
    move: Any


class _Over(Struct):
    over: int
    result: tuple[Literal["landlord", "peasants"] | None, tuple[float, float, float], str]
    points: tuple[float, float, float]


class _Reading:
    """What the lines read so far say."""

    def __init__(self) -> None:
        self.name, self.number, self.unused, self.board = "", 0, 0.0, False
        self.rules: RuleSet | None = None
        self.chairs: list[Chair] = []
        self.finished: dict[int, GameRecord] = {}
        self.game = self.seed = 0
        self.record: GameRecord | None = None
        self.bids: list[int] = []
        self.moves: list[RecordedMove] = []
        self.result: Result | None = None

    def read(self, line: Line) -> None:
        kind = next(iter(line), "")
        if (kind == "format") != (self.rules is None):
            raise ValueError("the first line, and no other, says what the file is")
        readers: dict[str, Callable[[Line], None]] = {
            "format": self._first,
            "chair": self._chair,
            "finished": self._finished,
            "game": self._game,
            "bid": lambda line: self.bids.append(checked(line, _Bid).bid),
            "move": lambda line: self.moves.append(parse_move(checked(line, _Move).move)),
            "over": self._over,
        }
        if kind not in readers:
            raise ValueError(f"{kind!r:.40} is none of {', '.join(readers)}")
        readers[kind](line)

    def _first(self, line: Line) -> None:
        if (line["format"], line.get("version")) != (FORMAT, VERSION):
            raise ValueError(f"it is not a {FORMAT} of version {VERSION}")
        found = checked(line, _First)
        self.name, self.number, self.rules, self.unused = found.name, found.number, rule_set(found.rules), found.unused
        self.board = found.board
        self.chairs = [Chair(one.who, one.token, one.taken, one.points) for one in found.chairs]

    def _chair(self, line: Line) -> None:
        found = checked(line, _Changed)
        chair = self.chairs[found.chair]
        chair.token, chair.taken = found.token, found.taken

    def _finished(self, line: Line) -> None:
        found = checked(line, _Finished)
        self.finished[found.finished] = record_of_json(found.record)

    def _game(self, line: Line) -> None:
        if self.record is not None and self.result is not None:
            self.finished[self.game] = self.whole()
        found = checked(line, _Game)
        self.game, self.seed, self.record = found.game, found.seed, record_of_json(found.record)
        self.bids, self.moves = [bid or 0 for bid in self.record.bids], list(self.record.moves)
        self.result = None

    def _over(self, line: Line) -> None:
        found = checked(line, _Over)
        self.result = Result(*found.result)
        for chair, points in zip(self.chairs, found.points, strict=True):
            chair.points = points

    def whole(self) -> GameRecord:
        """Puts the last game together."""
        assert self.record is not None
        landlord: int | None = self.record.landlord_position
        if landlord is None:
            found = auction(self.bids)
            landlord = None if found is None else found[0]
        return replace(
            self.record,
            bids=tuple(self.bids),
            landlord_position=landlord,
            moves=tuple(self.moves),
            result=self.result or self.record.result,
        )
