"""
Find the mistakes in recorded games: how much worse each move was than the best one, by the champion's analysis.

    python -m tools review game.ddzn --page game.html --open
    python -m tools review games/ --limit network

Without FILE it is the newest game in the folder records.

Each decision is analysed from what its seat knew, and each bid by what the network expects of it. The loss is what the
best move is worth more than the move that was made: in winning chances, or in points where these decide. A loss within
two standard errors is no mistake. It is *proved* where another move would have won for certain, and this one loses
with the hands that the others really had.
"""

import functools
from collections.abc import Sequence
from pathlib import Path

import click

from ddzbot.search.limit import Limit

from ...records.newest import newest_game
from ...records.record import RecordError
from ...records.sources import SourceGame, source_games
from ...shared.bars import progress_bar
from ...shared.bounds import unwritable
from ...shared.browser import show_page
from ...shared.compiling import kernel_at_start
from ...shared.errors import InputError
from ...shared.interrupts import Command
from ...shared.json_text import json_text
from ...shared.language import tr
from ...shared.limits import typed_limit
from ...shared.message import Message
from ...shared.options import FILE, numbers_option
from ...shared.paths import call_of, move_calls
from ...shared.storage.whole_file import check_target
from ...shared.terminal import Console, say
from ...shared.work.workers import Workers, worker_options
from .bids import bid_reviews
from .decisions import Reviewed, decisions, reviewer_of
from .model import REVIEW_LIMIT, Review
from .processes import Task, review_all
from .screen import show

NETWORK = "network"
"""The limit at which the network alone judges."""
MOST_ON_A_PAGE = 100
"""Games of one page, which holds some 120 KB of each."""
WIDTH = 110


@click.command(cls=Command, in_chinese=True, help=__doc__)
@click.argument("paths", metavar="FILE|FOLDER...", nargs=-1, type=click.Path(path_type=Path))
@numbers_option("Only this game (3) or these games (2-8), counted over all files. Repeatable.")
@click.option(
    "--limit",
    default=REVIEW_LIMIT,
    show_default=True,
    help="Limit per move: 5000p or 0.5s; network means no search.",
)
@click.option("--seed", default=0, show_default=True, help="Seed of the analyses.")
@worker_options("Processes that review.", usual=1, most=256)
@click.option("--page", type=FILE, help="Also write an HTML page of the games.  [with --open: FILE.review.html]")
@click.option("--open", "open_page", is_flag=True, help="Open the page in the browser.")
@click.option("--all", "everything", is_flag=True, help="List every decision, not only those with a mark.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per decision.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def main(
    paths: tuple[Path, ...],
    numbers: tuple[range, ...],
    limit: str,
    seed: int,
    workers: Workers,
    page: Path | None,
    open_page: bool,
    everything: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Review all games of files."""
    try:
        budget = None if limit == NETWORK else typed_limit(limit)
        if not paths:
            file, number = newest_game()
            paths, numbers = (file,), numbers or (range(number, number + 1),)
        games = _chosen(paths, numbers)
    except ValueError as error:
        raise InputError(str(error)) from None
    if open_page and page is None:
        page = paths[0].with_suffix(".review.html")
    if page is not None:
        _check_page(page, games)
    kernel_at_start()
    judged = _review_games(games, budget, seed, workers, quiet, page is None)
    for fallback in sorted({reviewer_of(decision) for decision in judged} - {""}):
        say(tr("not by the champion, which cannot play here, but by: {name}", name=fallback), err=True)
    reviews = _with_bids(games, judged)
    if page is not None:
        _write_page(page, games, judged, budget, reviews)
    if as_json:
        files = {game.number: str(game.file) for game in games}
        for review in reviews:
            click.echo(json_text({"file": files[review.game], **review.as_json()}))
    else:
        show(Console(width=WIDTH), reviews, everything, {game.number: (str(game.file), game.place) for game in games})
        if len(paths) == 1 and any(review.mark for review in reviews):
            say(tr("practise these mistakes: {command}", command=call_of("play", "--learn", str(paths[0]))))
    if page is not None and not as_json:
        count = Message("one game") if len(games) == 1 else Message("{count} games", count=len(games))
        say(tr("{file}: {games}, {size} KB", file=page, games=count, size=-(-page.stat().st_size // 1000)))
    if open_page and page is not None:
        show_page(page)


def _chosen(paths: Sequence[Path], numbers: Sequence[range]) -> list[SourceGame]:
    """Reads the games; with *numbers* only these, counted over all files."""
    games = list(source_games(paths, say=functools.partial(say, err=True)))
    for span in numbers:
        if span[-1] > len(games):
            message = Message("there is no game {number}: the files have {count}", number=span[-1], count=len(games))
            raise RecordError(message)
    return [game for game in games if not numbers or any(game.number in span for span in numbers)]


def _review_games(
    games: Sequence[SourceGame], limit: Limit | None, seed: int, workers: Workers, quiet: bool, numbers_only: bool
) -> list[Reviewed]:
    """Reviews all games."""
    todo = [Task(game.record, game.number, ply) for game in games for ply in decisions(game.record)]
    with progress_bar(console=Console(stderr=True), disable=quiet, transient=True) as bar:
        task = bar.add_task(tr("reviewing"), total=len(todo))
        results = review_all(todo, limit, seed, workers, lambda: bar.advance(task), numbers_only)
        return [result for result in results if result is not None]


def _with_bids(games: Sequence[SourceGame], judged: Sequence[Reviewed]) -> list[Review]:
    """Lists all reviews, those of a game's bids first."""
    by_game = {game.number: bid_reviews(game.record, game.number) for game in games}
    for decision in judged:
        by_game[decision.review.game].append(decision.review)
    return [review for reviews in by_game.values() for review in reviews]


# The page.


def _check_page(page: Path, games: Sequence[SourceGame]) -> None:
    """Refuses before hours of thought what would be refused after them."""
    if len(games) > MOST_ON_A_PAGE:
        template = "--page {file}: {count} games are too many for a page: choose {most}, as with --number 1-{most}"
        raise InputError(Message(template, file=page, count=len(games), most=MOST_ON_A_PAGE))
    if any(page.resolve() == game.file.resolve() for game in games):
        raise InputError(Message("{file}: the page would take the place of the record", file=page))
    if not page.resolve().parent.is_dir():
        raise InputError(Message("{file}: there is no folder {folder}", file=page, folder=page.resolve().parent))
    try:
        check_target(page)
    except OSError as error:
        raise InputError(unwritable(page, error)) from None


def _write_page(
    page: Path, games: Sequence[SourceGame], judged: Sequence[Reviewed], limit: Limit | None, reviews: Sequence[Review]
) -> None:
    # Only here, because most reviews are read in the terminal.
    from ..view.render import put_page
    from ..view.suits import card_ids
    from .page import page_entry, review_page, reviewed_game

    data = [
        reviewed_game(
            game.record,
            game.number,
            [page_entry(decision) for decision in judged if decision.review.game == game.number],
            card_ids(game.value),
        )
        | {"calls": move_calls(str(game.file), game.place)}
        for game in games
    ]
    html = review_page(data, limit or Limit(), reviews if len(games) > 1 else ())
    put_page(page, html)


if __name__ == "__main__":
    main()
