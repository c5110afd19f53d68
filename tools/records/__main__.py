"""Converts files of game records, and checks the moves by the rules."""

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import click
from rich.table import Table

from ddzbot.rules import RULE_SETS, rule_set

from ..shared.errors import InputError
from ..shared.interrupts import Group
from ..shared.options import FILE
from ..shared.plain import plain_lines
from ..shared.terminal import Console, say
from .check import Summary, under_rules
from .files import READABLE, WRITABLE, chosen, format_of, records_in, texts_of, write_records
from .record import NO_NOTE, GameRecord, RecordError

FINE, PROBLEMS, BAD_INPUT = 0, 1, 2

STANDARD_OUTPUT = "-"

RULES = click.Choice(list(RULE_SETS))


@click.group(cls=Group)
def main() -> None:
    """
    Reads and writes game records.

    A file name ends in .ddzn (text), .jsonl or .json (records, the judge's records, logs), .html (the page of a match)
    or .icga (the championship's protocol), and perhaps in .gz after that.
    """


@main.command()
@click.argument("source", metavar="IN", type=FILE)
@click.argument("target", metavar="OUT")
@click.option("--from", "source_form", type=click.Choice(READABLE), help="Format of IN, if its name does not say it.")
@click.option("--to", "target_form", type=click.Choice(WRITABLE), help="Format of OUT, if its name does not say it.")
@click.option("--game", "number", type=click.IntRange(1), help="Only this game, from 1.")
@click.option("--bare", is_flag=True, help="Leave out what was noted about the moves.")
def convert(
    source: Path,
    target: str,
    source_form: str | None,
    target_form: str | None,
    number: int | None,
    bare: bool,
) -> None:
    """Convert the games of IN into the format of OUT; as OUT, - is the standard output."""
    try:
        records: Iterable[GameRecord] = records_in(source, source_form)
        if number is not None:
            records = [chosen(records, number)]
        if bare:
            records = map(without_notes, records)
        if target == STANDARD_OUTPUT:
            for text in texts_of(records, target_form or "text"):
                click.echo(plain_lines(text), nl=False)
        else:
            written = write_records(Path(target), records, target_form or format_of(Path(target)))
            say(f"{target}: {written} games")
    except RecordError as error:
        raise InputError(str(error)) from None


@main.command()
@click.argument("file", type=FILE)
@click.option("--from", "form", type=click.Choice(READABLE), help="Format of FILE, if its name does not say it.")
@click.option("--rules", type=RULES, help="Check under this rule set, whatever the records say.")
@click.option("--quiet", is_flag=True, help="Only the counts.")
def check(file: Path, form: str | None, rules: str | None, quiet: bool) -> None:
    """
    Replay all games of FILE, and list illegal moves and results that are not those of the moves.

    Exit status: 0 if there are none, 1 if there are some, 2 if FILE cannot be understood.
    """
    summary = Summary()
    try:
        records = records_in(file, form)
        for number, record in enumerate(records, 1):
            found = summary.add(under_rules(record, rule_set(rules)) if rules else record)
            for problem in () if quiet else found:
                say(f"game {number}, {problem}")
    except RecordError as error:
        raise InputError(str(error)) from None
    _print_summary(summary)
    sys.exit(PROBLEMS if summary.problems else FINE)


def _print_summary(summary: Summary) -> None:
    say(
        f"{summary.games} games, {summary.moves} moves, {summary.illegal} illegal moves"
        f" in {summary.games_with_illegal} games, {summary.problems} problems in all"
    )
    if summary.reasons:
        table = Table("illegal moves", "why", box=None)
        for reason, number in summary.reasons.most_common():
            table.add_row(str(number), reason)
        Console().print(table)


def without_notes(record: GameRecord) -> GameRecord:
    """Gets the record without seconds, values, debug and comments."""
    return replace(record, moves=tuple(move._replace(note=NO_NOTE) for move in record.moves))


if __name__ == "__main__":
    main()
