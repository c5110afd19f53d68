"""
Counts how often a player makes the move that another program made, by seat.

    python -m tools.thesis.logged_moves mcm_decisions.jsonl.gz mcm:search=none mcm --limit 0.1s --positions 1000

Each line of the file is a JSON object: ``seat``, its ``hand``, the hands at the start by seat (``hands0``, null where
unknown), the moves so far (``history``), and the move that was ``played``. Positions with one legal move are left out,
since there everybody agrees.
"""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
from rich.progress import Progress
from rich.table import Table
from scipy.stats import binomtest

from ddzbot.cards import CardsError
from ddzbot.engine import forced_move
from ddzbot.game import SEAT_NAMES
from ddzbot.search.limit import Limit
from ddzbot.view import View

from ..shared.contestants import parse_contestant
from ..shared.interrupts import Command
from ..shared.limits import parse_limit
from ..shared.processes import run_in_pool
from ..shared.terminal import Console
from .logged import RowError, move_name, rows_in, view_of


class Logged(NamedTuple):
    """A logged decision with a choice."""

    view: View
    played: str
    """The move, as this project writes it."""


def read_decisions(path: Path) -> tuple[list[Logged], int]:
    """
    Reads the decisions of a file that had a choice, and counts the rows that are none.

    :raises RowError: for a file that cannot be read; the sentence names the line.
    """
    found, rows = [], 0
    for number, row in rows_in(path):
        rows += 1
        try:
            view, played = view_of(row), move_name(row["played"])
        except CardsError:
            continue
        except (RowError, KeyError, TypeError, AttributeError) as error:
            raise RowError(f"{path}, line {number}: this is not a decision: {error}") from None
        if view is not None and forced_move(view) is None:
            found.append(Logged(view, played))
    return found, rows - len(found)


def agrees(spec: str, limit: Limit, decision: Logged) -> bool:
    """Checks if a player makes the move that was logged."""
    contestant = parse_contestant(spec)
    return str(contestant.engine().choose(decision.view, limit).move) == decision.played


def _task(task: tuple[int, tuple[str, str, Logged]]) -> bool:
    spec, limit, decision = task[1]
    return agrees(spec, parse_limit(limit), decision)


def compare(specs: Sequence[str], limit: str, decisions: Sequence[Logged], jobs: int) -> dict[str, list[bool]]:
    """Asks every player for every decision; gets whether it agreed, in the order of *decisions*."""
    tasks = [(spec, limit, decision) for spec in specs for decision in decisions]
    answers: dict[int, bool] = {}
    with Progress(console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("asking", total=len(tasks))

        def done(task: tuple[int, Any], same: bool) -> None:
            answers[task[0]] = same
            progress.advance(bar)

        run_in_pool(jobs, _task, enumerate(tasks), done, name=lambda task: f"decision {task[0]}")
    count = len(decisions)
    return {spec: [answers[number * count + at] for at in range(count)] for number, spec in enumerate(specs)}


def table_of(found: dict[str, list[bool]], decisions: Sequence[Logged]) -> Table:
    """Makes the table: the share of the same moves with its 95 % interval, by player and seat."""
    table = Table()
    for heading in ("player", "seat", "decisions", "same move %", "95 %"):
        table.add_column(heading, justify="left" if heading in ("player", "seat") else "right", no_wrap=True)
    for spec, answers in found.items():
        for seat, name in enumerate(SEAT_NAMES):
            pairs = zip(answers, decisions, strict=True)
            table.add_row("", name, *_share([same for same, decision in pairs if decision.view.seat == seat]))
        table.add_row(spec, "all", *_share(answers), end_section=True)
    return table


def _share(answers: Sequence[bool]) -> tuple[str, str, str]:
    if not answers:
        return "0", "-", "-"
    ends = binomtest(sum(answers), len(answers)).proportion_ci(method="wilson")
    share = 100 * sum(answers) / len(answers)
    return str(len(answers)), f"{share:.1f}", f"{100 * ends[0]:.1f} to {100 * ends[1]:.1f}"


@click.command(context_settings={"show_default": True}, cls=Command)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("players", nargs=-1, required=True)
@click.option("--limit", default="", help="Limit of a decision: 0.1s, 5000p (playouts) or both with a comma.")
@click.option("--positions", default=300, type=click.IntRange(1), help="How many positions are drawn, of all seats.")
@click.option("--seed", default=1, help="Which positions are drawn.")
@click.option("--jobs", type=click.IntRange(1), default=1, help="Processes; more than there are cores only cost time.")
def main(file: Path, players: tuple[str, ...], limit: str, positions: int, seed: int, jobs: int) -> None:
    """Compare the moves logged in FILE with those of PLAYERS."""
    console = Console()
    try:
        parse_limit(limit)
        for spec in players:
            if parse_contestant(spec).is_program:
                raise ValueError(f"player {spec!r} is a program, and logged positions are no games")
        known, without = read_decisions(file)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if not known:
        raise click.UsageError(f"{file}: there is no decision with a choice")
    drawn = random.Random(seed).sample(known, min(positions, len(known)))
    console.print(table_of(compare(players, limit, drawn, jobs), drawn))
    console.print(f"{len(drawn)} of {len(known)} decisions; {without} rows have none or no choice", highlight=False)


if __name__ == "__main__":
    main()
