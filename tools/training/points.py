"""
The strength of a training's networks: each meets players on the same deals; the results are saved and drawn.

No network meets a player twice: ``curve-hours.csv`` in the folder of the training has all that was played.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import click
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

from ..arena.matches.on_cluster import play_left
from ..arena.matches.plan import Match
from ..arena.matches.runner import Progress
from ..arena.stats.estimates import Estimate
from ..shared.storage.whole_file import put_table, written_whole
from ..shared.work.workers import Workers
from .figures import read_log

NAMESPACE = "curve"
"""Of the deals: nothing else is trained, picked or reported on them."""
TABLE, PICTURE = "curve-hours.csv", "curve.png"
_LEAST = 1e-4
"""The left end of a picture: values are rounded to this, and 0 has no place on a logarithmic axis."""
_FIELDS = ("against", "sets", "deals", "games", "hours", "wp", "low", "high", "landlord", "peasants")


class MatchResult(NamedTuple):
    """The result of a match: WP with its interval, and WP as landlord and as peasants, each 0 to 1."""

    wp: Estimate
    landlord: float
    peasants: float


class Point(NamedTuple):
    """The strength of a network after *games* of its training."""

    games: int
    hours: float
    """CPU hours, from the training's log."""
    worth: MatchResult

    def __str__(self) -> str:
        return "{:.1f} % ({:.1f} to {:.1f})".format(*(100 * share for share in self.worth.wp))


class Meeting(NamedTuple):
    """The opponent of the networks, and the deals."""

    against: str
    sets: int
    seed: int
    namespace: str = NAMESPACE
    workers: Workers = Workers(1)

    @property
    def key(self) -> list[str]:
        """The key of a curve: opponent, sets and deals."""
        return [self.against, str(self.sets), f"{self.namespace}/{self.seed}"]


class Points:
    """The points of a training's folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / TABLE
        log = read_log(folder, TABLE) if self._path.exists() else []
        self._rows = [[row[field] for field in _FIELDS] for row in log if "deals" in row]

    def of(self, meeting: Meeting) -> dict[int, Point]:
        """Gets the points of one curve by their games, in that order."""
        rows = sorted((row for row in self._rows if row[:3] == meeting.key), key=lambda row: int(row[3]))
        return {int(row[3]): _point(int(row[3]), *map(float, row[4:])) for row in rows}

    def add(self, meeting: Meeting, point: Point) -> None:
        """Adds a point to its curve, and writes the table of all curves at once."""
        wp, *sides = point.worth
        figures = (f"{figure:.4f}" for figure in (point.hours, *wp, *sides))
        others = [row for row in self._rows if row[:3] != meeting.key]
        own = [row for row in self._rows if row[:3] == meeting.key]
        own.append([*meeting.key, str(point.games), *figures])
        self._rows = [*others, *sorted(own, key=lambda row: int(row[3]))]
        put_table(self._path, _FIELDS, self._rows)


def _point(games: int, hours: float, *shares: float) -> Point:
    return Point(games, hours, MatchResult(Estimate(*shares[:3]), *shares[3:]))


def met(player: str, rules: str, meeting: Meeting, stopped: Callable[[], bool] = lambda: False) -> MatchResult | None:
    """
    Lets a *player* meet another one; None if it was *stopped*.

    :raises ClickException: for a match that cannot be played.
    """
    try:
        plan = Match.of(rules, (player, meeting.against), meeting.sets, meeting.seed, meeting.namespace)
        plan.check()
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    match = Progress(plan)
    play_left(meeting.workers, match, stopped=stopped)
    stats = match.stats[0]
    sides = (stats.a.landlord.wp().value, stats.a.peasants.wp().value) if match.finished else ()
    return MatchResult(stats.wp(), *sides) if sides else None


class Unit(NamedTuple):
    """A unit in which figures are read easily."""

    name: str
    size: float


MINUTES, HOURS = Unit("minutes", 1 / 60), Unit("hours", 1.0)
THOUSANDS, MILLIONS = Unit("thousand games", 1e3), Unit("million games", 1e6)
_WIDE = 5.0
"""Over fewer times the least value powers of ten and their halves and fifths would be too few for an axis."""


def time_of(hours: float) -> str:
    """Says a time in the unit in which it is drawn: ``2.0 minutes``, ``3.25 hours``."""
    unit = _unit_of(hours, MINUTES, HOURS)
    return f"{hours / unit.size:.{1 if unit is MINUTES else 2}f} {unit.name}"


def _unit_of(most: float, small: Unit, large: Unit) -> Unit:
    return large if most >= (2 if large is HOURS else large.size) else small


def draw(path: Path, curves: Sequence[tuple[str, Sequence[Point]]], lines: Mapping[str, float] | None = None) -> None:
    """
    Draws WP over games and over time into a .png file; curves of one name have one colour.

    *lines* are WP of others, in percent.
    """
    figure = Figure(figsize=(10, 4), layout="constrained")
    names = [*dict.fromkeys(curve for curve, _ in curves)]
    every = [point for _, points in curves for point in points]
    games = _unit_of(max((point.games for point in every), default=0), THOUSANDS, MILLIONS)
    time = _unit_of(max((point.hours for point in every), default=0), MINUTES, HOURS)
    for axes, unit in zip(figure.subplots(1, 2, sharey=True), (games, time), strict=True):
        for index, (curve, points) in enumerate(curves):
            again = curve in (earlier for earlier, _ in curves[:index])
            wps = [point.worth.wp for point in points]
            ends = [[100 * (wp.value - wp.low) for wp in wps], [100 * (wp.high - wp.value) for wp in wps]]
            worked = [point.games if unit is games else point.hours for point in points]
            xs = [max(amount / unit.size, _LEAST) for amount in worked]
            style, label, color = "o:" if again else "o-", None if again else curve, f"C{names.index(curve)}"
            ys = [100 * wp.value for wp in wps]
            axes.errorbar(xs, ys, ends, fmt=style, color=color, markersize=3, capsize=2, lw=1, label=label)
        for index, (curve, level) in enumerate({"": 50.0, **(lines or {})}.items()):
            axes.axhline(level, color="grey", linewidth=0.8, linestyle="--" if index else "-")
            axes.annotate(curve, (0.01, level), xycoords=("axes fraction", "data"), va="bottom", fontsize=7)
        axes.set(xscale="log", xlabel=unit.name if unit is games else f"CPU {unit.name}")
        least, most = axes.get_xlim()
        axes.xaxis.set_minor_locator(NullLocator())
        # Few powers of ten lie within a short training.
        wide = most > _WIDE * least
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)) if wide else MaxNLocator(4, steps=[1, 2, 5, 10]))
        axes.xaxis.set_major_formatter("{x:g}")
        axes.grid(alpha=0.3)
    figure.axes[0].set_ylabel("WP (%), without search")
    figure.axes[1].legend()
    with written_whole(path) as file:
        # No date and no version inside: the same points make the same file.
        figure.savefig(file, format="png", dpi=100, metadata={"Software": None})
