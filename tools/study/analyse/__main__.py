"""
Analyse positions: how good each move is, how the game may continue, and where the hidden cards are.

    python -m tools analyse < queries.jsonl
    python -m tools analyse --human "botzone 0 56689TTJJJQQKAAB 5JJ -@0 3334,3444,999T,-,-,55667788,-,-,K"
    python -m tools analyse records/last.jsonl --move 7
"""

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from ddzbot.players.mctshs import USUAL_PLAYOUTS
from ddzbot.rules import Move
from ddzbot.search.limit import Limit
from ddzbot.view import View

from ...records.files import chosen, records_in
from ...records.notation import view_text
from ...records.record import GameRecord, RecordError
from ...shared.bounds import LONGEST_QUERY, UnreadableError, text_line
from ...shared.compiling import kernel_at_start
from ...shared.errors import InputError
from ...shared.interrupts import INTERRUPTED, Command
from ...shared.json_text import json_text, parse_json
from ...shared.language import tr
from ...shared.machine import cores
from ...shared.message import Message, prose
from ...shared.options import number_option, read_limit
from ...shared.paths import call_of
from ...shared.plain import plain_lines
from .query import MOST_PLAYOUTS, MOST_SECONDS, MOST_SEED, MOST_TOP, Defaults, Query, QueryError

BAD_INPUT = 2


def _read_limit(context: click.Context, parameter: click.Parameter, value: str) -> Limit:
    limit = read_limit(context, parameter, value)
    if (limit.seconds or 0) > MOST_SECONDS or (limit.playouts or 0) > MOST_PLAYOUTS:
        most = "a position has at most {seconds}s or {playouts}p"
        raise click.BadParameter(Message(most, seconds=MOST_SECONDS, playouts=MOST_PLAYOUTS))
    return limit


@click.command(context_settings={"show_default": True}, cls=Command, in_chinese=True)
@click.argument("position", required=False)
@click.option("--move", type=click.IntRange(1), help="Analyse this move of a game of the file POSITION, for people.")
@number_option
@click.option("--human", is_flag=True, help="Analyse one POSITION, or stdin, and print it for people.")
@click.option(
    "--limit",
    default=f"{USUAL_PLAYOUTS}p",
    callback=_read_limit,
    help="Limit per position: 5000p, 1s, or both with a comma.",
)
@click.option("--only", multiple=True, metavar="NAME", help="Analyse only this move, or these: 99,TT,pass; repeatable.")
@click.option("--top", type=click.IntRange(1, MOST_TOP), default=5, help="Report at most this many moves.")
@click.option("--seed", type=click.IntRange(0, MOST_SEED), default=0, help="Seed of the search.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    default=None,
    help="Number of queries to work on at once.  [default: one a core]",
)
def main(
    position: str | None,
    move: int | None,
    number: int,
    human: bool,
    limit: Limit,
    only: tuple[str, ...],
    top: int,
    seed: int,
    jobs: int | None,
) -> None:
    """
    Analyse positions: how good each move is, how it may continue, and where the hidden cards are.

        python -m tools analyse --human "botzone 0 56689TTJJJQQKAAB 5JJ -@0 3334,3444,999T,-,-,55667788,-,-,K"
        python -m tools analyse records/last.jsonl --move 7
        python -m tools analyse < queries.jsonl

    Without POSITION, JSON queries come from stdin, one a line, and answers go to stdout as soon as they are known.
    POSITION, or stdin with --human, is a view or a position in one line, or one query. A query's own limits count more
    than those given here. docs/guide/analyse.md has the fields. With --move it is a file of games, and the
    position is what the seat knew that made this move.
    """
    usual = Defaults(limit, top, seed)
    made = None
    if move is not None:
        position, made = _position_of(position, number, move)
        human = True
    if only and not human and position is None:
        raise click.UsageError(Message("--only goes with a POSITION; a query on stdin has the field only"))
    try:
        kernel_at_start()
        if human or position is not None:
            _answer_one(position, human, usual, only, made)
        else:
            _serve(jobs or cores(), usual)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    if move is not None:
        same = tr("The same position: {command}", command=call_of("analyse", "--human", str(position)))
        click.echo(plain_lines(f"\n{same}"))


def _position_of(file: str | None, number: int, move: int) -> tuple[str, Move | None]:
    """Gets in one line what the seat knew that made a move of a recorded game, and the move if it was made."""
    if file is None:
        raise click.UsageError(Message("--move needs the file of a game"))
    try:
        record = chosen(records_in(Path(file)), number)
        made = next((ply.move for ply in record.plies() if ply.number == move - 1), None)
        return view_text(_view_at(record, move)), made
    except RecordError as error:
        raise InputError(str(error)) from None


def _view_at(record: GameRecord, move: int) -> View:
    """Gets what the mover knew; where a game continues, its next move counts too."""
    moves = len(record.moves) + (record.result.winner is None)
    if move > moves:
        raise RecordError(Message("there is no move {number}: the game has {count}", number=move, count=moves))
    return record.view(move - 1)


def _serve(jobs: int, usual: Defaults) -> None:
    # Imported here, as each analysing process imports this module too.
    from .serve import serve

    serve(jobs, usual)


def _answer_one(position: str | None, human: bool, usual: Defaults, only: Sequence[str], made: Move | None) -> None:
    """Analyses one position in this process and prints it."""
    from .analyse import AnalysisError, analyse_any

    query = query_of(position if position is not None else _first_line(), usual, only)
    try:
        analysis = analyse_any(query.view, query.limit, seed=query.seed, top=query.top, only=query.only, made=made)
    except AnalysisError as error:
        raise InputError(str(error)) from None
    if not human:
        click.echo(json_text({"id": query.id, **analysis.as_json()}, ascii_only=True))
        return
    from ...shared.terminal import Console
    from .screen import show

    show(Console(), query.view, analysis, made)


def _first_line() -> str:
    try:
        lines = iter(partial(text_line, sys.stdin.buffer, LONGEST_QUERY), "")
        return next((line for line in lines if line.strip()), "")
    except UnreadableError as error:
        problem = Message("{file}: {problem}", file=Message("standard input"), problem=prose(error))
        raise InputError(problem) from None


def query_of(text: str, usual: Defaults, only: Sequence[str] = ()) -> Query:
    """
    Reads a view or a position in one line, or a JSON query, which needs no id here; *only* names moves.

    :raises InputError: for what is neither.
    """
    from .query import parse_query

    if len(text) > LONGEST_QUERY:
        raise InputError(Message("the line is longer than {count} bytes", count=LONGEST_QUERY))
    text = text.strip()
    if not text:
        raise InputError(Message("there is no position to analyse"))
    try:
        fields = parse_json(text) if text.startswith("{") else {_notation(text): text}
        moves_named = {"only": [word.strip() for listing in only for word in listing.split(",")]} if only else {}
        query = parse_query({"id": 1, **moves_named, **fields}, usual)
    except QueryError as error:
        raise InputError(str(error)) from None
    except ValueError as error:
        raise InputError(Message("this is not JSON: {why}", why=prose(error))) from None
    if not isinstance(query, Query):
        raise InputError(Message("there is nothing to terminate"))
    return query


def _notation(text: str) -> str:
    """Names the field for a one-line notation: positions have seven words."""
    return "position" if len(text.split(" ")) == 7 else "view"


if __name__ == "__main__":
    main()
