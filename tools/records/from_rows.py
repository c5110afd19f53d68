"""
Reads rows: one JSON object a game, with moves as text by seat, as research logs of other programs come.

A row has ``agents`` and ``hands`` by seat (``landlord``, ``peasant_next`` who plays next, ``peasant_prev``), ``bottom``
and ``moves``; hands include the bottom, null is unknown, and "" and "pass" are the pass. What a program thought of
its candidates stands in ``decisions``: it becomes the note of the move.
"""

from typing import Any

from ddzbot.cards import CardsError, Hand, contains, parse_hand
from ddzbot.game import SEAT_NAMES
from ddzbot.rules import STANDARD, RuleSet

from ..shared.json_text import finite_number, json_text
from .record import NO_NOTE, UNFINISHED, GameRecord, Note, RecordedMove, RecordError, Result

__all__ = ["record_of_row"]

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

DEBUG_KEYS = ("candidates", "branch")
"""Keys of a decision that go into the debug of its move."""


def record_of_row(row: dict[str, Any], rules: RuleSet = STANDARD) -> GameRecord:
    """
    Converts one row. Scores stay unknown: the rows tell only who won.

    :raises RecordError: if it is not a row.
    """
    moves = _moves(row)
    hands = [_cards(hand, "hands") for hand in _by_seat(row, "hands")]
    bottom = _cards(row.get("bottom"), "bottom")
    if hands[0] is not None and bottom is not None:
        if not contains(hands[0], bottom):
            raise RecordError(f"the landlord's hand {row['hands']['landlord']!r} does not have the bottom")
        hands[0] -= bottom
    agents = [str(name or "") for name in _by_seat(row, "agents")]
    return GameRecord(
        rules=rules,
        hands=(hands[0], hands[1], hands[2]),
        bottom=bottom,
        moves=moves,
        names=(agents[0], agents[1], agents[2]),
        result=_result(row),
        tags={tag: _tag_text(row[key]) for key, tag in TAGS.items() if row.get(key) is not None},
    )


def _by_seat(row: dict[str, Any], key: str) -> list[Any]:
    value = row.get(key)
    if not isinstance(value, dict) or not set(SEAT_KEYS) <= set(value):
        raise RecordError(f"{key} {value!r:.60} is not an object by {', '.join(SEAT_KEYS)}")
    return [value[seat] for seat in SEAT_KEYS]


def _cards(text: Any, place: str) -> Hand | None:
    if text is None:
        return None
    try:
        return parse_hand(text)
    except (CardsError, TypeError) as error:
        raise RecordError(f"{place}: {error}") from None


def _tag_text(value: Any) -> str:
    """Writes hands_known in the order of the seats; all else is one word or number."""
    if isinstance(value, dict):
        return ", ".join(str(value.get(seat) or "unknown") for seat in SEAT_KEYS)
    return value if isinstance(value, str) else json_text(value)


def _moves(row: dict[str, Any]) -> tuple[RecordedMove, ...]:
    if not isinstance(row.get("moves"), list):
        raise RecordError(f"moves {row.get('moves')!r:.60} is not a list")
    cards = [_cards("" if move == "pass" else move, f"move {ply}") for ply, move in enumerate(row["moves"])]
    for ply, move in enumerate(cards):
        if move is None:
            raise RecordError(f"move {ply} is unknown")
    notes = _notes(row)
    return tuple(RecordedMove(move or 0, notes.get(ply, NO_NOTE)) for ply, move in enumerate(cards))


def _notes(row: dict[str, Any]) -> dict[int, Note]:
    decisions = row.get("decisions") or []
    if not isinstance(decisions, list) or not all(isinstance(decision, dict) for decision in decisions):
        raise RecordError(f"decisions {decisions!r:.60} is not a list of objects")
    for decision in decisions:
        if type(decision.get("ply")) is not int or not 0 <= decision["ply"] < len(row["moves"]):
            raise RecordError(f"the decision at ply {decision.get('ply')!r:.40} is about no move")
    return {decision["ply"]: _note(decision) for decision in decisions}


def _note(decision: dict[str, Any]) -> Note:
    candidates = decision.get("candidates")
    played = candidates.get(decision.get("played") or "pass") if isinstance(candidates, dict) else None
    numbers = {"value": played.get("value") if isinstance(played, dict) else None, "seconds": decision.get("seconds")}
    try:
        known = {name: finite_number(number) for name, number in numbers.items() if number is not None}
    except ValueError as error:
        raise RecordError(f"the decision at ply {decision.get('ply')!r}: {error}") from None
    debug: dict[str, Any] = {name: decision[name] for name in DEBUG_KEYS if name in decision}
    return Note(known.get("seconds"), known.get("value"), debug or None)


def _result(row: dict[str, Any]) -> Result:
    winner, seat = row.get("winner"), row.get("winner_seat")
    if winner is None:
        return Result()
    if winner not in ("landlord", "peasants") or seat not in SEAT_KEYS:
        raise RecordError(f"winner {winner!r:.40} with the seat {seat!r:.40} is none")
    return Result(winner, None, f"{SEAT_NAMES[SEAT_KEYS.index(seat)]} out" if row.get("complete", True) else UNFINISHED)
