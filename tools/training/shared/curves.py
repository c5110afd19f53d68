"""The log of a training as a table for programs and a figure for people."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

from ...shared.kept.whole_file import put_table, written_whole
from .learning import Row


def write_log(path: Path, rows: Sequence[Row]) -> None:
    """Writes the whole log as CSV, in one step; an empty cell is a loss that was not measured then."""
    cells = (
        [
            *(row.step, row.records, f"{row.epoch:.4f}", f"{row.rate:.6g}", f"{row.train_loss:.6f}"),
            *("" if row.test_loss is None else f"{row.test_loss:.6f}", f"{row.seconds:.1f}"),
        ]
        for row in rows
    )
    put_table(path, Row._fields, cells)


def draw(path: Path, rows: Sequence[Row], title: str, unit: str) -> None:
    """Draws both losses over the epochs into a .png file; *unit* is what they are measured in."""
    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.add_subplot()
    axes.plot([row.epoch for row in rows], [row.train_loss for row in rows], label="training, since the point before")
    tested = [(row.epoch, row.test_loss) for row in rows if row.test_loss is not None]
    axes.plot([at for at, _ in tested], [loss for _, loss in tested], "o-", label="test, end of an epoch")
    axes.set(xlabel="epoch", ylabel=unit, title=title)
    axes.grid(alpha=0.3)
    axes.legend()
    with written_whole(path) as file:
        figure.savefig(file, format="png", dpi=120)
