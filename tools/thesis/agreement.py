"""
Measures how well a setting of the player ``mctshs`` agrees with logged searches of another program, move by move.

    python -m tools.thesis.agreement mctshs_decisions.jsonl.gz --setting thesis --positions 100
    python -m tools.thesis.agreement mctshs_decisions.jsonl.gz --change worlds=0 --change ripe=1000000

Each line of the file is a JSON object: ``seat``, its ``hand``, the hands at the start by seat (``hands0``, null where
unknown), the moves so far (``history``), and ``candidates`` with ``visits`` and ``sum`` of each. In every position the
means of our candidates are correlated with those of the log, and with those of a second search of ours from another
seed: what the second number lacks to 1 is our own noise, and no other program can be expected to agree better.
"""

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
from rich.progress import track
from rich.table import Table

from ddzbot.cards import CardsError
from ddzbot.kernel import native
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.library import KernelError
from ddzbot.players.mctshs import SETTINGS, Setting
from ddzbot.search.deadline import Deadline
from ddzbot.search.limit import Limit
from ddzbot.search.slices import Found
from ddzbot.search.tree import TreeSearch
from ddzbot.view import View

from ..shared.interrupts import Command
from ..shared.terminal import Console
from .logged import RowError, move_name, rows_in, view_of

FEWEST = 5
"""Moves that both searches must have valued: a correlation of fewer says little."""

PERCENTILES = (5, 25, 50, 75, 95)


class Position(NamedTuple):
    """A logged decision."""

    view: View
    means: dict[str, float]
    """What the log's simulations paid on average, by move."""


class Agreement(NamedTuple):
    """What was found in all positions; one number or answer each."""

    correlations: list[float]
    same_move: list[bool]
    """Whether both searches have the same best move."""


def position_of(row: dict[str, Any]) -> Position | None:
    """
    Reads a row; None where its cards cannot be read or contradict each other, the game is over, or
    there are too few candidates.

    :raises RowError: if it is not a decision.
    """
    view = view_of(row)
    try:
        values = {move: known["sum"] / known["visits"] for move, known in row["candidates"].items()}
    except (KeyError, TypeError, AttributeError, ZeroDivisionError) as error:
        raise RowError(f"this is not a decision: {type(error).__name__}: {error}") from None
    if view is None or len(values) < FEWEST:
        return None
    try:
        return Position(view, {move_name(move): value for move, value in values.items()})
    except CardsError:
        return None


def read_positions(path: Path) -> tuple[list[Position], int]:
    """
    Reads all positions of a file, and counts the rows that have none.

    :raises RowError: for a file that cannot be read; the sentence names the line.
    """
    found = []
    for number, row in rows_in(path):
        try:
            found.append(position_of(row))
        except ValueError as error:
            raise RowError(f"{path}, line {number}: {error}") from None
    return [position for position in found if position], found.count(None)


def searched(kernel: Kernel, view: View, setting: Setting, seed: int) -> Found:
    """Searches a view with as many playouts as *setting* gives it without a limit."""
    search = TreeSearch(kernel, view, setting.options, seed, setting.final)
    return search.run(Deadline(Limit(playouts=setting.playouts(search.arms))))


def correlation(ours: dict[str, float], theirs: dict[str, float]) -> float | None:
    """Correlates the means of the moves that both have; None if they are too few, or all the same."""
    both = [move for move in theirs if move in ours]
    pairs = np.array([(ours[move], theirs[move]) for move in both])
    if len(both) < FEWEST or not np.ptp(pairs, axis=0).all():
        return None
    return float(np.corrcoef(pairs.T)[0, 1])


def compare(kernel: Kernel, positions: Iterable[Position], setting: Setting) -> tuple[Agreement, Agreement]:
    """Searches every position twice; returns how the first agrees with the log, and with the second."""
    with_log, with_itself = Agreement([], []), Agreement([], [])
    for seed, position in enumerate(positions):
        first, second = (searched(kernel, position.view, setting, 2 * seed + more) for more in (0, 1))
        means = {str(one.move): one.mean for one in first.moves}
        again = {str(one.move): one.mean for one in second.moves if str(one.move) in position.means}
        best = max(position.means, key=lambda move: position.means[move])
        add(with_log, correlation(means, position.means), str(first.move) == best)
        add(with_itself, correlation(means, again), first.move == second.move)
    return with_log, with_itself


def add(agreement: Agreement, found: float | None, same: bool) -> None:
    """Adds a position."""
    agreement.same_move.append(same)
    if found is not None:
        agreement.correlations.append(found)


def table_of(rows: dict[str, Agreement]) -> Table:
    """Makes the table: percentiles of the correlations, and the share of the same best move."""
    table = Table()
    for heading in ("with", "n", *(f"{each} %" for each in PERCENTILES), "same"):
        table.add_column(heading, justify="left" if heading == "with" else "right", no_wrap=True)
    for name, agreement in rows.items():
        figures = np.percentile(agreement.correlations, PERCENTILES)
        same = f"{100 * np.mean(agreement.same_move):.1f} %"
        table.add_row(name, f"{len(agreement.correlations)}", *(f"{each:.3f}" for each in figures), same)
    return table


def _changed(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, Any]:
    known = SETTINGS["thesis"].options._fields
    changes: dict[str, Any] = {}
    for value in values:
        name, _, number = value.partition("=")
        if name not in known or not number.isdecimal():
            raise click.BadParameter(f"{value} is not NAME=NUMBER; the names are {', '.join(known)}")
        changes[name] = int(number)
    return changes


@click.command(cls=Command)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--setting", default="thesis", type=click.Choice(list(SETTINGS)), help="The setting of mctshs.")
@click.option("--change", multiple=True, callback=_changed, metavar="NAME=NUMBER", help="Another search option.")
@click.option("--positions", default=100, type=click.IntRange(1), help="How many positions are drawn.")
@click.option("--seed", default=1, help="Which positions are drawn.")
def main(file: Path, setting: str, change: dict[str, Any], positions: int, seed: int) -> None:
    """Compare the searches logged in FILE with ours."""
    console = Console()
    kernel = native()
    if kernel is None:
        raise click.ClickException("there is no kernel to search with: python -m tools.release.build_kernel makes one")
    chosen = SETTINGS[setting]
    chosen = chosen._replace(options=chosen.options._replace(**change))
    try:
        known, without = read_positions(file)
        drawn = random.Random(seed).sample(known, min(positions, len(known)))
        with_log, with_itself = compare(kernel, track(drawn, "searching", console=console, transient=True), chosen)
    except (RowError, KernelError) as error:
        raise click.ClickException(str(error)) from None
    if not with_log.correlations or not with_itself.correlations:
        raise click.ClickException(f"{file}: no position with {FEWEST} moves that both searches value differently")
    words = "".join(f", {name}={number}" for name, number in change.items())
    console.print(f"Correlations of the means of the root's moves, setting {setting}{words}:", highlight=False)
    console.print(table_of({"the log": with_log, "another seed": with_itself}))
    console.print(
        f"{len(drawn)} of {len(known)} positions; {without} rows have no position to compare", highlight=False
    )


if __name__ == "__main__":
    main()
