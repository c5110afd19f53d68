"""The log of a training as a table for programs and a figure for people."""

import csv
import io
import os
from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

from .learning import Row


def write_log(path: Path, rows: Sequence[Row]) -> None:
    """Writes the whole log as CSV, in one step; an empty cell is a loss that was not measured then."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(Row._fields)
    writer.writerows(
        [
            *(row.step, row.records, f"{row.epoch:.4f}", f"{row.rate:.6g}", f"{row.train_loss:.6f}"),
            *("" if row.test_loss is None else f"{row.test_loss:.6f}", f"{row.seconds:.1f}"),
        ]
        for row in rows
    )
    fresh = path.with_name(path.name + ".part")
    fresh.write_text(text.getvalue(), encoding="utf-8")
    os.replace(fresh, path)


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
    fresh = path.with_name(path.name + ".part")
    figure.savefig(fresh, format="png", dpi=120)
    os.replace(fresh, path)
