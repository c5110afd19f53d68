"""
Counts how many moves of recorded games are candidates of LessSplit, by margin: ``python -m tools lab margins FILE``.

A move counts where its seat had a choice and did not pass; a pass always is a candidate. Intervals treat moves as
independent.
"""

from collections import Counter
from collections.abc import Iterable
from math import sqrt
from pathlib import Path

import click
from rich.progress import track
from rich.table import Table

from ddzbot.less_split import fewest_after
from ddzbot.rules import legal_moves

from ..records.files import records_in
from ..records.record import GameRecord, RecordError
from ..shared.interrupts import Command
from ..shared.options import EXISTING_FILE
from ..shared.terminal import Console

MOST = 3
"""The largest margin: that of the thesis."""


def margins_of(record: GameRecord) -> Iterable[tuple[str, int]]:
    """Yields who moved, and by how many moves the rest of its hand needs more than the fewest, for each such move."""
    for ply in record.plies():
        game = ply.before
        hand, cards = game.hands[ply.seat], ply.move.cards
        is_known = ply.seat not in record.unknown_seats
        if is_known and cards and not ply.problem and len(legal_moves(record.rules, hand, game.to_beat)) > 1:
            fewest, after = fewest_after(record.rules, hand, [0, cards])
            yield record.names[record.position_of(ply.seat)] or "unknown", 1 + after - fewest


def table_of(found: dict[str, Counter[int]]) -> Table:
    """Makes the table: a row for each player, and one for all of them."""
    table = Table("player", "moves", *(f"margin {margin} %" for margin in range(MOST + 1)))
    for player, counter in {**found, "all": sum(found.values(), Counter())}.items():
        moves = counter.total()
        shares = [sum(counter[margin] for margin in range(most + 1)) / moves for most in range(MOST + 1)]
        cells = (f"{100 * share:.2f} ± {196 * sqrt(share * (1 - share) / moves):.2f}" for share in shares)
        table.add_row(player, f"{moves:,}", *cells)
    return table


@click.command(cls=Command)
@click.argument("file", type=EXISTING_FILE)
def main(file: Path) -> None:
    """Count how many moves in the games of FILE are candidates of LessSplit, by margin."""
    console = Console()
    by_player: dict[str, Counter[int]] = {}
    try:
        for record in track(records_in(file), "reading", total=None, console=console, transient=True):
            for player, margin in margins_of(record) if record.landlord_position is not None else ():
                by_player.setdefault(player, Counter())[margin] += 1
    except RecordError as error:
        raise click.ClickException(str(error)) from None
    if not by_player:
        raise click.ClickException(f"{file}: no move with a choice was made with a known hand")
    console.print(table_of(by_player))
