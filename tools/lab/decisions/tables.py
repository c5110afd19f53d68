"""The tables that tell what a bench says."""

from collections.abc import Callable, Iterator

from rich.box import SIMPLE
from rich.table import Table

from .estimate import NORMAL_95, Mean, Root
from .mixture import Weights
from .outcomes import ALL, Quality
from .report import Choices, Outcomes, Report

_SAID: dict[str, Callable[[Quality], str]] = {
    "predicted more than won": lambda one: f"{one.above.value:+.3f} ± {one.above.half:.3f}",
    "log loss": lambda one: f"{one.log_loss.value:.4f} ± {one.log_loss.half:.4f}",
    "Brier score": lambda one: f"{one.brier.value:.4f} ± {one.brier.half:.4f}",
    "error of calibration": lambda one: f"{one.calibration:.3f}",
}
"""What is said of predictions, a table each."""


def tables(report: Report, unit: str, bands: bool) -> Iterator[tuple[str, Table]]:
    """
    Yields the tables, each with its heading.

    *unit* is what values are in, and *bands* says whether each band of plies has its rows.
    """
    if report.choices:
        yield f"Choices and values, {unit}", _choices_table(report.choices)
    if len(report.choices) > 1:
        heading = f"Choices beside those of {report.choices[0].name}, {unit}; above 0 is better"
        yield heading, _comparison_table(report.choices)
    for one in report.outcomes:
        heading = f"Who wins after the move that was played, by {one.name}"
        if len(one.chances) == 1:
            yield heading, _table_of_one(one, bands)
        else:
            yield from ((f"{heading}: {said}", _outcomes_table(one, cell, bands)) for said, cell in _SAID.items())
        if one.weights:
            yield _heading_of_weights(one), _weights_table(one)


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
    table = _table(("player",), ("regret", "in the true hands", "log loss of who wins"))
    for row in rows[1:]:
        table.add_row(row.name, _mean(row.regret_less), _mean(row.open_more), _mean(row.loss_less))
    return table


def _rows(one: Outcomes, bands: bool) -> Iterator[tuple[tuple[str, ...], list[Quality]]]:
    """Yields the first cells of each row, and what is known of its predictors."""
    rows: dict[tuple[str, str], list[Quality]] = {}
    for quality in one.qualities:
        if bands or quality.band == ALL:
            rows.setdefault((quality.seat, quality.band), []).append(quality)
    for (seat, band), row in rows.items():
        yield (seat, band, f"{row[0].won.cases:,}", f"{row[0].won.value:.3f}"), row


def _outcomes_table(one: Outcomes, cell: Callable[[Quality], str], bands: bool) -> Table:
    table = _table(("seat", "ply"), ("cases", "won", *one.chances))
    for first, row in _rows(one, bands):
        table.add_row(*first, *map(cell, row))
    return table


def _table_of_one(one: Outcomes, bands: bool) -> Table:
    """Makes one table of all that is said of a single predictor."""
    table = _table(("seat", "ply"), ("cases", "won", *_SAID))
    for first, (quality,) in _rows(one, bands):
        table.add_row(*first, *(cell(quality) for cell in _SAID.values()))
    return table


def _heading_of_weights(one: Outcomes) -> str:
    beside = (f"{better.value:+.4f} ± {better.half:.4f} {name}" for name, better in one.average_better.items())
    return (
        f"Log loss of {one.name}, more than that of the average: {', '.join(beside)}.\n"
        "The mixture that fits best: log odds = start + network × its logit + search × its logit"
    )


def _weights_table(one: Outcomes) -> Table:
    table = _table(("seat", "ply"), ("start", "network", "search"))
    for seat, band, weights in one.weights:
        table.add_row(seat, band, *_weights(weights))
    return table


def _weights(weights: Weights) -> Iterator[str]:
    for value, error in zip(weights[:3], weights.errors, strict=True):
        yield f"{value:+.2f} ± {NORMAL_95 * error:.2f}"


def _mean(mean: Mean | None) -> str:
    return "-" if mean is None or not mean.cases else f"{mean.value:+.4f} ± {mean.half:.4f}"


def _root(root: Root) -> str:
    return f"{root.value:.4f} ({root.low:.4f} to {root.high:.4f})" if root.cases else "-"
