"""
One duplicate set, as a results file keeps it, and as the statistics read it.

Everything in a row is a function of the plan and the set's number, as long as decisions are limited by playouts or not
at all; measured times stand apart, under ``ms``. What is 0 or empty is not written.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta, Struct, field

from ddzbot.game import SEATS

from .set_row import PlayedGame, set_row
from .stats import SetRow

__all__ = [
    "COUNTED",
    "LETTERS",
    "TROUBLES",
    "Counts",
    "FaultRow",
    "GameRow",
    "Kept",
    "Row",
    "Whole",
    "stand_ins_of",
    "statistics_of",
    "summed",
]

LETTERS = "ABC"
"""The contestants at a table: two of a pairing, or three with a seat each."""

Whole = Annotated[int, Meta(ge=0)]
Place = Annotated[int, Meta(ge=0, lt=SEATS)]
Letter = Annotated[str, Meta(pattern=f"^[{LETTERS}]$")]


class Kept(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What stands in a results file."""


class Counts(Kept, frozen=True):
    """What is counted for a contestant."""

    searched: Whole = 0
    """Decisions with a choice; of a program every answer."""
    fallbacks: Whole = 0
    """Moves that other players chose; the row says under ``stand_ins`` who, and how often."""
    timeouts: Whole = 0
    illegal: Whole = 0
    failures: Whole = 0
    """All that a program was at fault for beside TLE and refused answers."""

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*(getattr(self, name) + getattr(other, name) for name in COUNTED))


COUNTED = Counts.__struct_fields__
TROUBLES = ("failures", "illegal", "timeouts", "fallbacks")
"""The counts that a strict match does not accept."""


class GameRow(Kept, frozen=True):
    """One game of a set."""

    seating: str
    """The contestants' letters, by position."""
    landlord: Place
    """Position."""
    landlord_won: bool
    scores: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """By seat."""
    bids: tuple[Whole, ...] = ()
    moves: Whole = 0
    out: Place | None = None
    """The position that went out; None where a fault ended the game, and in games of pairs before this was kept."""


class FaultRow(Kept, frozen=True):
    """The first thing that went wrong for a contestant in a game; :mod:`tools.arena.faults` says more."""

    game: Whole
    by: Letter
    verdict: str
    sentence: str


class Row(Kept, frozen=True):
    """One duplicate set, or the one game of a deal that three play in fixed seats."""

    set: Whole
    games: tuple[GameRow, ...]
    counts: dict[Letter, Counts] = field(default_factory=dict)
    """By letter, as all that follows."""
    ms: dict[Letter, tuple[float, ...]] = field(default_factory=dict)
    """Milliseconds of the decisions that were searched."""
    stand_ins: dict[Letter, dict[str, Whole]] = field(default_factory=dict)
    """Who chose in the contestant's place, and how often."""
    faults: tuple[FaultRow, ...] = ()

    def counts_of(self, letter: str) -> Counts:
        """Gets what was counted for a contestant."""
        return self.counts.get(letter, _NOTHING)


_NOTHING = Counts()


def summed(counts: Iterable[Counts]) -> Counts:
    """Adds up counts."""
    return sum(counts, _NOTHING)


def stand_ins_of(rows: Iterable[Row], letter: str) -> dict[str, int]:
    """Sums up who chose in a contestant's place."""
    found = Counter[str]()
    for row in rows:
        found.update(row.stand_ins.get(letter, {}))
    return dict(sorted(found.items()))


def statistics_of(row: Row) -> SetRow:
    """
    Reads the row of a set of two contestants for the statistics.

    :raises ValueError: if its games do not make a set.
    """
    games = []
    for game in row.games:
        by_seat = "".join(game.seating[(game.landlord + seat) % SEATS] for seat in range(SEATS))
        games.append(PlayedGame(by_seat, game.landlord_won, game.scores))
    return set_row(row.set, games)
