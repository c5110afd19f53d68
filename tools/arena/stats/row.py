"""
One duplicate set, as a results file keeps it, and as the statistics read it.

Everything in a row is a function of the plan and the set's number, as long as decisions are limited by playouts or not
at all; measured times stand apart, under ``ms``. Fields that are 0 or empty are not written.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, NamedTuple

from msgspec import Meta, Struct, field

from ddzbot.game import SEATS

from ...shared.message import Message, as_message, from_json
from .estimates import Exact, RatioSums, quotient
from .sets import ContestantSums, SetStats, SideSums

LETTERS = "ABC"
"""The contestants at a table: two of a pairing, or three with a seat each."""

Whole = Annotated[int, Meta(ge=0)]
Place = Annotated[int, Meta(ge=0, lt=SEATS)]
Letter = Annotated[str, Meta(pattern=f"^[{LETTERS}]$")]


class RowBase(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What stands in a results file."""


def read_message(kind: type, value: Any) -> Message:
    """
    Reads a message of a results file, for msgspec; files begun before 29 November 2026 have its English text.

    :raises ValueError: for what is none.
    """
    text = from_json(value)
    if not isinstance(text, str):
        raise ValueError(f"{value!r:.80} is no message")
    return as_message(text)


class Counts(RowBase, frozen=True):
    """What is counted for a contestant."""

    searched: Whole = 0
    """Decisions with a choice; of a program every answer."""
    fallbacks: Whole = 0
    """Moves that other players chose; the row names them under ``fallbacks``, and how often."""
    timeouts: Whole = 0
    illegal: Whole = 0
    failures: Whole = 0
    """All that a program was at fault for beside TLE and refused answers."""

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*(getattr(self, counted) + getattr(other, counted) for counted in COUNTED))


COUNTED = Counts.__struct_fields__


class GameRow(RowBase, frozen=True):
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

    @property
    def by_seat(self) -> str:
        """The contestants' letters by seat, the landlord's first."""
        return self.seating[self.landlord :] + self.seating[: self.landlord]


class FaultRow(RowBase, frozen=True):
    """The first thing that went wrong for a contestant in a game; :mod:`tools.arena.matches.faults` has more."""

    game: Whole
    by: Letter
    verdict: str
    sentence: Message
    """Who it was and what it did."""


class Row(RowBase, frozen=True):
    """One duplicate set, or the one game of a deal that three play in fixed seats."""

    set: Whole
    games: tuple[GameRow, ...]
    counts: dict[Letter, Counts] = field(default_factory=dict)
    """By letter, as all that follows."""
    ms: dict[Letter, tuple[float, ...]] = field(default_factory=dict)
    """Milliseconds of the decisions that were searched."""
    fallbacks: dict[Letter, dict[str, Whole]] = field(default_factory=dict)
    """Which fallbacks chose in the contestant's place, and how often."""
    faults: tuple[FaultRow, ...] = ()

    def counts_of(self, letter: str) -> Counts:
        """Gets what was counted for a contestant."""
        return self.counts.get(letter, _NOTHING)


_NOTHING = Counts()


def sum_counts(counts: Iterable[Counts]) -> Counts:
    """Adds up counts."""
    return sum(counts, _NOTHING)


def fallbacks_of(rows: Iterable[Row], letter: str) -> dict[str, int]:
    """Sums up the fallbacks that chose in a contestant's place."""
    counts = Counter[str]()
    for row in rows:
        counts.update(row.fallbacks.get(letter, {}))
    return dict(sorted(counts.items()))


def statistics_of(row: Row) -> SetStats:
    """
    Reads a set of two contestants for the statistics.

    Without bidding these are two games on one deal, ABB and BAA by seat. With bidding they are the six seatings of one
    deal, as seen from the landlord. For example A wins twice at 2 : -1 : -1, WP 1 and ADP 3::

        statistics_of(Row(0, (GameRow("ABB", 0, True, (2, -1, -1)), GameRow("BAA", 0, False, (-2, 1, 1)))))

    :raises ValueError: if its games do not make a set, or a score is not a number.
    """
    check_games(row)
    games, unit = _scaled(row.games)
    won, points = _outcome(games, unit)
    histogram = (int(won == 0), int(won == 1), int(won == 2))
    a, b = (_contestant(games, unit, letter) for letter in "AB")
    return SetStats(len(games), histogram, RatioSums.one(1, points), a, b)


class SetOutcome(NamedTuple):
    """How a set ended for A."""

    won: int
    """0 lost, 1 tied, 2 won."""
    points: Exact
    """Those of A over B."""


