"""A decision of a bench as it is kept: one JSON object on one line."""

import gzip
import io
from pathlib import Path
from typing import Any, NamedTuple

from ddzbot.cards import Hand, hand_text, parse_hand
from ddzbot.kernel.fast_records import chance
from ddzbot.protocol.last_resort import shortened
from ddzbot.view import View

from ...records.notation import parse_view, view_text
from ...shared.bounds import LONGEST_REASON, UnreadableError, lines_in, lines_of
from ...shared.errors import InputError
from ...shared.json_text import json_text, parse_json
from .recipe import HALVES

Pair = tuple[float, float]
"""Type alias: what each half found."""


class ValuedMove(NamedTuple):
    """A move that competed, and what is known of it."""

    move: str
    logit: float
    """Of winning, by the network."""
    score: float
    """The mover's points, by the network."""
    won: Pair
    """The share of its playouts that the mover's side won."""
    paid: Pair
    """The mean payment of its playouts in the criterion: the same as ``won``, or points."""
    errors: Pair
    """Standard errors, by the search, of how far it is behind its half's best move; of that one its own."""
    open: float
    """The payment of one playout with the true hands, in the criterion."""

    @property
    def value(self) -> float:
        """Its value in the criterion, by both halves."""
        return sum(self.paid) / HALVES

    @property
    def share(self) -> float:
        """The share of all its playouts that were won."""
        return sum(self.won) / HALVES

    @property
    def chance(self) -> float:
        """The network's probability of winning."""
        return chance(self.logit)


class Decision(NamedTuple):
    """A decision, the values of its moves, and the rest of the game."""

    deal: str
    """The name of the deal, which is that of the game too."""
    view: View
    hands: tuple[Hand, Hand, Hand]
    """The true hands of the seats."""
    played: str
    """The move that was made."""
    winner: int
    """The seat that went out in the end."""
    paid: float
    """The payment of the mover, in points."""
    worlds: tuple[int, int]
    """The number of worlds behind the values, by half; a likely one counts several times."""
    moves: tuple[ValuedMove, ...]
    """The network's best first."""

    @property
    def won(self) -> bool:
        """Whether the mover's side won the game."""
        return (self.winner == 0) == (self.view.seat == 0)

    @property
    def ply(self) -> int:
        """The number of moves before it."""
        return len(self.view.plays)

    def valued(self, move: str) -> ValuedMove | None:
        """Gets what is known of a move; None if it did not compete."""
        return next((competing for competing in self.moves if competing.move == move), None)


def line_of(decision: Decision) -> str:
    """Writes a decision on one line."""
    fields = {
        **decision._asdict(),
        "view": view_text(decision.view),
        "hands": [hand_text(hand) for hand in decision.hands],
        "moves": [valued._asdict() for valued in decision.moves],
    }
    return json_text(fields)


def unit_bytes(decisions: list[Decision]) -> bytes:
    """Packs the file of a unit; the same decisions give the same bytes."""
    lines = "".join(line_of(decision) + "\n" for decision in decisions)
    return gzip.compress(lines.encode(), mtime=0)


def read_unit(path: Path) -> list[Decision]:
    """
    Reads the decisions of a unit.

    :raises InputError: for a file that cannot be read or has something else; the sentence names the line.
    """
    decisions: list[Decision] = []
    try:
        for line in lines_of(path):
            decisions.append(_decision_of(parse_json(line)))
    except UnreadableError as error:
        raise InputError(f"{path}: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        sentence = shortened(f"{type(error).__name__}: {error}", LONGEST_REASON)
        raise InputError(f"{path}, line {len(decisions) + 1}: this is not a decision: {sentence}") from None
    return decisions


def unit_in(content: bytes) -> list[Decision]:
    """Reads the decisions of a unit from what :func:`unit_bytes` got."""
    return [_decision_of(parse_json(line)) for line in lines_in(io.BytesIO(content))]


def _decision_of(value: dict[str, Any]) -> Decision:
    view = parse_view(value["view"])
    if not isinstance(view, View):
        raise ValueError("it is a view of the auction")
    read = {"view": view, "hands": tuple(map(parse_hand, value["hands"])), "worlds": tuple(value["worlds"])}
    return Decision(**{**value, **read, "moves": tuple(map(_move_of, value["moves"]))})


def _move_of(value: dict[str, Any]) -> ValuedMove:
    return ValuedMove(**{**value, **{field: tuple(value[field]) for field in ("won", "paid", "errors")}})
