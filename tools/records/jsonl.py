"""
The JSON form of records: one object a game, on one line.

The keys are ``format`` (always "ddzbot-record"), ``version``, ``rules``, ``tags``, ``players``, ``hands``, ``bottom``,
``bids``, ``landlord``, ``moves``, ``winner``, ``scores`` and ``termination``, with the meaning of the fields of
:class:`tools.records.record.GameRecord`; cards are text, null is unknown. A move is an object with ``cards`` ("" is
the pass), and ``seconds``, ``value``, ``comment`` and ``debug`` where there are any.
"""

from collections.abc import Mapping
from typing import Any

from ddzbot.cards import CardsError, Hand, hand_text, parse_hand
from ddzbot.game import SEATS
from ddzbot.rules import RulesError, rule_set

from ..shared.json_text import finite_number, json_text, parse_json
from .record import GameRecord, Note, RecordedMove, RecordError, Result

__all__ = ["FORMAT", "move_object", "note_of", "parse_move", "parse_record_json", "record_json", "record_of_json"]

FORMAT = "ddzbot-record"
VERSION = 1

KEYS = (
    "format",
    "version",
    "rules",
    "tags",
    "players",
    "hands",
    "bottom",
    "bids",
    "landlord",
    "moves",
    "winner",
    "scores",
    "termination",
)


def record_json(record: GameRecord) -> str:
    """Gets one game as one line of JSON, without its line end."""
    winner, scores, termination = record.result
    values = (
        FORMAT,
        VERSION,
        record.rules.name,
        dict(record.tags),
        list(record.names),
        [_cards_text(hand) for hand in record.hands],
        _cards_text(record.bottom),
        list(record.bids),
        record.landlord_position,
        [move_object(move) for move in record.moves],
        winner,
        scores and list(scores),
        termination,
    )
    return json_text(dict(zip(KEYS, values, strict=True)))


def parse_record_json(text: str) -> GameRecord:
    """
    Reads one game from its JSON text.

    :raises RecordError: if it is not a record.
    """
    try:
        value = parse_json(text)
    except ValueError as error:
        raise RecordError(f"{text!r:.60} is not JSON: {error}") from None
    return record_of_json(value)


def record_of_json(value: Any) -> GameRecord:
    """
    Reads one game from a JSON value.

    :raises RecordError: if it is not a record.
    """
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise RecordError(f"{value!r:.60} is not an object with the format {FORMAT!r}")
    if value.get("version") != VERSION:
        raise RecordError(f"version {value.get('version')!r:.20} is not {VERSION}, the only one there is")
    for key in sorted(set(KEYS) ^ set(value)):
        raise RecordError(f"there is no key {key!r}" if key in KEYS else f"the key {key!r} means nothing")
    try:
        rules = rule_set(_text(value, "rules"))
    except RulesError as error:
        raise RecordError(str(error)) from None
    hands = [_parse_cards(hand, "hands") for hand in _list(value, "hands", SEATS)]
    names = [_plain_text(name, "players") for name in _list(value, "players", SEATS)]
    return GameRecord(
        rules=rules,
        hands=(hands[0], hands[1], hands[2]),
        bottom=_parse_cards(value["bottom"], "bottom"),
        bids=tuple(_small_number(bid, "bids") for bid in _list(value, "bids")),
        landlord_position=_small_number(value["landlord"], "landlord"),
        moves=tuple(parse_move(move) for move in _list(value, "moves")),
        names=(names[0], names[1], names[2]),
        result=_result(value),
        tags={name: _plain_text(text, f"tag {name}") for name, text in _object(value, "tags").items()},
    )


def note_of(fields: Mapping[str, Any]) -> Note:
    """
    Reads the JSON fields of a note; each of them may be absent.

    :raises RecordError: for other fields, and for values that they cannot have.
    """
    for name in fields:
        if name not in Note._fields:
            raise RecordError(f"a note has no field {name!r}; there are {', '.join(Note._fields)}")
    debug = fields.get("debug")
    if debug is not None and not isinstance(debug, dict):
        raise RecordError(f"debug {debug!r:.40} is not an object")
    comment = _plain_text(fields.get("comment", ""), "comment")
    return Note(_number(fields, "seconds"), _number(fields, "value"), debug, comment)


def move_object(move: RecordedMove) -> dict[str, Any]:
    """Gets the JSON object of one move."""
    note = move.note._asdict()
    return {"cards": hand_text(move.cards), **{name: value for name, value in note.items() if value not in (None, "")}}


def parse_move(value: Any) -> RecordedMove:
    """
    Reads one move from its JSON object.

    :raises RecordError: if it is none.
    """
    if not isinstance(value, dict) or not isinstance(value.get("cards"), str):
        raise RecordError(f"move {value!r:.60} is not an object with cards")
    cards = _parse_cards(value["cards"], "moves")
    return RecordedMove(cards or 0, note_of({name: field for name, field in value.items() if name != "cards"}))


def _result(value: dict[str, Any]) -> Result:
    winner = value["winner"]
    if winner not in (None, "landlord", "peasants"):
        raise RecordError(f"winner {winner!r:.40} is not landlord, peasants or null")
    termination = _text(value, "termination")
    if value["scores"] is None:
        return Result(winner, None, termination)
    try:
        first, second, third = (finite_number(score) for score in _list(value, "scores", SEATS))
    except ValueError as error:
        raise RecordError(f"scores: {error}") from None
    return Result(winner, (first, second, third), termination)


def _cards_text(cards: Hand | None) -> str | None:
    return None if cards is None else hand_text(cards)


def _parse_cards(value: Any, place: str) -> Hand | None:
    if value is None:
        return None
    try:
        return parse_hand(_plain_text(value, place))
    except CardsError as error:
        raise RecordError(f"{place}: {error}") from None


def _plain_text(value: Any, place: str) -> str:
    if not isinstance(value, str):
        raise RecordError(f"{place}: {value!r:.40} is not text")
    return value


def _text(value: dict[str, Any], key: str) -> str:
    return _plain_text(value[key], key)


def _object(value: dict[str, Any], key: str) -> dict[str, Any]:
    if not isinstance(value[key], dict):
        raise RecordError(f"{key}: {value[key]!r:.40} is not an object")
    return dict(value[key])


def _list(value: dict[str, Any], key: str, length: int | None = None) -> list[Any]:
    found = value[key]
    if not isinstance(found, list) or length not in (None, len(found)):
        raise RecordError(f"{key}: {found!r:.40} is not a list" + (f" of {length}" if length else ""))
    return found


def _small_number(value: Any, place: str) -> int | None:
    if value is not None and type(value) is not int:
        raise RecordError(f"{place}: {value!r:.40} is not a whole number")
    return value


def _number(fields: Mapping[str, Any], name: str) -> float | None:
    if fields.get(name) is None:
        return None
    try:
        return finite_number(fields[name])
    except ValueError as error:
        raise RecordError(f"{name}: {error}") from None
