"""
Reads rows: one JSON object a game, with moves as text by seat, as research logs of other programs come.

A row has ``agents`` and ``hands`` by seat (``landlord``, ``peasant_next`` who plays next, ``peasant_prev``), ``bottom``
and ``moves``; hands include the bottom, null is unknown, and "" and "pass" are the pass. What a program thought of
its candidates stands in ``decisions``: it becomes the note of the move.
"""

from typing import Any, Generic, Literal, TypeVar

from msgspec import UNSET, Struct

from ddzbot.cards import contains
from ddzbot.game import SEAT_NAMES
from ddzbot.rules import STANDARD, RuleSet

from ..shared.json_text import checked, json_text
from .jsonl import hand_of
from .record import NO_NOTE, UNFINISHED, GameRecord, Note, RecordedMove, RecordError, Result

SEAT_KEYS = ("landlord", "peasant_next", "peasant_prev")

TAGS = {
    "source": "Source",
    "segment": "Segment",
    "folder": "Folder",
    "label": "Label",
    "hands_known": "HandsKnown",
    "printed_result_of_MCTSHS": "PrintedResult",
}
"""Keys that become tags."""

Value = TypeVar("Value")


class _BySeat(Struct, Generic[Value]):
    landlord: Value
    peasant_next: Value
    peasant_prev: Value

    @property
    def values(self) -> tuple[Value, Value, Value]:
        return self.landlord, self.peasant_next, self.peasant_prev


class _Decision(Struct):
    ply: int
    played: str | None = None
    seconds: float | None = None
    candidates: Any = UNSET
    branch: Any = UNSET


class _Candidate(Struct):
    value: float | None = None


class _Row(Struct):
    agents: _BySeat[Any]
    hands: _BySeat[str | None]
    moves: list[str]
    bottom: str | None = None
    decisions: list[_Decision] | None = None
    winner: Literal["landlord", "peasants"] | None = None
    winner_seat: Literal["landlord", "peasant_next", "peasant_prev"] | None = None
    complete: bool = True


def record_of_row(row: dict[str, Any], rules: RuleSet = STANDARD) -> GameRecord:
    """
    Converts one row. Scores stay unknown: the rows tell only who won.

    :raises RecordError: if it is not a row.
    """
    found = checked(row, _Row, RecordError)
    landlord, down, up = (hand_of(hand, "hands") for hand in found.hands.values)
    bottom = hand_of(found.bottom, "bottom")
    if landlord is not None and bottom is not None:
        if not contains(landlord, bottom):
            raise RecordError(f"the landlord's hand {found.hands.landlord!r} does not have the bottom")
        landlord -= bottom
    first, second, third = (str(name or "") for name in found.agents.values)
    return GameRecord(
        rules=rules,
        hands=(landlord, down, up),
        bottom=bottom,
        moves=_moves(found),
        names=(first, second, third),
        result=_result(found),
        tags={tag: _tag_text(row[key]) for key, tag in TAGS.items() if row.get(key) is not None},
    )


def _tag_text(value: Any) -> str:
    """Writes hands_known in the order of the seats; all else is one word or number."""
    if isinstance(value, dict):
        return ", ".join(str(value.get(seat) or "unknown") for seat in SEAT_KEYS)
    return value if isinstance(value, str) else json_text(value)


def _moves(row: _Row) -> tuple[RecordedMove, ...]:
    cards = [hand_of("" if move == "pass" else move, "moves", ply) for ply, move in enumerate(row.moves)]
    notes = {decision.ply: _note(decision) for decision in row.decisions or []}
    for ply in notes:
        if not 0 <= ply < len(row.moves):
            raise RecordError(f"the decision at ply {ply} is about no move")
    return tuple(RecordedMove(move or 0, notes.get(ply, NO_NOTE)) for ply, move in enumerate(cards))


def _note(decision: _Decision) -> Note:
    candidates = decision.candidates
    played = candidates.get(decision.played or "pass") if isinstance(candidates, dict) else None
    try:
        value = checked(played, _Candidate).value if isinstance(played, dict) else None
    except ValueError as error:
        raise RecordError(f"the decision at ply {decision.ply}: {error}") from None
    said = {"candidates": candidates, "branch": decision.branch}
    return Note(decision.seconds, value, {name: one for name, one in said.items() if one is not UNSET} or None)


def _result(row: _Row) -> Result:
    if row.winner is None:
        return Result()
    if row.winner_seat is None:
        raise RecordError(f"the winner is {row.winner}, but there is no winner_seat")
    seat = SEAT_NAMES[SEAT_KEYS.index(row.winner_seat)]
    return Result(row.winner, None, f"{seat} out" if row.complete else UNFINISHED)
