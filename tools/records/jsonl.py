"""
The JSON form of records: one object a game, on one line.

The keys are those of :class:`_Record`, with the meaning of the fields of :class:`tools.records.record.GameRecord`;
cards are text, null is unknown. A move is an object with ``cards`` ("" is the pass), and ``seconds``, ``value``,
``comment`` and ``debug`` where there are any.
"""

from functools import lru_cache
from typing import Any, Literal

from msgspec import Struct

from ddzbot.cards import CardsError, Hand, hand_text, parse_hand
from ddzbot.rules import rule_set

from ..shared.json_text import checked, json_text
from .record import GameRecord, Note, RecordedMove, RecordError, Result

FORMAT = "ddzbot-record"
VERSION = 1


class _Note(Struct, kw_only=True, forbid_unknown_fields=True):
    seconds: float | None = None
    value: float | None = None
    debug: dict[str, Any] | None = None
    comment: str = ""

    @property
    def note(self) -> Note:
        return Note(self.seconds, self.value, self.debug, self.comment)


class _Move(_Note, kw_only=True, forbid_unknown_fields=True):
    cards: str


class _Record(Struct, forbid_unknown_fields=True):
    format: str
    version: int
    rules: str
    tags: dict[str, Any]
    players: tuple[str, str, str]
    hands: tuple[str | None, str | None, str | None]
    bottom: str | None
    bids: tuple[int | None, ...]
    landlord: int | None
    moves: list[_Move]
    winner: Literal["landlord", "peasants"] | None
    scores: tuple[float, float, float] | None
    termination: str


def record_json(record: GameRecord) -> str:
    """Gets one game as one line of JSON, without its line end."""
    winner, scores, termination = record.result
    return json_text(
        {
            "format": FORMAT,
            "version": VERSION,
            "rules": record.rules.name,
            "tags": dict(record.tags),
            "players": record.names,
            "hands": [_cards_text(hand) for hand in record.hands],
            "bottom": _cards_text(record.bottom),
            "bids": record.bids,
            "landlord": record.landlord_position,
            "moves": [move_object(move) for move in record.moves],
            "winner": winner,
            "scores": scores,
            "termination": termination,
        }
    )


def record_of_json(value: Any) -> GameRecord:
    """
    Reads one game from a JSON value.

    :raises RecordError: if it is not a record.
    """
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise RecordError(f"{value!r:.60} is not an object with the format {FORMAT!r}")
    if value.get("version") != VERSION:
        raise RecordError(f"version {value.get('version')!r:.20} is not {VERSION}, the only one there is")
    typed = checked(value, _Record, RecordError)
    for tag, content in typed.tags.items():
        if not isinstance(content, str):
            raise RecordError(f"tag {tag!r:.40}: {content!r:.40} is not text")
    try:
        first, second, third = (hand_of(hand, "hands", position) for position, hand in enumerate(typed.hands))
        return GameRecord(
            rules=rule_set(typed.rules),
            hands=(first, second, third),
            bottom=hand_of(typed.bottom, "bottom"),
            bids=typed.bids,
            landlord_position=typed.landlord,
            moves=tuple([_move(move, ply) for ply, move in enumerate(typed.moves)]),
            names=typed.players,
            result=Result(typed.winner, typed.scores, typed.termination),
            tags=typed.tags,
        )
    except ValueError as error:
        raise RecordError(str(error)) from None


def note_of(fields: dict[str, Any]) -> Note:
    """
    Reads the JSON fields of a note; each of them may be absent.

    :raises RecordError: for other fields, and for values that they cannot have.
    """
    return checked(fields, _Note, RecordError).note


def move_object(move: RecordedMove) -> dict[str, Any]:
    """Gets the JSON object of one move."""
    note = move.note._asdict()
    return {
        "cards": hand_text(move.cards),
        **{field: value for field, value in note.items() if value not in (None, "")},
    }


def parse_move(value: Any) -> RecordedMove:
    """
    Reads one move from its JSON object.

    :raises RecordError: if it is none.
    """
    return _move(checked(value, _Move, RecordError), 0)


def _move(move: _Move, place: int) -> RecordedMove:
    return RecordedMove(hand_of(move.cards, "moves", place) or 0, move.note)


def _cards_text(cards: Hand | None) -> str | None:
    return None if cards is None else hand_text(cards)


def hand_of(text: str | None, place: str, number: int | None = None) -> Hand | None:
    """
    Reads cards as text; None is unknown.

    :raises RecordError: for what is no cards; the sentence names the *place*, or the item of that *number* there.
    """
    try:
        return None if text is None else _parsed(text)
    except CardsError as error:
        raise RecordError(f"{place if number is None else f'{place}[{number}]'}: {error}") from None


_parsed = lru_cache(maxsize=1 << 12)(parse_hand)
"""Most moves are of few cards, and come again and again."""
