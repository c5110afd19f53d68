"""
Derives every number of a results file again from its sets, prints them, and draws the course of the match.

    python -m tools.report results/rhcp-rule.json --plot rhcp-rule.png
"""

from pathlib import Path
from typing import Any

import click
from rich.console import Console

from tools.arena.plan import test_of
from tools.arena.results import counted_rows, load, summary_of, times_of
from tools.arena.sets import Row, statistics_of
from tools.arena.stats import SetStats
from tools.arena.text import print_results

FIRST_POINT = 10
POINTS = 200


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--plot", type=click.Path(path_type=Path, dir_okay=False), help="Draw WP over sets into a PNG or SVG file."
)
def main(file: Path, plot: Path | None) -> None:
    """Prints the results of FILE, every number derived again from its rows; exit code 1 if the file says otherwise."""
    try:
        results = load(file)
        differences = _derive(results)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise click.UsageError(f"results file {file}: {error}") from None
    print_results(results, Console())
    if plot:
        draw(results, plot)
        click.echo(f"wrote {plot}")
    for pairing, name in differences:
        click.echo(f"{file}: {pairing} is not what its rows say: {name}", err=True)
    raise SystemExit(1 if differences else 0)


def _derive(results: dict[str, Any]) -> list[tuple[str, str]]:
    """Replaces every number by one made from the rows; lists what was different."""
    differences = []
    for pairing in results["pairings"]:
        test = test_of(results["rules"], results["sprt"])
        rows, sprt = counted_rows(test, pairing["rows"])
        derived = {"summary": summary_of(rows), "sprt": sprt, "times": times_of(rows)}
        name = f"{pairing['a']} against {pairing['b']}"
        differences += [(name, key) for key, value in derived.items() if pairing[key] != value]
        pairing.update(derived)
    first = results["pairings"][0]["summary"]
    if results["summary"] != first:
        differences.append(("the whole match", "summary"))
    results["summary"] = first
    return differences


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
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
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
