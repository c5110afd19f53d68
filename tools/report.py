"""
Derives every number of a results file again from its sets, prints them, and draws the course of the match.

    python -m tools.report results/rhcp-rule.json --plot rhcp-rule.png
"""

from pathlib import Path
from typing import Any

import click

from .arena.results_file import read
from .arena.sets import Row, statistics_of
from .arena.stats import SetStats
from .arena.text import print_parts, print_results
from .shared.bounds import reason_of
from .shared.errors import InputError
from .shared.interrupts import Command
from .shared.json_text import json_text
from .shared.terminal import Console, say

FIRST_POINT = 10
POINTS = 200


@click.command(cls=Command)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--plot", type=click.Path(path_type=Path, dir_okay=False), help="Draw WP over sets into a PNG or SVG file."
)
@click.option("--json", "as_json", is_flag=True, help="Print everything as one JSON object, the rows too.")
def main(file: Path, plot: Path | None, as_json: bool) -> None:
    """
    Prints the results of FILE, every number derived again from its rows, and which program played.

    FILE may be compressed with gzip. Exit code 1 if the file says otherwise than its rows, 2 if it is damaged.
    """
    try:
        found = read(file)
        results = found.results()
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if as_json:
        parts = [part._asdict() for part in found.parts]
        click.echo(json_text({**results, "parts": parts, "torn": found.torn}, ascii_only=True))
    else:
        print_results(results, Console())
        print_parts(found.parts, Console())
    if found.torn:
        say(f"{file}: the last {found.torn} bytes are half a line and do not count", err=True)
    if plot:
        try:
            draw(results, plot)
        except (OSError, ValueError) as error:
            raise InputError(f"{plot}: it cannot be drawn: {reason_of(error)}") from None
        say(f"wrote {plot}", err=as_json)
    differences = found.contradictions(results)
    for pairing, name in differences:
        say(f"{file}: {pairing} is not what its rows say: {name}", err=True)
    raise SystemExit(1 if differences else 0)


def course(rows: list[Row]) -> list[tuple[int, float, float, float]]:
    """Gets (sets, WP, low, high) in percent at some points of a match in seed order."""
    step = max(1, len(rows) // POINTS)
    stats, points = SetStats(), []
    for number, row in enumerate(rows, 1):
        stats += statistics_of(row).stats
        if number >= FIRST_POINT and (number % step == 0 or number == len(rows)):
            wp = stats.wp()
            points.append((number, 100 * wp.value, 100 * wp.low, 100 * wp.high))
    return points


def draw(results: dict[str, Any], plot: Path) -> None:
    """Draws WP with its interval over the number of sets, a line for each pairing."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for pairing in results["pairings"]:
        points = course(pairing["rows"])
        if points:
            sets, wp, low, high = zip(*points, strict=True)
            axes.plot(sets, wp, label=f"{pairing['a']} against {pairing['b']}")
            axes.fill_between(sets, low, high, alpha=0.2)
    axes.axhline(50, color="grey", linewidth=0.8)
    axes.set(
        xlabel="sets",
        ylabel="WP % (95 % interval)",
        title=f"rules {results['rules']}, limit {results['limit'] or 'none'}",
    )
    axes.legend()
    figure.savefig(plot, dpi=120)


if __name__ == "__main__":
    main()
