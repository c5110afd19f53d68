"""
Make one HTML page of recorded games: cards, moves, and what the bots thought. It works offline, in any browser.

    python -m tools view records/last.jsonl --open
    python -m tools view --open
    python -m tools view games.jsonl --number 2-5 --out games.html --limit 2000p

Without RECORD it is the newest game in the folder records.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from ddzbot.game import SEAT_NAMES, SEATS
from ddzbot.search.limit import Limit

from ...records.files import STANDARD_INPUT, games_in
from ...records.newest import newest_game
from ...records.record import GameRecord, RecordError
from ...records.thoughts import Thought
from ...shared.bars import progress_bar
from ...shared.browser import show_page
from ...shared.errors import InputError
from ...shared.interrupts import Command
from ...shared.language import tr
from ...shared.limits import typed_limit
from ...shared.message import Message
from ...shared.options import FILE, numbers_option
from ...shared.paths import move_calls
from ...shared.terminal import Console, say
from .game_data import game_data, seen_by
from .render import check_page, write_replay
from .suits import CardIds, card_ids
from .thoughts import thought_of_analysis

ANALYSED_MOVES = 1000
"""All that an analysis has: one that was played may be far from the best."""

LONGEST_LIST = 6
"""Games that are named one by one when the page is done."""

console = Console(stderr=True)


@click.command(help=__doc__, cls=Command, in_chinese=True)
@click.argument("record", required=False, type=FILE)
@click.option("--out", type=FILE, help="The page.  [default: RECORD with .html]")
@numbers_option("Which game, as 3, or which ones, as 2-8, on a page with a menu; repeatable.  [default: 1]")
@click.option(
    "--limit", help="Analyse each move for that long, as 2000p or 0.5s; Ctrl-C stops, and the page keeps what is done."
)
@click.option("--seat", type=click.Choice(SEAT_NAMES), help="Put into the page only what this seat has seen.")
@click.option("--open", "show", is_flag=True, help="Open the page in the browser.")
def main(
    record: Path | None,
    out: Path | None,
    numbers: tuple[range, ...],
    limit: str | None,
    seat: str | None,
    show: bool,
) -> None:
    """Make the page."""
    try:
        record, number = (record, 1) if record else newest_game()
    except RecordError as error:
        raise InputError(str(error)) from None
    target = out or _page_name(record)
    if target.resolve() == record.resolve():
        raise InputError(Message("{file}: the page would take the place of the record", file=target))
    try:
        budget = None if limit is None else typed_limit(limit)
        games, ids, among = _chosen(games_in(record), numbers or (range(number, number + 1),))
        if seat is not None:
            games = {number: seen_by(game, SEAT_NAMES.index(seat)) for number, game in games.items()}
    except ValueError as error:
        raise InputError(str(error)) from None
    check_page(target)
    thoughts = {} if budget is None else _analyses(games, budget)
    data = [
        game_data(game, number, ids[number], thoughts.get(number)) | {"calls": move_calls(str(record), number)}
        for number, game in games.items()
    ]
    write_replay(target, data, str(record))
    say(_summary(target, games, among))
    if show:
        show_page(target)


def _chosen(
    games: Iterable[tuple[GameRecord, Any]], numbers: Sequence[range]
) -> tuple[dict[int, GameRecord], dict[int, CardIds | None], int]:
    """Picks the games of these numbers, in their order, with the ids of their cards, and counts all."""
    picked, ids, number = {}, {}, 0
    for number, (record, value) in enumerate(games, 1):
        if any(number in some for some in numbers):
            picked[number], ids[number] = record, card_ids(value)
    for some in numbers:
        if (highest := some[-1]) > number:
            raise RecordError(Message("there is no game {number}: the file has {count}", number=highest, count=number))
    return {game_number: picked[game_number] for some in numbers for game_number in some}, ids, number


def _page_name(record: Path) -> Path:
    if record == STANDARD_INPUT:
        return Path("game.html")
    bare = record.with_suffix("") if record.suffix == ".gz" else record
    return bare.with_suffix(".html")


def _summary(target: Path, games: dict[int, GameRecord], among: int) -> str:
    kilobytes = -(-target.stat().st_size // 1000)
    which = Message("one game")
    if len(games) > LONGEST_LIST:
        which = Message("{count} games of {all}", count=len(games), all=among)
    elif among > 1:
        which = Message("game {numbers} of {all}", numbers=", ".join(map(str, games)), all=among)
    moves = sum(len(game.moves) for game in games.values())
    return Message("{file}: {games}, {moves} moves, {size} KB", file=target, games=which, moves=moves, size=kilobytes)


def _analyses(games: dict[int, GameRecord], limit: Limit) -> dict[int, dict[int, Thought]]:
    """
    Analyses every move of a player with a known hand; an interrupt keeps what is done.

    Where a record contradicts itself, as after an illegal move, there is nothing to analyse.
    """
    # Only here, because an analysis loads the kernel and a network.
    from ..analyse.analyse import AnalysisError, analyse

    thoughts: dict[int, dict[int, Thought]] = {number: {} for number in games}
    todo = [(number, ply) for number, game in games.items() for ply in _analysable(game)]
    with progress_bar(console=console) as bar:
        task = bar.add_task(tr("analysing"), total=len(todo))
        try:
            for number, ply in todo:
                with suppress(AnalysisError):
                    analysis = analyse(games[number].view(ply), limit, seed=0, top=ANALYSED_MOVES)
                    thoughts[number][ply] = thought_of_analysis(analysis, games[number].moves[ply].cards)
                bar.advance(task)
        except KeyboardInterrupt:
            done = sum(map(len, thoughts.values()))
            console.print(tr("stopped: {done} of {all} moves are analysed", done=done, all=len(todo)))
    return thoughts


def _analysable(record: GameRecord) -> list[int]:
    """Lists the moves of players with a known hand."""
    unknown = record.unknown_seats
    return [ply for ply in range(len(record.moves)) if ply % SEATS not in unknown]


if __name__ == "__main__":
    main()
