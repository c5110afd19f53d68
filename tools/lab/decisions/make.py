"""
Make a bench of decisions with precise values: ``python -m tools lab decisions make FOLDER --count 20000``.

The champion plays games against itself. Of each game and seat one decision is drawn in which several moves compete and
nothing is proved, and each of these moves is played out in the same worlds. The same command resumes where it was
stopped, with any number of processes, and the same command makes the same bytes.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from ...cluster.needs import needs_of
from ...shared.contestants import parse_contestant
from ...shared.default_rules import DEFAULT_RULES
from ...shared.interrupts import Command
from ...shared.options import RULES
from ...training.making import Work, making_options
from ...training.making import make as make_shards
from .decision import unit_bytes
from .drawing import decisions_of
from .recipe import DRAWN, HALVES, UNIT, Recipe, begin, network_of, unit_path


class BenchWork(Work):
    """The units of a bench, each a file of lines."""

    def path(self, folder: Path, first: int) -> Path:
        """Names the file of the unit that begins with decision *first*."""
        return unit_path(folder, first // UNIT)

    def begin(self, folder: Path, about: dict[str, Any]) -> None:
        """Begins a folder with the recipe, or resumes one with the same."""
        begin(folder, about)

    def packed(self, _about: dict[str, Any], content: Any) -> bytes:
        """Gets what the file of a unit has."""
        return bytes(content)


def play_unit(recipe: Recipe, first: int, stopped: Callable[[], bool]) -> tuple[dict[str, int], bytes]:
    """
    Makes the unit that begins with decision *first*; gets how many decisions it has, and its file.

    :raises Stopped: once *stopped* says so.
    """
    decisions = decisions_of(recipe, first // UNIT, stopped)
    return {"decisions": len(decisions)}, unit_bytes(decisions)


@click.command(context_settings={"show_default": True}, cls=Command)
@making_options
@click.option(
    "--count", "decisions", type=click.IntRange(1), default=20_000, help=f"In all, rounded up to units of {UNIT}."
)
@click.option("--rules", type=RULES, default=DEFAULT_RULES, help="Rule set of all games.")
@click.option("--player", default="champion", help="The player of the games.")
@click.option("--limit", default="100p", help="Limit of a decision in the games, in playouts.")
@click.option(
    "--worlds", type=click.IntRange(HALVES, 8000), default=300, help="Worlds of a decision: its playouts a move."
)
def main(folder: Path, decisions: int, **options: Any) -> None:
    """Make a suite in FOLDER, or resume it; a higher --count adds to it."""
    names = ("rules", "seed", "player", "limit", "worlds")
    fields = {option: options.pop(option) for option in names}
    try:
        recipe = Recipe(**fields, drawn=DRAWN, network=network_of(fields["rules"]))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    needs = needs_of([parse_contestant(recipe.player)])
    make_shards(folder, BenchWork(recipe, play_unit), decisions, needs=lambda: needs, **options)
