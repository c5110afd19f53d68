"""The course of a match: WP with its interval over the number of sets."""

from collections.abc import Sequence
from pathlib import Path

from ...shared.limits import limit_text
from ..stats.row import Row, statistics_of
from ..stats.sets import SetStats
from .results import Results

FIRST_POINT = 10
POINTS = 200


def course(rows: Sequence[Row]) -> list[tuple[int, float, float, float]]:
    """Gets (sets, WP, low, high) in percent at some points of a match in seed order."""
    step = max(1, len(rows) // POINTS)
    stats, points = SetStats(), []
    for sets, row in enumerate(rows, 1):
        stats += statistics_of(row)
        if sets >= FIRST_POINT and (sets % step == 0 or sets == len(rows)):
            wp = stats.wp()
            points.append((sets, 100 * wp.value, 100 * wp.low, 100 * wp.high))
    return points


def draw_course(results: Results, plot: Path) -> int:
    """Draws a line for each pairing, and returns how many there are; three in fixed seats have none."""
    if not results.pairings:
        return 0
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for pairing in results.pairings:
        points = course(pairing.rows)
        if points:
            sets, wp, low, high = zip(*points, strict=True)
            axes.plot(sets, wp, label=f"{pairing.a} against {pairing.b}")
            axes.fill_between(sets, low, high, alpha=0.2)
    axes.axhline(50, color="grey", linewidth=0.8)
    axes.set(
        xlabel="sets",
        ylabel="WP % (95 % interval)",
        title=f"rules {results.plan.rules}, limit {limit_text(results.plan.limit) or 'none'}",
    )
    axes.legend()
    figure.savefig(plot, dpi=120)
    return len(results.pairings)
