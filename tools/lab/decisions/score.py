"""
Scores players on a bench: ``python -m tools lab decisions score FOLDER champion champion:prior=100``.

It says how far a player's values of the same moves are from the precise ones, what its choices are paid less, and how
well its network, its search and their average predict the winner. Without a player, only the suite's own numbers.
"""

import functools
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from ddzbot.rules import rule_set

from ...cluster.dispatch import do_all
from ...cluster.needs import needs_of
from ...shared.bars import progress_bar
from ...shared.contestants import parse_contestant
from ...shared.errors import InputError
from ...shared.interrupts import INTERRUPTED, Command, stop_on_signals
from ...shared.options import EXISTING_FOLDER
from ...shared.paths import call_of
from ...shared.terminal import Console
from ...shared.work.worker import wants_stop
from ...shared.work.workers import Workers, worker_options
from ...training.kernel import needed_kernel
from .decision import Decision, read_unit, unit_bytes, unit_in
from .recipe import Recipe, known_units, read_recipe
from .report import Scores, scores_of
from .scored import Scored, ScoredChoice, answer_of, parse_scored
from .tables import tables

console = Console(stderr=True)

_WIDTH = 120
"""Columns where there is no terminal."""

ScoredChoices = dict[str, list[ScoredChoice]]


def units_of(folder: Path, most: int | None) -> list[tuple[int, list[Decision]]]:
    """
    Reads the first *most* decisions of a folder, or all, by unit.

    :raises InputError: if there are none, or a file has something else.
    """
    units: list[tuple[int, list[Decision]]] = []
    have = 0
    for unit, path in known_units(folder):
        if most is not None and have >= most:
            break
        decisions = read_unit(path)[: None if most is None else most - have]
        units.append((unit, decisions))
        have += len(decisions)
    if not have:
        raise InputError(f"{folder} has no decisions: {call_of('lab', 'decisions', 'make', str(folder))} makes them")
    return units


def answer_unit(recipe: Recipe, scored: Sequence[Scored], seed: int, thing: tuple[int, bytes]) -> ScoredChoices | None:
    """Asks all players for the decisions of a unit, as its file has them; None once they are no longer wanted."""
    answers: ScoredChoices = {player.name: [] for player in scored}
    for decision in unit_in(thing[1]):
        if wants_stop():
            return None
        for player in scored:
            answers[player.name].append(answer_of(player, decision, recipe, seed))
    return answers


def _asked(
    recipe: Recipe,
    scored: Sequence[Scored],
    units: list[tuple[int, list[Decision]]],
    seed: int,
    workers: Workers,
    quiet: bool,
) -> ScoredChoices:
    """Asks all players for all decisions, in so many processes."""
    parts: dict[int, ScoredChoices] = {}
    with stop_on_signals() as stopped, progress_bar(console=console, disable=quiet, transient=True) as progress:
        counts = {unit: len(decisions) for unit, decisions in units}
        bar = progress.add_task("decisions", total=sum(counts.values()))

        def done(thing: tuple[int, bytes], found: ScoredChoices | None) -> None:
            if found is not None:
                parts[thing[0]] = found
                progress.advance(bar, counts[thing[0]])

        needs = needs_of(parse_contestant(player.player) for player in scored)
        task = functools.partial(answer_unit, recipe, scored, seed)
        things = ((unit, unit_bytes(decisions)) for unit, decisions in units)
        do_all(workers, task, things, done, stopped, lambda thing: f"unit {thing[0]}", needs)
    if stopped():
        console.print("Interrupted.")
        sys.exit(INTERRUPTED)
    return {player.name: [answer for unit, _ in units for answer in parts[unit][player.name]] for player in scored}


@click.command(context_settings={"show_default": True}, cls=Command)
@click.argument("folder", type=EXISTING_FOLDER)
@click.argument("players", nargs=-1)
@click.option("--limit", default="400p", help="Limit of a decision of a player that has none behind an @.")
@click.option("--first", "decisions", type=click.IntRange(1), help="Take only the first so many.")
@click.option("--seed", type=click.IntRange(0), default=0, help="Seed of the players.")
@worker_options("Processes.")
@click.option("--bands", is_flag=True, help="Rows for each band of plies, too.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def main(
    folder: Path,
    players: tuple[str, ...],
    limit: str,
    decisions: int | None,
    seed: int,
    workers: Workers,
    bands: bool,
    quiet: bool,
) -> None:
    """
    Score PLAYERS on the bench in FOLDER; the others are compared with the first.

    A player is written as everywhere, and may have a limit of its own: champion:search=none, champion@2000p.
    """
    try:
        scored = list(dict.fromkeys(parse_scored(player, limit) for player in players))
        needed_kernel("a bench")
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    recipe = read_recipe(folder)
    units = units_of(folder, decisions)
    answers = _asked(recipe, scored, units, seed, workers, quiet) if scored else {}
    scores = scores_of([decision for _, part in units for decision in part], answers)
    _print(scores, recipe, bands)


def _print(scores: Scores, recipe: Recipe, bands: bool) -> None:
    output = Console(width=None if sys.stdout.isatty() else _WIDTH)
    unit = "in points" if rule_set(recipe.rules).bidding else "as a share of games won"
    output.print(f"{scores.decisions:,} decisions of {scores.games:,} games; 95 % intervals over games")
    output.print(f"Error of the bench's own differences {scores.noise.value:.4f}")
    for heading, table in tables(scores, unit, bands):
        output.print(f"\n{heading}", soft_wrap=True)
        output.print(table)
