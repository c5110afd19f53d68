"""
Finished matches as game records: what our seat knows, which is its own hand, the bottom, and every move in a request.

The site ends a match with the scores alone. If another player went out, its last moves came after our last request, and
the site does not send them: the record has the result, and ends one or two moves early.
"""

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

from ddzbot.cards import Hand, hand_of_ids
from ddzbot.game import SEAT_NAMES, SEATS
from ddzbot.protocol.botzone import OwnTurn, rebuild
from ddzbot.rules import BOTZONE2
from ddzbot.view import BidView

from ...records.files import format_of, text_of
from ...records.record import GameRecord, Note, RecordedMove, RecordError, Result, deduce_hands
from ...records.text_reader import parse_record
from ...shared.bounds import LONGEST_LINE
from ...shared.storage.growing_file import PATIENCE, GrowingFile, append_line
from ...shared.storage.whole_file import put
from .match import LiveMatch
from .wire import Ended

BROKEN_OFF = "broken off by the site"
NOT_SENT = "over: the site does not send the last moves"
FAULTS = {
    (-1.0, 2.5, 2.5): "fault: by the landlord",
    (2.5, -1.0, -1.0): "fault: by a peasant",
    (-1.0, -1.0, -1.0): "fault: all three positions",
}
"""Scores by seat that the judges give for nothing else."""

Thing = TypeVar("Thing")


class Games:
    """Where records go: a file that grows, or a folder with a file for each match."""

    def __init__(self, path: Path) -> None:
        """
        Takes the path; one with the suffix of a format is a file.

        :raises RecordError: if that format cannot be written.
        """
        self.path = path
        self._form = format_of(path) if path.suffix else ""
        if self._form:
            text_of([], self._form)
            if path.suffix == ".gz":
                raise RecordError(f"{path}: a packed file cannot grow; leave .gz out")

    def add(self, match: str, record: GameRecord) -> None:
        """
        Adds a game.

        :raises OSError: if it cannot be written; the games before it are what they were.
        :raises JournalError: if another process does not let go of the file, or it is not a file.
        """
        written = text_of([record], self._form or "text").encode()
        if not self._form:
            put(self.path / f"{match}.ddzn", written)
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self._form == "json":
            append_line(self.path, written.rstrip(b"\n"))
            return
        with closing(GrowingFile(self.path, PATIENCE)) as file:
            tail = file.content(max(0, file.size - LONGEST_LINE)).rpartition(b"\n\n")[2]
            half = _is_half(tail)
            file.size -= half * len(tail)
            ends = b"" if half else b"\n" * (1 if tail.endswith(b"\n") else 2)
            file.write(ends * bool(file.size) + written)


def _is_half(last: bytes) -> bool:
    """Tests for what a machine that died has left of a record: it ends within a line, or in zero bytes."""
    if not last or (last.endswith(b"\n") and b"\0" not in last):
        return False
    try:
        parse_record(last.decode("utf-8"))
    except (RecordError, UnicodeDecodeError):
        return True
    return False


class LastTurn(NamedTuple):
    """Our last turn of a match."""

    turn: OwnTurn
    response: Any
    """None if there is none."""


def last_turn(match: LiveMatch) -> LastTurn:
    """
    Finds out what we knew in the end.

    :raises RecordError: if there was no request, or the requests contradict each other.
    """
    if not match.requests:
        raise RecordError("the site asked us for nothing")
    asked = len(match.requests) - 1
    problem = ""
    for requests, responses in match.histories():
        try:
            turn = rebuild(requests, responses[: len(requests) - 1])
        except ValueError as error:
            problem = problem or str(error)
            continue
        return LastTurn(turn, match.responses[asked] if match.is_answered else None)
    raise RecordError(problem)


def record_of_live(match: LiveMatch, ended: Ended, player: str, tags: Mapping[str, str]) -> GameRecord:
    """
    Makes the record of a match that is over; *player* is the player that answered here.

    :raises RecordError: if there was no request, or the requests contradict each other.
    """
    (view, own_ids), response = last_turn(match)
    position = len(view.bids) if isinstance(view, BidView) else (view.landlord_position + view.seat) % SEATS
    names = list(match.players) if len(match.players) == SEATS else [""] * SEATS
    names[position] = player
    hands: list[Hand | None] = [None] * SEATS
    own_tags = {"Match": match.id, "Begun": match.begun, **tags}
    if isinstance(view, BidView):
        hands[position] = view.hand
        bids = view.bids if response is None else (*view.bids, int(response))
        result = Result(None, None, BROKEN_OFF)
        return GameRecord(BOTZONE2, _three(hands), None, bids, None, (), _three(names), result, own_tags)
    started = view.hand + view.played(view.seat)
    hands[position] = started - view.bottom if view.seat == 0 else started
    played = [move.cards for move in view.plays] + ([] if response is None else [hand_of_ids(response)])
    out = response is not None and len(response) == len(own_ids)
    notes = _notes(match, view.seat, len(played))
    record = GameRecord(
        rules=view.rules,
        hands=_three(hands),
        bottom=view.bottom,
        bids=view.bids,
        landlord_position=view.landlord_position,
        moves=tuple(RecordedMove(cards, notes.get(ply, Note())) for ply, cards in enumerate(played)),
        names=_three(names),
        result=_result(ended, view.landlord_position, f"{SEAT_NAMES[view.seat]} out" if out else NOT_SENT),
        tags=own_tags,
    )
    return deduce_hands(record)


def _notes(match: LiveMatch, seat: int, moves: int) -> dict[int, Note]:
    """Gets what was noted about our moves, by the number of the move; a bid has no place in a record for it."""
    bids = int(isinstance(match.requests[0], dict) and "bid" in match.requests[0])
    own = match.notes[bids:]
    return {
        ply: Note(seconds=note.get("seconds"), debug=note.get("debug") or None)
        for ply, note in zip(range(seat, moves, SEATS), own, strict=False)
    }


def _result(ended: Ended, landlord: int, termination: str) -> Result:
    if len(ended.scores) != SEATS:
        return Result(None, None, BROKEN_OFF)
    of_landlord, of_down, of_up = (ended.scores[(landlord + seat) % SEATS] for seat in range(SEATS))
    fault = FAULTS.get((of_landlord, of_down, of_up))
    winner: Literal["landlord", "peasants"] | None = None
    if of_landlord != of_down:
        winner = "landlord" if of_landlord > of_down else "peasants"
    return Result(winner, (of_landlord, of_down, of_up), fault or termination)


def _three(values: Sequence[Thing]) -> tuple[Thing, Thing, Thing]:
    return values[0], values[1], values[2]
