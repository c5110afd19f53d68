"""
How strong networks of a training are: each meets players on the same deals, and what came of it is kept and drawn.

No network meets a player twice: ``curve-hours.csv`` in the folder of the training has all that was played.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import click
from matplotlib.figure import Figure

from ..arena.estimates import Estimate
from ..arena.plan import Plan
from ..arena.runner import Progress, run
from ..shared.kept.whole_file import put_table, written_whole
from .figures import read_log

NAMESPACE = "curve"
"""Of the deals: nothing else is trained, picked or reported on them."""
TABLE, PICTURE = "curve-hours.csv", "curve.png"
_LEAST_HOURS = 1e-4
"""Where a picture begins: what is written is rounded to this, and 0 has no place on a logarithmic axis."""
_FIELDS = ("against", "sets", "seed", "games", "hours", "wp", "low", "high")


class Point(NamedTuple):
    """What a network was worth."""

    games: int
    hours: float
    """Of processors, as the training's log has them."""
    wp: Estimate

    def __str__(self) -> str:
        return "{:.1f} % ({:.1f} to {:.1f})".format(*(100 * number for number in self.wp))


class Meeting(NamedTuple):
    """Whom the networks meet, and on which deals."""

    against: str
    sets: int
    seed: int
    jobs: int

    @property
    def key(self) -> list[str]:
        """What must be the same for two rows to lie on one curve."""
        return [self.against, str(self.sets), str(self.seed)]


class Points:
    """The points of a training's folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / TABLE
        kept = read_log(folder, TABLE) if self._path.exists() else []
        self._rows = [[row[name] for name in _FIELDS] for row in kept]

    def of(self, meeting: Meeting) -> dict[int, Point]:
        """Gets the points of one curve by their games, in that order."""
        rows = sorted((row for row in self._rows if row[:3] == meeting.key), key=lambda row: int(row[3]))
        return {int(row[3]): Point(int(row[3]), float(row[4]), Estimate(*map(float, row[5:]))) for row in rows}

    def add(self, meeting: Meeting, point: Point) -> None:
        """Keeps a point."""
        figures = (f"{number:.4f}" for number in (point.hours, *point.wp))
        others = [row for row in self._rows if row[:3] != meeting.key]
        own = [row for row in self._rows if row[:3] == meeting.key]
        own.append([*meeting.key, str(point.games), *figures])
        self._rows = [*others, *sorted(own, key=lambda row: int(row[3]))]
        put_table(self._path, _FIELDS, self._rows)


def met(player: str, rules: str, meeting: Meeting, stopped: Callable[[], bool] = lambda: False) -> Estimate | None:
    """
    Lets a *player* meet another one; None if it was *stopped*.

    :raises ClickException: for a match that cannot be played.
    """
    try:
        plan = Plan.of(rules, (player, meeting.against), meeting.sets, meeting.seed, NAMESPACE)
        plan.check()
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    match = Progress(plan)
    run(match, meeting.jobs, lambda _pairing, _row: None, stopped)
    return match.stats[0].wp() if match.finished else None


def draw(path: Path, curves: Mapping[str, Sequence[Point]], against: str = "") -> None:
    """Draws WP over hours into a .png file; *against* is whom all met."""
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    for name, points in curves.items():
        values = [100 * point.wp.value for point in points]
        errors = [
            [100 * (point.wp.value - point.wp.low) for point in points],
            [100 * (point.wp.high - point.wp.value) for point in points],
        ]
        hours = [max(point.hours, _LEAST_HOURS) for point in points]
        axes.errorbar(hours, values, errors, fmt="o-", markersize=3, capsize=2, label=name)
    axes.axhline(50, color="grey", linewidth=0.8)
    whom = f" against {against}" if against else ""
    axes.set(xscale="log", xlabel="hours of training", ylabel=f"WP{whom} (%), without search")
    axes.grid(alpha=0.3)
    axes.legend()
    with written_whole(path) as file:
        figure.savefig(file, format="png", dpi=100)
