"""
Print every number of a results file, and draw the course of the match.

    python -m tools report results/rhcp-rule.json --plot rhcp-rule.png
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ddzbot.search.limit import Limit

from ..records.record import RecordError
from ..shared.bounds import reason_of
from ..shared.errors import InputError
from ..shared.interrupts import Command
from ..shared.json_text import json_text
from ..shared.language import tr
from ..shared.message import Message, english
from ..shared.named_files import refuse_twice
from ..shared.options import EXISTING_FILE, FILE, read_limit
from ..shared.terminal import Console, say
from ..shared.work.workers import Workers, worker_options
from .files.results_file import Entry, Found, line_of, read
from .matches.runner import Progress
from .options import title_option
from .reports.plot import draw_course
from .reports.results import Results, as_json, results_of
from .reports.sheet import write_sheet
from .reports.text import print_parts, print_results

if TYPE_CHECKING:
    from .reports.why import Why


def _read_limit(context: click.Context, parameter: click.Parameter, value: str | None) -> Limit | None:
    return None if value is None else read_limit(context, parameter, value)


@click.command(cls=Command, in_chinese=True)
@click.argument("file", type=FILE)
@click.option("--plot", type=FILE, help="Draw WP over sets, or the Elo of all players, into a PNG or SVG file.")
@click.option("--csv", "table", type=FILE, help="Write a table that a spreadsheet reads.")
@click.option(
    "--page", type=FILE, help="Write a page to share. If the games were saved, it says why each contestant lost."
)
@title_option
@click.option("--why", "ask_why", is_flag=True, help="Review lost games, and say what cost each contestant the points.")
@click.option("--games-file", "games", type=EXISTING_FILE, help="The games file, if it has moved since the match.")
@click.option(
    "--limit", callback=_read_limit, help="Review by a search: 5000p or 0.5s a decision. Default: the network alone."
)
@worker_options("Processes that review.", usual=1)
@click.option("--json", "as_text", is_flag=True, help="Print everything as one JSON object, with all rows.")
def main(
    file: Path,
    plot: Path | None,
    table: Path | None,
    page: Path | None,
    title: str,
    ask_why: bool,
    games: Path | None,
    limit: Limit | None,
    workers: Workers,
    as_text: bool,
) -> None:
    """
    Print every number of the results file FILE, and which program played.

        python -m tools report results.json --plot course.png

        python -m tools report results.json --why

    FILE may be compressed with gzip. Exit code 2 if it is damaged.
    """
    if plot:
        import matplotlib  # noqa: F401 - asked for here, and not after minutes of review
    try:
        content = read(file)
    except ValueError as error:
        raise InputError(str(error)) from None
    plan = content.plan
    results = results_of(Progress(plan, content.rows_of(plan)))
    games = games or _games_beside(file, content)
    refuse_twice(file, games, plot, table, page)
    if (page or ask_why) and plan.three:
        raise InputError(Message("{option}: it is of pairs", option="--why" if ask_why else "--page"))
    if ask_why and not games:
        raise InputError(_no_games(file, content))
    whys = _whys(results, games, limit, workers, as_text) if games and (page or ask_why) else []
    # Before anything is printed: a reader of the first lines alone, such as head, ends this process.
    sentences = _write_files(
        results, content.parts[-1].entries, games, limit, whys, table=table, page=page, title=title, plot=plot
    )
    if as_text:
        parts = [
            {**line_of(part, english), "played": played}
            for part, played in zip(content.parts, content.played, strict=True)
        ]
        causes = {"why": {why.name: why.as_json() for why in whys}} if ask_why else {}
        click.echo(json_text({**as_json(results), "parts": parts, "torn": content.torn, **causes}, ascii_only=True))
    else:
        seen = sorted({name for part in content.parts for name in part.seers if name in plan.names})
        print_results(results, Console(), every=plan.kind != "field", entries=content.parts[-1].entries, seers=seen)
        print_parts(content, Console())
        if ask_why and games:
            from .reports.why_text import print_why

            print_why(whys, limit, games, Console())
    if content.torn:
        torn = "{file}: the last {count} bytes are half a line and do not count"
        say(tr(torn, file=file, count=content.torn), err=True)
    for sentence in sentences:
        say(sentence, err=as_text)


def _write_files(
    results: Results,
    entries: Sequence[Entry],
    games: Path | None,
    limit: Limit | None,
    whys: "Sequence[Why]",
    *,
    table: Path | None,
    page: Path | None,
    title: str,
    plot: Path | None,
) -> list[str]:
    """Writes the files that were asked for; gets a sentence about each."""
    sentences = []
    if table:
        write_sheet(table, results, entries)
        sentences.append(tr("wrote {file}", file=table))
    if page:
        from .reports.page import write_page  # it loads the reviews

        write_page(page, results, games, entries, limit, whys, title)
        sentences.append(tr("wrote {file}", file=page))
    if plot:
        drawn = _draw(results, plot)
        sentences.append(tr("wrote {file}" if drawn else "{file}: there is nothing to draw", file=plot))
    return sentences


def _games_beside(file: Path, found: Found) -> Path | None:
    """Finds the games file that the match wrote last, where the results file lies or in this folder."""
    name = next(reversed(found.games), "")
    places = [file.with_name(name), Path(name)] if name else []
    return next((path for path in places if path.is_file()), None)


def _no_games(file: Path, found: Found) -> Message:
    if name := next(reversed(found.games), ""):
        moved = "--why: the games {name} of {file} are not beside it: name them with --games-file"
        return Message(moved, name=name, file=file)
    return Message("--why: no games were kept with {file}: play the match with --save-games FILE", file=file)


def _whys(results: Results, games: Path, limit: Limit | None, workers: Workers, quiet: bool) -> "list[Why]":
    from .reports.why import why_they_lost  # it loads the reviews

    try:
        return why_they_lost(results, games, limit, workers, quiet)
    except RecordError as error:
        raise InputError(str(error)) from None


def _draw(results: Results, plot: Path) -> bool:
    """Draws the course of a match, or the Elo of all players, if there is any."""
    try:
        if results.plan.open and results.standings:
            from .reports.picture import draw  # it loads matplotlib, as the course does

            return bool(draw(results.standings, plot))
        return bool(draw_course(results, plot))
    except (OSError, ValueError) as error:
        raise InputError(f"{plot}: it cannot be drawn: {reason_of(error)}") from None


if __name__ == "__main__":
    main()
