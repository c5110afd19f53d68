"""The commands of the training of DouZero's networks."""

from math import inf
from pathlib import Path

import click

from ddzbot.rules import rule_set

from ...shared.default_rules import DEFAULT_RULES
from ...shared.interrupts import Command
from ...shared.options import RULES, FiniteRange
from ..kernel import needed_kernel
from ..loop import Marks, Training, loop_options, run
from .learner import OBJECTIVES, Schedule, ZeroLearner


@click.command(cls=Command, context_settings={"show_default": True})
@loop_options
@click.option("--minutes", type=FiniteRange(0, min_open=True), default=180.0, help="CPU minutes in all.")
@click.option(
    "--count", "games", type=click.IntRange(1), help="Games in all, if they come before the minutes are over."
)
@click.option("--rules", type=RULES, default=DEFAULT_RULES, help="Rule set.")
@click.option("--width", default=128, help="Units of a layer; the published networks have 512.")
@click.option("--objective", type=click.Choice(OBJECTIVES), default="wp", help="What is learned.")
@click.option("--rate", default=Schedule.rate, help="Learning rate at first.")
@click.option(
    "--snapshot-minutes",
    type=FiniteRange(0, min_open=True),
    default=5.0,
    help="Minutes between two networks that are kept.",
)
def learn(
    folder: Path,
    seed: int,
    minutes: float,
    games: int | None,
    rules: str,
    width: int,
    objective: str,
    rate: float,
    snapshot_minutes: float,
    checkpoint: float,
    quiet: bool,
) -> None:
    """Train DouZero's networks from scratch in FOLDER, or resume it; its minutes are CPU time."""
    kernel = needed_kernel()
    if width < 4 or width % 4:
        raise click.UsageError(f"--width {width} is not a multiple of 4")
    learner = ZeroLearner(kernel, rule_set(rules), width, objective, Schedule(rate), seed)
    goal = Marks(games or inf, 60 * minutes)
    run(Training(folder, learner), goal, Marks(seconds=60 * snapshot_minutes), checkpoint, quiet)
