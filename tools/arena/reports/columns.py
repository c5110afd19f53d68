"""
The results of contestants as columns: each has its heading, its value, and the form in which the value is written.

:mod:`.printers` writes them for a terminal, Markdown, a spreadsheet, and the page of a match.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from ddzbot.game import SEATS

from ...shared.language import seat_word
from ...shared.message import Message
from ..matches.faults import FaultKind, faults_by_name
from ..matches.plan import Plan
from ..stats.estimates import Estimate
from .results import Results, Seat
from .standings import Standing, Standings, standings

_EXACT = 3
"""Decimals for programs."""

Thing = TypeVar("Thing")


class Form(NamedTuple):
    """How a value is written; None is a value that is not known."""

    text: Callable[[Any], str] = str
    """For people."""
    right: bool = True
    """Whether it stands at the right of its column."""
    heads: tuple[str, ...] = ("{}",)
    """The cells of a spreadsheet that it takes, with the key of its column in braces."""
    cells: Callable[[Any], Sequence[Any]] = lambda value: [value]
    """Fills these cells."""
    data: Callable[[Any], Any] = lambda value: value
    """Makes JSON of it."""


def decimals(digits: int, factor: int = 1) -> Form:
    """Makes the form of a number, or with a *factor* of 100 of a share in per cent."""
    return Form(
        lambda value: "" if value is None else f"{factor * value:.{digits}f}",
        cells=lambda value: [_exact(value, factor)],
        data=lambda value: None if value is None else round(factor * value, _EXACT),
    )


def with_interval(digits: int, factor: int = 1, missing: str = "-") -> Form:
    """Makes the form of an :class:`Estimate`, which has a 95 % interval; *missing* is how people read None."""

    def text(value: Estimate | None) -> str:
        if value is None:
            return missing
        middle, low, high = (f"{factor * figure:.{digits}f}" for figure in value)
        # Points of a single set have no interval.
        return middle if "inf" in low else Message("{value} ({low} to {high})", value=middle, low=low, high=high)

    return Form(
        text,
        right=False,
        heads=("{}", "{} low", "{} high"),
        cells=lambda value: [_exact(figure, factor) for figure in value or [None] * 3],
        data=lambda value: (
            value and [round(factor * figure, digits) if math.isfinite(figure) else None for figure in value]
        ),
    )


def interval(estimate: Estimate | None, digits: int, factor: int = 1) -> str:
    """Writes a number with its interval, e.g. ``63.2 (60.1 to 66.2)``; ``-`` where nothing is known."""
    return with_interval(digits, factor).text(estimate)


def _exact(value: float | None, factor: int) -> Any:
    return "" if value is None or not math.isfinite(value) else round(factor * value, _EXACT)


def _round_times(times: tuple[float, float] | None) -> list[float] | None:
    return [round(milliseconds, 1) for milliseconds in times] if times else None


TEXT, WHOLE = Form(right=False), Form("{:,}".format)
NAME = Form(right=False, data=str)
"""Of a contestant, which a printer may shorten or mark."""
WP, ADP, SHARE = with_interval(1, 100), with_interval(2), decimals(1, 100)
ELO = with_interval(0, missing=Message("not played yet"))
POINTS = decimals(0)._replace(text="{:+g}".format)
TIMES = Form(
    lambda times: "{:.1f}, {:.1f}".format(*times) if times else "",
    right=False,
    heads=("{} median", "{} 95 %"),
    cells=lambda times: _round_times(times) or ["", ""],
    data=_round_times,
)
"""The median and the 95th percentile of milliseconds."""


@dataclass(frozen=True)
class Column(Generic[Thing]):
    """One column of results."""

    key: str
    """The name for programs."""
    heading: str
    """The name for people."""
    value: Callable[[Thing], Any]
    form: Form


def columns_of(table: Sequence[Column[Thing]], *keys: str) -> list[Column[Thing]]:
    """Gets some columns of a table, in this order."""
    by_key = {column.key: column for column in table}
    return [by_key[key] for key in keys]


EQUAL_RANKS = Message("players share a rank if the 95 % interval of their difference to its first contains 0")


class Ranked(NamedTuple):
    """A contestant in a ranking."""

    standing: Standing
    faults: Sequence[FaultKind] = ()

    @property
    def name(self) -> str:
        """The contestant."""
        return self.standing.name

    @property
    def fault_text(self) -> str:
        """What went wrong with it, in one line."""
        return _fault_text(self.faults)


def _fault_text(faults: Sequence[FaultKind]) -> str:
    return "; ".join(kind.line for kind in faults)


RANKING: tuple[Column[Ranked], ...] = (
    Column("rank", "", lambda player: player.standing.rank, WHOLE),
    Column("name", Message("player"), lambda player: player.name, NAME),
    Column("elo", "Elo", lambda player: player.standing.elo, ELO),
    Column("los", "LOS", lambda player: player.standing.los, decimals(3)),
    Column("sets", Message("sets"), lambda player: player.standing.sets, WHOLE),
    Column("ms", Message("ms median, 95 %"), lambda player: player.standing.milliseconds, TIMES),
    Column("wp", "WP %", lambda player: player.standing.elo and player.standing.wp, WP),
    Column("adp", "ADP", lambda player: player.standing.elo and player.standing.adp, ADP),
    Column("first sets", Message("first sets"), lambda player: player.standing.first, WHOLE),
    Column("decisions", "decisions", lambda player: player.standing.counts.searched, WHOLE),
    Column("failures", "failures", lambda player: player.standing.counts.failures, WHOLE),
    Column("illegal", "illegal", lambda player: player.standing.counts.illegal, WHOLE),
    Column("timeouts", "timeouts", lambda player: player.standing.counts.timeouts, WHOLE),
    Column("fallbacks", "fallbacks", lambda player: player.standing.counts.fallbacks, WHOLE),
    Column("faults", "faults", lambda player: player.fault_text, TEXT),
)
"""Where all meet, and of two or a gauntlet for a spreadsheet."""
BY_ALL, BY_FIRST = ("elo", "los", "sets", "ms"), ("wp", "adp", "first sets")
"""Columns from all sets, and columns from the first sets of every pair."""
IN_SHEET = (
    *("rank", "name", "elo", "sets", "wp", "adp", "first sets", "decisions", "ms"),
    *("failures", "illegal", "timeouts", "fallbacks", "faults"),
)


def ranking_of(results: Results) -> tuple[Standings, list[Ranked]]:
    """Gets the standings of a match, and its contestants, the best first."""
    ranking = results.standings or standings(results.plan, results.rows)
    faults = faults_by_name(results.plan, results.rows)
    return ranking, [Ranked(player, faults[player.name]) for player in ranking.players]


def letter_of(place: int) -> str:
    """Gets the letter of a line of a cross table, for its column: a to z, then aa, ab and so on; the first is 0."""
    before, letter = divmod(place, 26)
    return (letter_of(before - 1) if before else "") + chr(ord("a") + letter)


def against(ranking: Standings) -> list[Column[Ranked]]:
    """Makes a column of each player: the WP of the others against it."""

    def wp(other: str) -> Callable[[Ranked], float | None]:
        def value(player: Ranked) -> float | None:
            met = ranking.meetings.get((player.name, other))
            return met.wp.value if met else None

        return value

    return [Column(f"wp against {player.name}", player.name, wp(player.name), SHARE) for player in ranking.players]


class Seated(NamedTuple):
    """A contestant in one of three seats, or places."""

    number: int
    letter: str
    seat: Seat
    games: int
    """How many were played at the table."""
    faults: Sequence[FaultKind]


SEATED: tuple[Column[Seated], ...] = (
    Column("seat", Message("place"), lambda seated: seated.letter, TEXT),
    Column("seat name", Message("seat"), lambda seated: seat_word(seated.number), TEXT),
    Column("name", Message("contestant"), lambda seated: seated.seat.name, NAME),
    Column("games", "games", lambda seated: seated.games, WHOLE),
    Column("landlord", Message("landlord"), lambda seated: seated.seat.as_landlord, WHOLE),
    Column("fault count", Message("faults"), lambda seated: seated.seat.faults, WHOLE),
    Column("out", "out", lambda seated: seated.seat.out, WHOLE),
    Column("out %", Message("went out %"), lambda seated: seated.seat.out / max(seated.games, 1), SHARE),
    Column("wp", Message("side won %"), lambda seated: seated.seat.wp, WP),
    Column("points", Message("points"), lambda seated: seated.seat.points, POINTS),
    Column("adp", Message("points a deal"), lambda seated: seated.seat.adp, ADP),
    Column("faults", "faults", lambda seated: _fault_text(seated.faults), TEXT),
)
"""Of three in fixed seats, and of a series."""
OF_SEATS = ("seat name", "name", "out %", "wp")
OF_SERIES = ("seat", "name", "landlord", "fault count", "points", "adp")
SEATS_IN_SHEET = ("seat", "name", "games", "landlord", "out", "wp", "points", "adp", "faults")


def seats_of(results: Results) -> list[Seated]:
    """Gets the three of a table."""
    plan: Plan = results.plan
    faults, games = faults_by_name(plan, results.rows), len(results.rows[0])
    three = zip(range(SEATS), plan.letters, results.seats, strict=True)
    return [Seated(index, letter, seat, games, faults[seat.name]) for index, letter, seat in three]
