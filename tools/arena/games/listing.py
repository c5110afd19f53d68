"""A list of games, a line each, written as the games come."""

from typing import Any

from ddzbot.game import SEAT_NAMES, SEATS

from ...shared.json_text import points_text
from ...shared.names import short_name
from .facts import GameFacts

_NAME = 14
_FORMAT = "{:>6}  {:>8}  {:<9}  {:<9}  {:>6}  {:>5}  {:>5}  {}  {}"
_SEATS = "  ".join(f"{seat:<{_NAME}}" for seat in SEAT_NAMES)
HEADING = _FORMAT.format("game", "set.game", "rules", "won by", "points", "moves", "bombs", _SEATS, "faults").rstrip()


def line_of(facts: GameFacts) -> str:
    """Writes one line; the points are the landlord's."""
    record = facts.record
    scores = record.result.scores
    points = points_text(scores[0], sign=True) if scores else "-"
    faults = "; ".join(_fault(facts, index) for index in range(len(facts.faults)))
    seats = "  ".join(_player_at(facts, seat) for seat in range(SEATS))
    cells = (facts.number, facts.where or "-", record.rules.name, record.result.winner or "-", points, facts.moves)
    return _FORMAT.format(*cells, facts.bombs, seats, faults).rstrip()


def _player_at(facts: GameFacts, seat: int) -> str:
    position = _position(facts, seat)
    name = short_name(facts.record.names[position]) or "?"
    return f"{f'{facts.letters[position]} {name}':.{_NAME}}".ljust(_NAME)


def _position(facts: GameFacts, seat: int) -> int:
    return seat if facts.record.landlord_position is None else facts.record.position_of(seat)


def _fault(facts: GameFacts, index: int) -> str:
    fault = facts.faults[index]
    return f"{facts.letters[fault.position]} {fault.code}" + (f": {fault.why}" if fault.why else "")


def game_object(facts: GameFacts) -> dict[str, Any]:
    """Makes the JSON form of a line."""
    record = facts.record
    positions = [_position(facts, seat) for seat in range(SEATS)]
    return {
        "number": facts.number,
        "file": str(facts.game.file),
        "place": facts.game.place,
        "game": facts.where or None,
        "rules": record.rules.name,
        "players": [record.names[position] for position in positions],
        "letters": [facts.letters[position] for position in positions],
        "winner": record.result.winner,
        "scores": record.result.scores and list(record.result.scores),
        "termination": record.result.termination,
        "moves": facts.moves,
        "bombs": facts.bombs,
        "faults": [
            {"by": facts.letters[fault.position], "kind": fault.kind, "code": fault.code, "why": fault.why}
            for fault in facts.faults
        ],
    }
