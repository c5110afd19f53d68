"""
Print every number of a results file, and draw the course of the match.

    python -m tools report results/rhcp-rule.json --plot rhcp-rule.png
"""

from pathlib import Path

import click

from ddzbot.search.limit import Limit

from ..cluster.command import Workers, worker_options
from ..records.record import RecordError
from ..shared.bounds import reason_of
from ..shared.errors import InputError
from ..shared.interrupts import Command
from ..shared.json_text import json_text
from ..shared.language import tr
from ..shared.options import EXISTING_FILE, FILE, read_limit
from ..shared.terminal import Console, say
from .files.results_file import Entry, line_of, read
from .options import REVIEW
from .played.runner import Progress
from .shown.picture import draw
from .shown.plot import draw_course
from .shown.results import Results, as_json, results_of
from .shown.sheet import write_sheet
from .shown.text import print_parts, print_results


@click.command(cls=Command)
@click.argument("file", type=FILE)
@click.option("--plot", type=FILE, help="Draw WP over sets, or the Elo of all players, into a PNG or SVG file.")
@click.option("--csv", "table", type=FILE, help="Write a table that a spreadsheet reads.")
@click.option("--page", type=FILE, help="Write a page to send round.")
@click.option(
    "--games-file", "games", type=EXISTING_FILE, help="With --page: review the lost ones of these games there."
)
@click.option(
    "--review-limit",
    "review",
    default=REVIEW,
    show_default=True,
    callback=read_limit,
    help="Limit of a reviewed decision.",
)
@worker_options("Processes that review.", usual=1)
@click.option("--json", "as_text", is_flag=True, help="Print everything as one JSON object, the rows too.")
def main(
    file: Path,
    plot: Path | None,
    table: Path | None,
    page: Path | None,
    games: Path | None,
    review: Limit,
    workers: Workers,
    as_text: bool,
) -> None:
    """
    Print every number of the results file FILE, and which program played.

        python -m tools report results.json --plot course.png

    FILE may be compressed with gzip. Exit code 2 if it is damaged.
    """
    try:
        found = read(file)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    plan = found.plan
    results = results_of(Progress(plan, found.rows_of(plan)))
    # Before anything is printed: a reader of the first lines alone, such as head, ends this process.
    wrote = []
    if table:
        write_sheet(table, results, found.parts[-1].entries)
        wrote.append(tr("wrote {file}", file=table))
    if page:
        _write_page(page, results, games, found.parts[-1].entries, (review, workers, as_text))
        wrote.append(tr("wrote {file}", file=page))
    if plot:
        drawn = _drawn(results, plot)
        wrote.append(tr("wrote {file}" if drawn else "{file}: there is nothing to draw", file=plot))
    if as_text:
        parts = [{**line_of(part), "played": played} for part, played in zip(found.parts, found.played, strict=True)]
        click.echo(json_text({**as_json(results), "parts": parts, "torn": found.torn}, ascii_only=True))
    else:
        print_results(results, Console(), every=plan.kind != "field", entries=found.parts[-1].entries)
        print_parts(found, Console())
    if found.torn:
        torn = "{file}: the last {count} bytes are half a line and do not count"
        say(tr(torn, file=file, count=found.torn), err=True)
    for sentence in wrote:
        say(sentence, err=as_text)


def _write_page(
    page: Path, results: Results, games: Path | None, entries: tuple[Entry, ...], how: tuple[Limit, Workers, bool]
) -> None:
    if results.plan.three:
        raise click.UsageError(f"page {page}: it is of pairs")
    try:
        from .shown.page import write_page  # it loads the reviews

        write_page(page, results, games, entries, *how)
    except RecordError as error:
        raise InputError(str(error)) from None


def _drawn(results: Results, plot: Path) -> bool:
    """Draws the course of a match, or the Elo of all players, if there is any."""
    try:
        if results.plan.open and results.standings:
            return bool(draw(results.standings, plot))
        return bool(draw_course(results, plot))
    except (OSError, ValueError) as error:
        raise InputError(f"{plot}: it cannot be drawn: {reason_of(error)}") from None


if __name__ == "__main__":
    main()