def outcome_of(row: Row) -> SetOutcome:
    """
    Gets the part of :func:`statistics_of` that is most asked for, in a fraction of the time.

    :raises ValueError: as that does.
    """
    check_games(row)
    return _outcome(*_scaled(row.games))


def _outcome(games: Sequence["_Game"], unit: int) -> SetOutcome:
    if len(games) == len(_PAIR):
        points = sum(game.side_points * game.sign for game in games) // len(games)
        return SetOutcome(sum(game.sign == (1 if game.landlord_won else -1) for game in games), quotient(points, unit))
    points = _seat_mean(games, "A") - _seat_mean(games, "B")
    return SetOutcome(1 + (points > 0) - (points < 0), quotient(points, unit))


_SEATINGS = ("ABB", "BAB", "BBA", "BAA", "ABA", "AAB")
_PAIR = ["ABB", "BAA"]
_OF_ALL_SEATINGS = [1, 1, 1, 2, 2, 2]
"""How many letters are A, in six games."""
_LARGEST_SCORE = 1e9


def check_games(row: Row) -> None:
    """
    Makes sure that the games of a row make a set of two contestants.

    :raises ValueError: if they do not, or a score is not a number.
    """
    for game in row.games:
        _check(game)
    seated = [game.by_seat for game in row.games]
    if sorted(seated) != _PAIR and sorted(letters.count("A") for letters in seated) != _OF_ALL_SEATINGS:
        named = " ".join(seated) or "no game"
        raise ValueError(f"{named} do not make a set: it takes ABB BAA, or six games with three of one A")


def _check(game: GameRow) -> None:
    if game.by_seat not in _SEATINGS:
        raise ValueError(f"contestants {game.by_seat!r} must be one of {' '.join(_SEATINGS)}")
    if len(game.scores) != SEATS:
        raise ValueError(f"scores {game.scores} of {game.by_seat} must be three, one for each seat")
    for score in game.scores:
        if not abs(score) <= _LARGEST_SCORE:
            raise ValueError(f"score {score} in {game.by_seat} must be a number up to 1e9")


class _Game(NamedTuple):
    """A game of which the statistics are made; its scores are whole numbers of a unit."""

    by_seat: str
    landlord_won: bool
    scores: tuple[int, ...]

    @property
    def sign(self) -> int:
        return 1 if self.by_seat[0] == "A" else -1

    @property
    def side_points(self) -> int:
        """Landlord's score minus the mean score of the peasants."""
        landlord, down, up = self.scores
        return landlord - (down + up) // 2


_DIVISORS = 36
"""Four for two games with two peasants each, nine for the seats of a contestant in six games."""


def _scaled(games: Iterable[GameRow]) -> tuple[list[_Game], int]:
    """Multiplies scores until they and all their means are whole: integers add and divide faster than fractions."""
    ratios = [[score.as_integer_ratio() for score in game.scores] for game in games]
    unit = _DIVISORS * max(over for game in ratios for _, over in game)  # all are powers of two
    return [
        _Game(game.by_seat, game.landlord_won, tuple(score * (unit // over) for score, over in scores))
        for game, scores in zip(games, ratios, strict=True)
    ], unit


def _seat_mean(games: Iterable[_Game], letter: str, seats: range = range(SEATS)) -> int:
    """Mean score of the seats of a contestant."""
    scores = [game.scores[seat] for game in games for seat in seats if game.by_seat[seat] == letter]
    return sum(scores) // len(scores)


def _peasant_points(game: _Game, letter: str) -> int:
    """Mean score of the seats of a contestant among the peasants minus the landlord's."""
    if game.by_seat[1] == game.by_seat[2]:
        return -game.side_points
    return _seat_mean([game], letter, range(1, SEATS)) - game.scores[0]


def _contestant(games: Sequence[_Game], unit: int, letter: str) -> ContestantSums:
    landlord = [game for game in games if game.by_seat[0] == letter]
    peasants = [game for game in games if letter in game.by_seat[1:]]
    peasant_points = sum(_peasant_points(game, letter) for game in peasants)
    return ContestantSums(
        SideSums(
            RatioSums.one(len(landlord), sum(game.landlord_won for game in landlord)),
            RatioSums.one(len(landlord), sum(game.side_points for game in landlord), unit),
        ),
        SideSums(
            RatioSums.one(len(peasants), sum(not game.landlord_won for game in peasants)),
            RatioSums.one(len(peasants), peasant_points, unit),
        ),
        RatioSums.one(len(games), len(landlord)),
    )
