"""
Measures what more hours bring: every network that a training kept meets one player, on the same deals each time.

The folder of another training may stand beside it, to draw both curves in one picture.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

from ..arena.estimates import Estimate
from ..opponents import douzero_weights
from ..release import weights_file
from ..shared.interrupts import Command
from ..shared.terminal import say
from .champion.gate import PLAYER as CHAMPION
from .champion.kept import packed_net, read_net
from .figures import read_log
from .points import PICTURE, Meeting, Point, Points, draw, met

LAST = "last"
"""As whom to meet: the last network itself."""


class Snapshot(NamedTuple):
    """A network that a training kept."""

    games: int
    hours: float
    """What the training's log says."""
    rules: str
    player: str
    """As a match names it."""


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
    points = Points(folder)
    for one in found:
        if one.games not in points.of(meeting):
            wp = Estimate(0.5, 0.5, 0.5) if one.player == meeting.against else met(one.player, one.rules, meeting)
            assert wp is not None, "nothing stops it"
            points.add(meeting, Point(one.games, one.hours, wp))
        yield points.of(meeting)[one.games]


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
    path = picture or folder / PICTURE
    draw(path, curves, against)
    for name, points in curves.items():
        last = points[-1]
        say(f"{name} after {last.games:,} games and {last.hours:.2f} hours: WP {last} against {against}")
    say(f"{path}: {sum(map(len, curves.values()))} networks")
