"""The logs of trainings as figures for people."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
from matplotlib.figure import Figure

from ..shared.interrupts import Command
from ..shared.options import FILE
from ..shared.storage.whole_file import written_whole
from ..shared.terminal import say

LOG, LOG_FIGURE = "log.csv", "log.png"

LogLine = dict[str, Any]
"""Type alias: a line of a log, by the names of its columns; None or nothing was not measured then."""


class Panel(NamedTuple):
    """The columns of one picture, as far as a log has them."""

    title: str
    columns: tuple[str, ...]
    scale: str = "linear"


PANELS = (
    Panel("loss", ("loss", "train_loss", "test_loss", "loss_0", "loss_1", "loss_2")),
    Panel("share of games won as landlord", ("wp_rhcp", "wp_rule", "landlord_wins")),
    Panel("size of the values; a game pays 1", ("value", "largest"), "log"),
)
FULL = 4
"""Of more trainings than these only the first column of a panel is drawn, over logarithms; else lines hide others."""


def draw(path: Path, logs: Mapping[str, Sequence[LogLine]]) -> None:
    """Draws logs, by the names of their trainings, over what was learned from, their first column, into a .png."""
    have = {column for rows in logs.values() for row in rows for column, cell in row.items() if cell not in (None, "")}
    panels = [panel for panel in PANELS if have & set(panel.columns)] or [PANELS[0]]
    figure = Figure(figsize=(4 * len(panels) + 2, 4), layout="constrained")
    for panel, axes in zip(panels, figure.subplots(1, len(panels), squeeze=False)[0], strict=True):
        for index, (training, rows) in enumerate(logs.items()):
            columns = [column for column in panel.columns if any(row.get(column) not in (None, "") for row in rows)]
            columns = columns[: 1 if len(logs) > FULL else None]
            for column, style in zip(columns, ("-", ":", "--"), strict=False):
                points = [(next(iter(row.values())), row[column]) for row in rows if row.get(column) not in (None, "")]
                xs, ys = ([float(point[axis]) for point in points] for axis in (0, 1))
                axes.plot(xs, ys, style, marker=".", markersize=3, color=f"C{index}", label=f"{training}, {column}")
        xscale = "log" if len(logs) > FULL else "linear"
        axes.set(title=panel.title, xlabel="learned from", xscale=xscale, yscale=panel.scale)
        axes.grid(alpha=0.3)
        if axes.lines:
            axes.legend(fontsize=7)
    with written_whole(path) as file:
        figure.savefig(file, format="png", dpi=80)


def read_log(folder: Path, name: str = LOG) -> list[LogLine]:
    """
    Reads the log of a training, or another table in its folder, each cell as it stands there.

    :raises ClickException: if there is none.
    """
    try:
        rows: list[LogLine] = list(csv.DictReader((folder / name).read_text("utf-8").splitlines()))
        for row in rows:
            if None in row or None in row.values():
                raise ValueError("a row has too few cells, or too many")
    except (OSError, ValueError) as error:
        raise click.ClickException(f"{folder} has no {name} of a training ({error})") from None
    return rows


def _named(context: click.Context, parameter: click.Parameter, texts: tuple[str, ...]) -> dict[str, Path]:
    pairs = [given.partition("=") for given in texts]
    for given, (label, _, folder) in zip(texts, pairs, strict=True):
        if not label or not folder:
            raise click.BadParameter(f"{given!r} must be NAME=FOLDER")
    return {label: Path(folder) for label, _, folder in pairs}


@click.command(cls=Command)
@click.argument("picture", type=FILE)
@click.argument("folders", nargs=-1, required=True, callback=_named, metavar="NAME=FOLDER...")
def command(picture: Path, folders: dict[str, Path]) -> None:
    """Draw the logs of trainings into PICTURE, a .png file."""
    draw(picture, {training: read_log(folder) for training, folder in folders.items()})
    say(f"{picture}: {', '.join(folders)}")
