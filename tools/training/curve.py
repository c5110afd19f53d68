"""
Measures what more hours bring: every network that a training kept meets one player, on the same deals each time.

Several folders are drawn in one picture.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

from ..arena.options import Root, root_option
from ..arena.stats.estimates import Estimate
from ..programs import douzero_weights
from ..release import weights_file
from ..shared.interrupts import Command
from ..shared.json_text import parse_json
from ..shared.options import EXISTING_FOLDER, FILE
from ..shared.terminal import say
from ..shared.work.workers import Workers, worker_options
from .champion.gate import PACKED
from .champion.gate import PLAYER as CHAMPION
from .champion.pack import packed_net, read_net
from .figures import LOG, read_log
from .points import NAMESPACE, PICTURE, MatchResult, Meeting, Point, Points, draw, met, time_of

LAST = "last"
"""The opponent that stands for the last network itself."""


class Snapshot(NamedTuple):
    """A network that a training kept."""

    games: int
    hours: float
    """The CPU hours, from the training's log."""
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
        about = parse_json(douzero_weights.about(path))
        if about["games"] in hours:
            yield Snapshot(about["games"], hours[about["games"]], about["rules"], f"douzero:weights={path}")
    for path in folder.glob("net-*.pt"):
        net, state = read_net(path)
        if state["games"] in hours:
            packed = weights_file.write(folder / PACKED, "fast", packed_net(net, state, {}))
            yield Snapshot(state["games"], hours[state["games"]], state["rules"], f"{CHAMPION}{packed}")


def measured(folder: Path, found: list[Snapshot], meeting: Meeting) -> list[Point]:
    """Gets a point for each network, here or not, that ever met this player; what was played is not played again."""
    if meeting.against == LAST and found:
        meeting = meeting._replace(against=found[-1].player)
    points = Points(folder)
    for snapshot in found:
        if snapshot.games not in points.of(meeting):
            even = MatchResult(Estimate(0.5, 0.5, 0.5), 0.5, 0.5)
            worth = even if snapshot.player == meeting.against else met(snapshot.player, snapshot.rules, meeting)
            assert worth is not None, "nothing stops it"
            points.add(meeting, Point(snapshot.games, snapshot.hours, worth))
    return [*points.of(meeting).values()]


def _lines(_context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]) -> dict[str, float]:
    try:
        return {label: float(wp) for label, _, wp in (given.rpartition("=") for given in texts)}
    except ValueError:
        raise click.BadParameter(f"{texts[-1]!r} must be NAME=WP") from None


@click.command(cls=Command, context_settings={"show_default": True})
@click.argument("folders", nargs=-1, required=True, type=EXISTING_FOLDER)
@click.option("--against", multiple=True, default=["rhcp"], help="A player that all networks meet; last: the last one.")
@click.option("--sets", default=500, metavar="N", help="Duplicate sets of each network.")
@click.option("--every", default=1, help="Take only every N-th network, counted from the last.")
@root_option(NAMESPACE)
@worker_options("Processes that play.", usual=2)
@click.option("--line", "lines", multiple=True, metavar="NAME=WP", callback=_lines, help="Draw a line for another WP.")
@click.option("--picture", type=FILE, help="Where to draw; FOLDER/curve.png.")
def curve(
    folders: tuple[Path, ...],
    against: tuple[str, ...],
    sets: int,
    every: int,
    seed: Root,
    workers: Workers,
    lines: dict[str, float],
    picture: Path | None,
) -> None:
    """
    Measure the networks of trainings, and write curve-hours.csv and a picture; nothing is played twice.

    Without networks a folder is drawn as it was measured.
    """
    curves = []
    for folder, opponent in ((folder, opponent) for opponent in against for folder in folders):
        networks = sorted(snapshots(folder))[::-1][::every][::-1] if (folder / LOG).exists() else []
        points = measured(folder, networks, Meeting(opponent, sets, seed.seed, seed.namespace, workers))
        if not points:
            raise click.ClickException(f"{folder}: there is no network net-*.npz or net-*.pt")
        owner = "" if len(against) > 1 else f"{folder.name} "
        curves.append((f"{owner}against {opponent}", points))
        point = points[-1]
        say(f"{folder.name} after {point.games:,} games, {time_of(point.hours)}: {point} against {opponent}")
    path = picture or folders[0] / PICTURE
    draw(path, curves, lines)
    say(f"{path}: {sum(len(points) for _, points in curves)} points")
