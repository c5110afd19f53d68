"""Check the moves of game records by the rules."""

import sys
from pathlib import Path

import click
from rich.table import Table

from ddzbot.rules import rule_set

from ..shared.errors import InputError
from ..shared.interrupts import Group
from ..shared.options import FILE, RULES
from ..shared.terminal import Console, say
from .check import Summary, under_rules
from .files import records_in
from .record import RecordError

FINE, PROBLEMS, BAD_INPUT = 0, 1, 2


@click.group(cls=Group)
def main() -> None:
    """
    Check game records: text, JSON (records, the judge's records, logs), pages of matches, and lines of the
    championship's protocol, perhaps with .gz.
    """


@main.command()
@click.argument("file", type=FILE)
@click.option("--rules", type=RULES, help="Check under this rule set, whatever the records say.")
@click.option("--quiet", is_flag=True, help="Only the counts.")
def check(file: Path, rules: str | None, quiet: bool) -> None:
    """
    Replay all games of FILE, and list illegal moves and results that are not those of the moves.

    Exit status: 0 if there are none, 1 if there are some, 2 if FILE cannot be understood.
    """
    summary = Summary()
    try:
        records = records_in(file, None)
        for number, record in enumerate(records, 1):
            problems = summary.add(under_rules(record, rule_set(rules)) if rules else record)
            for problem in () if quiet else problems:
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
        for reason, count in summary.reasons.most_common():
            table.add_row(str(count), reason)
        Console().print(table)


if __name__ == "__main__":
    main()
