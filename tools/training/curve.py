"""
Measures what more hours bring: every network that a training kept meets one player, on the same deals each time.

The folder of another training may stand beside it, to draw both curves in one picture.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
from matplotlib.figure import Figure

from ..arena.estimates import Estimate
from ..arena.plan import Plan
from ..arena.runner import Progress, run
from ..opponents import douzero_weights
from ..release import weights_file
from ..shared.interrupts import Command
from ..shared.kept.whole_file import put_table, written_whole
from ..shared.terminal import say
from .champion.gate import PLAYER as CHAMPION
from .champion.kept import packed_net, read_net
from .figures import read_log

NAMESPACE = "curve"
"""Of the deals: nothing else is trained, picked or reported on them."""
LAST = "last"
"""As whom to meet: the last network itself."""
TABLE = "curve-hours.csv"
_FIELDS = ("against", "sets", "seed", "games", "hours", "wp", "low", "high")


class Snapshot(NamedTuple):
    """A network that a training kept."""

    games: int
    hours: float
    """What the training's log says."""
    rules: str
    player: str
    """As a match names it."""


class Point(NamedTuple):
    """What a network was worth."""

    games: int
    hours: float
    wp: Estimate


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


def snapshots(folder: Path) -> Iterator[Snapshot]:
    """
    Yields the networks that a training kept, those of the champion packed into ``packed`` beside them.

    One that is newer than the log is left out: the training was stopped there, and makes it again.
    """
    hours = {int(row["games"]): float(row["seconds"]) / 3600 for row in read_log(folder)}
    for path in folder.glob("net-*.npz"):
        told = json.loads(douzero_weights.about(path))
        if told["games"] in hours:
            yield Snapshot(told["games"], hours[told["games"]], told["rules"], f"douzero:weights={path}")
    for path in folder.glob("net-*.pt"):
        net, state = read_net(path)
        if state["games"] in hours:
            packed = weights_file.write(folder / "packed", "fast", packed_net(net, state, {}))
            yield Snapshot(state["games"], hours[state["games"]], state["rules"], f"{CHAMPION}{packed}")


def measured(folder: Path, found: list[Snapshot], meeting: Meeting) -> Iterator[Point]:
    """Yields a point for each network; what the table in *folder* has is not played again."""
    if meeting.against == LAST:
        meeting = meeting._replace(against=found[-1].player)
    path = folder / TABLE
    kept = [[row[name] for name in _FIELDS] for row in read_log(folder, TABLE)] if path.exists() else []
    others = [row for row in kept if row[:3] != meeting.key]
    known = {int(row[3]): row for row in kept if row[:3] == meeting.key}
    for one in found:
        if one.games not in known:
            wp = Estimate(0.5, 0.5, 0.5) if one.player == meeting.against else _met(one, meeting)
            known[one.games] = [*meeting.key, str(one.games), f"{one.hours:.4f}", *(f"{number:.4f}" for number in wp)]
            put_table(path, _FIELDS, [*others, *(known[games] for games in sorted(known))])
        row = known[one.games]
        yield Point(one.games, float(row[4]), Estimate(*map(float, row[5:])))


def _met(one: Snapshot, meeting: Meeting) -> Estimate:
    try:
        plan = Plan.of(one.rules, (one.player, meeting.against), meeting.sets, meeting.seed, NAMESPACE)
        plan.check()
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    match = Progress(plan)
    run(match, meeting.jobs, lambda _pairing, _row: None)
    return match.stats[0].wp()


def draw(path: Path, curves: dict[str, list[Point]], against: str) -> None:
    """Draws WP over hours into a .png file."""
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    for name, points in curves.items():
        values = [100 * point.wp.value for point in points]
        errors = [
            [100 * (point.wp.value - point.wp.low) for point in points],
            [100 * (point.wp.high - point.wp.value) for point in points],
        ]
        axes.errorbar([point.hours for point in points], values, errors, fmt="o-", markersize=3, capsize=2, label=name)
    axes.axhline(50, color="grey", linewidth=0.8)
    axes.set(xscale="log", xlabel="hours of training", ylabel=f"WP against {against} (%), without search")
    axes.grid(alpha=0.3)
    axes.legend()
    with written_whole(path) as file:
        figure.savefig(file, format="png", dpi=100)


@click.command(cls=Command, context_settings={"show_default": True})
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--beside",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder of another training, whose networks are measured and drawn too.",
)
@click.option("--against", default="rhcp", help="The player that all networks meet; last: the last of them.")
@click.option("--sets", default=500, help="Duplicate sets of each network.")
@click.option("--every", default=1, help="Take only every N-th network, counted from the last.")
@click.option("--seed", default=1, help="Root of the deals.")
@click.option("--jobs", default=2, help="Processes that play.")
@click.option("--picture", type=click.Path(dir_okay=False, path_type=Path), help="Where to draw; FOLDER/curve.png.")
def curve(
    folder: Path, beside: Path | None, against: str, sets: int, every: int, seed: int, jobs: int, picture: Path | None
) -> None:
    """Measure the networks of a training, and write curve-hours.csv and a picture; nothing is played twice."""
    meeting = Meeting(against, sets, seed, jobs)
    curves = {}
    for place in (folder, beside) if beside else (folder,):
        found = sorted(snapshots(place))[::-1][::every][::-1]
        if not found:
            raise click.ClickException(f"{place}: there is no network net-*.npz or net-*.pt")
        curves[place.name] = list(measured(place, found, meeting))
    path = picture or folder / "curve.png"
    draw(path, curves, against)
    for name, points in curves.items():
        last = points[-1]
        say(
            f"{name} after {last.games:,} games and {last.hours:.2f} hours: WP {100 * last.wp.value:.1f} "
            f"({100 * last.wp.low:.1f} to {100 * last.wp.high:.1f}) against {against}"
        )
    say(f"{path}: {sum(map(len, curves.values()))} networks")
