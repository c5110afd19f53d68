"""
Trains a reinforcement-learning opponent by games against itself.

    python -m tools.training.learners.train cql FOLDER --minutes 120
    python -m tools.training.learners.train dqn FOLDER --minutes 60
    python -m tools.training.learners.train a3c FOLDER --minutes 60

The same command goes on where it was stopped; whatever happens, at most the games since the last checkpoint are lost.
"""

import importlib
import sys
import time
from collections.abc import Callable
from pathlib import Path

import click

from ddzbot.kernel import native
from ddzbot.kernel.binding import Kernel
from ddzbot.rules import RULE_SETS, RuleSet, rule_set

from ...shared.bars import progress_bar
from ...shared.default_rules import DEFAULT_RULES
from ...shared.interrupts import INTERRUPTED, Command, stop_on_signals
from ...shared.options import FiniteRange
from .curves import draw
from .learner import Learner
from .training import Training

LEARNERS = {"cql": ("cql", "CqlLearner"), "dqn": ("dqn", "DqnLearner"), "a3c": ("a3c", "A3cLearner")}
"""Name: its module in this room, and its class there."""


def make_learner(name: str, kernel: Kernel, rules: RuleSet, seed: int, workers: int = 1) -> Learner:
    """Makes a learner with random weights; only ``a3c`` has *workers*."""
    module, class_name = LEARNERS[name]
    kind = getattr(importlib.import_module(f"{__package__}.{module}"), class_name)
    made: Learner = kind(kernel, rules, seed, workers) if name == "a3c" else kind(kernel, rules, seed)
    return made


@click.command(cls=Command)
@click.argument("algorithm", type=click.Choice(list(LEARNERS)))
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--games", type=click.IntRange(1), help="Games to learn from in all.")
@click.option("--minutes", type=FiniteRange(0, min_open=True), help="Minutes of one processor to learn in all.")
@click.option(
    "--rules",
    "rules_name",
    default=DEFAULT_RULES,
    show_default=True,
    type=click.Choice(sorted(RULE_SETS)),
    help="Rules.",
)
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0), help="Root of all randomness.")
@click.option(
    "--workers",
    default=1,
    show_default=True,
    type=click.IntRange(1, 64),
    help="Processes that learn side by side, for a3c; with more than one no two trainings are alike.",
)
@click.option("--checkpoint", "interval", default=120.0, show_default=True, help="Seconds between two checkpoints.")
@click.option("--deals", default=200, show_default=True, type=click.IntRange(1), help="Games of one measurement.")
def main(
    algorithm: str,
    folder: Path,
    games: int | None,
    minutes: float | None,
    rules_name: str,
    seed: int,
    workers: int,
    interval: float,
    deals: int,
) -> None:
    """Train ALGORITHM in FOLDER, or go on with it, until it has had its games or its minutes."""
    if games is None and minutes is None:
        raise click.UsageError("Say when to stop: --games, --minutes or both.")
    kernel = native()
    if kernel is None:
        raise click.ClickException("Training needs the kernel: run make kernel.")
    learner = make_learner(algorithm, kernel, rule_set(rules_name), seed, workers)
    try:
        training = Training(folder, learner, deals)
        with stop_on_signals() as stopped:
            _run(training, games or 1 << 60, 60 * (minutes or 1e9), interval, stopped)
    finally:
        learner.close()
    draw(folder / "curves.png", {algorithm: training.rows})
    if stopped():
        sys.exit(INTERRUPTED)


def _run(training: Training, games: int, seconds: float, interval: float, stopped: Callable[[], bool]) -> None:
    name = training.learner.name
    with progress_bar() as progress:
        bar = progress.add_task(name, total=100)
        saved = time.monotonic()
        while training.games < games and training.seconds < seconds and not stopped():
            training.round()
            done = max(training.games / games, training.seconds / seconds)
            progress.update(bar, completed=100 * min(done, 1.0), description=f"{name}, {training.games:,} games")
            if time.monotonic() - saved > interval:
                training.save()
                saved = time.monotonic()
        training.save()


if __name__ == "__main__":
    main()
