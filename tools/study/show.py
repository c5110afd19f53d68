"""
Show a recorded game in the terminal, move by move.

    python -m tools show records/last.jsonl --number 2 --seat landlord_down --step
"""

from pathlib import Path

import click

from ddzbot.game import SEAT_NAMES

from ..records.files import chosen, records_in
from ..records.record import RecordError
from ..records.screen import draw_record
from ..shared.errors import InputError
from ..shared.interrupts import Command
from ..shared.options import FILE, number_option
from ..shared.terminal import Console

BAD_INPUT = 2


@click.command(help=__doc__, cls=Command, in_chinese=True)
@click.argument("file", type=FILE)
@number_option
@click.option("--seat", type=click.Choice(SEAT_NAMES), help="Show only what this seat has seen.")
@click.option("--thoughts", is_flag=True, help="Print the players' comments on their moves.")
@click.option("--step", is_flag=True, help="Wait for a key after each move, in a terminal.")
def main(file: Path, number: int, seat: str | None, thoughts: bool, step: bool) -> None:
    """Show one game of FILE."""
    viewer = None if seat is None else SEAT_NAMES.index(seat)
    try:
        record = chosen(records_in(file), number)
        # Without a terminal click does not wait.
        draw_record(Console(), record, viewer, thoughts, (lambda: click.pause(info="")) if step else (lambda: None))
    except RecordError as error:
        raise InputError(str(error)) from None


if __name__ == "__main__":
    main()
