"""Calibration as a picture: what was predicted by tenths of the cases, and how these games ended."""

from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ddzbot.game import SEAT_NAMES

from ...shared.kept.whole_file import written_whole
from .outcomes import Tenth
from .report import Outcomes

COLOURS = {"network": "tab:green", "search": "tab:red", "fitted": "tab:blue"}
"""What is drawn: the two that go into the mixture, and the mixture, which is fitted to other games."""


def draw(path: Path, found: list[Outcomes]) -> None:
    """Draws a row of a panel for each seat for everything that searches, or else for all, into a .png file."""
    found = [one for one in found if "search" in one.chances] or found
    figure = Figure(figsize=(13, 4.3 * len(found)), layout="constrained")
    for row, one in enumerate(found):
        for seat, name in enumerate(SEAT_NAMES):
            axes = figure.add_subplot(len(found), len(SEAT_NAMES), len(SEAT_NAMES) * row + seat + 1)
            axes.plot([0, 1], [0, 1], color="0.7")
            some = one.cases.seat == seat
            for predictor in COLOURS:
                if predictor in one.chances and some.any():
                    _draw_line(axes, predictor, one.tenths(predictor, some))
            axes.set(xlabel="predicted", ylabel="won", title=f"{one.name}: {name}", xlim=(0, 1), ylim=(0, 1))
            axes.grid(alpha=0.3)
            axes.legend(loc="upper left")
    with written_whole(path) as file:
        figure.savefig(file, format="png", dpi=100)


def _draw_line(axes: Axes, predictor: str, tenths: list[Tenth]) -> None:
    predicted = [tenth.predicted for tenth in tenths]
    won = [tenth.won.value for tenth in tenths]
    errors = [tenth.won.half for tenth in tenths]
    axes.errorbar(predicted, won, errors, marker="o", capsize=3, color=COLOURS[predictor], label=predictor)
