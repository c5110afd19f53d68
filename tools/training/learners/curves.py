"""
Draws the logs of learners side by side: ``python -m tools.training.learners.curves FILE.png cql=FOLDER dqn=FOLDER``.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from matplotlib.figure import Figure

from ...shared.interrupts import Command
from ...shared.kept.whole_file import written_whole
from ...shared.terminal import say
from .training import Row, read_log


def draw(path: Path, logs: Mapping[str, Sequence[Row]]) -> None:
    """Draws strength, values and loss over the games into a .png file."""
    figure = Figure(figsize=(12, 4), layout="constrained")
    strength, sizes, losses = figure.subplots(1, 3)
    for number, (name, rows) in enumerate(logs.items()):
        color = f"C{number}"
        for peasants, style in (("rhcp", "-"), ("rule", ":")):
            points = [(row.games, getattr(row, f"wp_{peasants}")) for row in rows]
            known = [(games, 100 * wp) for games, wp in points if wp is not None]
            strength.plot(*_axes(known), style, marker=".", color=color, label=f"{name} against {peasants}")
        for axes, field, style in ((sizes, "value", "-"), (sizes, "largest", ":"), (losses, "loss", "-")):
            known = [(row.games, value) for row in rows if (value := getattr(row, field)) is not None]
            axes.plot(*_axes(known), style, marker=".", markersize=3, color=color, label=f"{name}, {field}")
    strength.set(title="landlord against two peasants", ylabel="WP (%)", ylim=(0, 100))
    sizes.set(title="size of the values; a game pays 1", yscale="log")
    losses.set(title="loss")
    for axes in (strength, sizes, losses):
        axes.set(xlabel="games learned from (thousands)")
        axes.grid(alpha=0.3)
        axes.legend(fontsize=7)
    with written_whole(path) as file:
        figure.savefig(file, format="png", dpi=80)


def _axes(points: Sequence[tuple[int, float]]) -> tuple[list[float], list[float]]:
    return [games / 1000 for games, _ in points], [value for _, value in points]


def _named(context: click.Context, parameter: click.Parameter, texts: tuple[str, ...]) -> dict[str, Path]:
    pairs = [text.partition("=") for text in texts]
    for text, (name, _, folder) in zip(texts, pairs, strict=True):
        if not name or not folder:
            raise click.BadParameter(f"{text!r} must be NAME=FOLDER")
    return {name: Path(folder) for name, _, folder in pairs}


@click.command(cls=Command)
@click.argument("picture", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("folders", nargs=-1, required=True, callback=_named, metavar="NAME=FOLDER...")
def main(picture: Path, folders: dict[str, Path]) -> None:
    """Draw the logs of trainings into PICTURE, a .png file."""
    draw(picture, {name: read_log(folder / "log.csv") for name, folder in folders.items()})
    say(f"{picture}: {', '.join(folders)}")


if __name__ == "__main__":
    main()
