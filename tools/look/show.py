"""
Shows a recorded game in the terminal, move by move.

    python -m tools show records/last.jsonl --game 1 --seat landlord_down --step
"""

from pathlib import Path

import click

from ddzbot.game import SEAT_NAMES

from ..records.files import READABLE, chosen, records_in
from ..records.record import RecordError
from ..records.screen import draw_record
from ..shared.errors import InputError
from ..shared.interrupts import Command
from ..shared.terminal import Console

BAD_INPUT = 2


@click.command(help=__doc__, cls=Command)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--from", "form", type=click.Choice(READABLE), help="Format of FILE, if its name does not say it.")
@click.option("--game", "number", type=click.IntRange(1), default=1, show_default=True, help="Which game, from 1.")
@click.option("--seat", type=click.Choice(SEAT_NAMES), help="Show only what this seat has seen.")
@click.option("--debug", is_flag=True, help="Print what the players said about their moves.")
@click.option("--step", is_flag=True, help="Wait for a key after each move, in a terminal.")
def main(file: Path, form: str | None, number: int, seat: str | None, debug: bool, step: bool) -> None:
    """Shows one game of FILE."""
    viewer = None if seat is None else SEAT_NAMES.index(seat)
    try:
        record = chosen(records_in(file, form), number)
        # Without a terminal click waits for nobody.
        draw_record(Console(), record, viewer, debug, (lambda: click.pause(info="")) if step else (lambda: None))
    except RecordError as error:
        raise InputError(str(error)) from None


if __name__ == "__main__":
    main()
