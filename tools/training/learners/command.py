"""The commands of the opponents that learn by reinforcement; which of them is the name that a command was called by."""

import importlib
from math import inf
from pathlib import Path
from typing import Any

import click

from ddzbot.kernel.binding import Kernel
from ddzbot.rules import RuleSet, rule_set

from ...shared.default_rules import DEFAULT_RULES
from ...shared.interrupts import Command
from ...shared.options import RULES, FiniteRange
from ..kernel import needed_kernel
from ..loop import Marks, Training, loop_options, run
from .learner import RlLearner

LEARNERS = {
    "cql": "CqlLearner",
    "cql-covers": "CoversLearner",
    "dqn": "DqnLearner",
    "dqn-naive": "NaiveDqnLearner",
    "a3c": "A3cLearner",
}
"""Name, whose first word is that of its module in this room, and its class there."""


def make_learner(
    name: str, kernel: Kernel, rules: RuleSet, seed: int, deals: int = 200, every: int = 4, workers: int = 1
) -> RlLearner:
    """Makes a learner with random weights; only ``a3c`` has *workers*."""
    kind = getattr(importlib.import_module(f"{__package__}.{name.partition('-')[0]}"), LEARNERS[name])
    options = {"workers": workers} if name == "a3c" else {}
    learner: RlLearner = kind(kernel, rules, seed, deals, every, **options)
    return learner


@click.command(cls=Command, context_settings={"show_default": True})
@loop_options
@click.option("--count", "games", type=click.IntRange(1), help="Games to learn from in all.")
@click.option("--minutes", type=FiniteRange(0, min_open=True), help="CPU minutes to learn in all.")
@click.option("--rules", default=DEFAULT_RULES, type=RULES, help="Rule set.")
@click.option(
    "--workers",
    default=1,
    type=click.IntRange(1, 64),
    help="Processes that learn side by side, for a3c; with more than one no two trainings are alike.",
)
@click.option("--test", "deals", default=200, type=click.IntRange(1), help="Games of one measurement.")
@click.pass_context
def learn(
    context: click.Context,
    /,
    folder: Path,
    seed: int,
    games: int | None,
    minutes: float | None,
    rules: str,
    workers: int,
    deals: int,
    **loop: Any,
) -> None:
    """Train the opponent in FOLDER, or resume it, until it has had its games or its minutes."""
    if games is None and minutes is None:
        raise click.UsageError("Say when to stop: --games, --minutes or both.")
    recipe = context.info_name or ""
    learner = make_learner(recipe, needed_kernel(), rule_set(rules), seed, deals, workers=workers)
    try:
        training = Training(folder, learner)
    except click.ClickException:
        learner.close()
        raise
    run(training, Marks(games or inf, 60 * (minutes or inf)), Marks(), **loop)
