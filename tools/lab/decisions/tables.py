"""The tables that tell what a bench says."""

from collections.abc import Iterator

from rich.box import SIMPLE
from rich.table import Table

from .estimate import Mean, Root
from .outcomes import ALL, Quality
from .report import Choices, Scores


def tables(scores: Scores, unit: str, bands: bool) -> Iterator[tuple[str, Table]]:
    """
    Yields the tables, each with its heading.

    *unit* is what values are in, and *bands* says whether each band of plies has its rows.
    """
    if scores.choices:
        yield f"Choices and values, {unit}", _choices_table(scores.choices)
    if len(scores.choices) > 1:
        heading = f"Choices beside those of {scores.choices[0].name}, {unit}; above 0 is better"
        yield heading, _comparison_table(scores.choices)
    for outcomes in scores.outcomes:
        heading = f"Winner after the move that was played, by {outcomes.name}"
        if outcomes.average_better:
            beside = (f"{_mean(better)} {predictor}" for predictor, better in outcomes.average_better.items())
            heading += f"\nLog loss, more than that of the average: {', '.join(beside)}"
        yield heading, _outcomes_table([quality for quality in outcomes.qualities if bands or quality.band == ALL])


def _table(left: tuple[str, ...], right: tuple[str, ...]) -> Table:
    table = Table(box=SIMPLE, pad_edge=False)
    for heading in left:
        table.add_column(heading, no_wrap=True)
    for heading in right:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _choices_table(rows: list[Choices]) -> Table:
    headings = ("decisions", "unknown", "error of differences", "regret", "in the true hands", "ms")
    table = _table(("player",), headings)
    for row in rows:
        counts = (f"{row.decisions:,}", f"{row.unknown:,}")
        values = (_root(row.error), _mean(row.regret), _mean(row.open))
        table.add_row(row.name, *counts, *values, f"{row.milliseconds:.1f}")
    return table


def _comparison_table(rows: list[Choices]) -> Table:
    table = _table(("player",), ("regret", "in the true hands", "log loss of the winner"))
    for row in rows[1:]:
        table.add_row(row.name, _mean(row.regret_less), _mean(row.open_more), _mean(row.loss_less))
    return table


def _outcomes_table(rows: list[Quality]) -> Table:
    headings = ("cases", "won", "predicted above", "log loss", "Brier score", "calibration")
    table = _table(("seat", "ply", "by"), headings)
    for row in rows:
        means = map(_mean, (row.above, row.log_loss, row.brier))
        cells = (f"{row.won.cases:,}", f"{row.won.value:.3f}", *means, f"{row.calibration:.3f}")
        table.add_row(row.seat, row.band, row.predictor, *cells)
    return table


def _mean(mean: Mean | None) -> str:
    return "-" if mean is None or not mean.cases else f"{mean.value:+.4f} ± {mean.half:.4f}"


def _root(root: Root) -> str:
    return f"{root.value:.4f} ({root.low:.4f} to {root.high:.4f})" if root.cases else "-"
