"""A whole plan, checked by the command that will play it, before the first game of a night."""

from collections.abc import Sequence
from pathlib import Path

import click

from ...arena.match import main as match
from ...arena.playing import CHECK
from ...arena.seats import main as seats
from ...shared.work.workers import Workers
from .plan import Experiment, PlanError
from .results import is_whole

_COMMANDS = {"match": match, "seats": seats}


def check(plan: Path, experiments: Sequence[Experiment], workers: Workers, accepted: Sequence[str]) -> None:
    """
    Makes sure that everything in a plan that is not played yet can be.

    :raises PlanError: for the first experiment that cannot, with what its command would say.
    """
    for experiment in experiments:
        if is_whole(experiment, plan.parent):
            continue
        command, *arguments = experiment.command(plan.parent, workers)[2:]
        try:
            _COMMANDS[command].main([*arguments, *accepted], standalone_mode=False, obj=CHECK)
        except click.ClickException as error:
            raise PlanError(f"{plan}: {experiment.name}: {error.format_message()}") from None
