"""The results of a plan's experiments, read from their files and compared with the plan."""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ddzbot.search.limit import parse_limit

from ...arena.files.results_file import Found, Part, read
from ...arena.matches.runner import Progress
from ...arena.reports.results import Results, results_of
from .plan import Experiment

_KIND = {"tournament": "everybody"}


class DocumentError(ValueError):
    """A document or a results file that does not fit the plan; the message is one sentence."""


class PlayedExperiment(NamedTuple):
    """An experiment with results, of all or a part of its sets."""

    experiment: Experiment
    found: Found
    progress: Progress
    results: Results


def played_of(experiment: Experiment, results: Path) -> PlayedExperiment | None:
    """
    Reads what came of an experiment; None if nothing was played.

    :raises DocumentError: for a results file of something else, or none.
    """
    path = experiment.file(results)
    if not path.exists():
        return None
    try:
        results_file = read(path)
        if not _as_asked(experiment, results_file):
            kind = {"seats": "table"}.get(experiment.kind, experiment.kind)
            raise ValueError(f"{path}: these are results of another {kind} than {experiment.name} of the plan")
        progress = _progress(experiment, results_file)
    except ValueError as error:
        raise DocumentError(str(error)) from None
    return PlayedExperiment(experiment, results_file, progress, results_of(progress))


def _as_asked(experiment: Experiment, found: Found) -> bool:
    head, newest = found.head, found.parts[-1]
    if experiment.kind == "tournament":
        same = newest.sets == experiment.sets
    else:
        same = newest.contestants == experiment.contestants
    return (
        same
        and head.kind == _KIND.get(experiment.kind, experiment.kind)
        and (head.rules, head.namespace, head.seed) == (experiment.rules, experiment.namespace, experiment.seed)
        and parse_limit(head.limit) == parse_limit(experiment.limit)
    )


def _progress(experiment: Experiment, found: Found) -> Progress:
    """Gets what was played of what the plan asks for: of a tournament its players, of a table its first games."""
    plan = found.plan
    if experiment.kind == "tournament":
        part = Part(tuple(sorted(experiment.contestants)), experiment.sets, experiment.neighbours)
        plan = found.head.plan(part)
    rows = found.rows_of(plan)
    if experiment.kind == "seats":
        rows = [[row for row in rows[0] if row.set < experiment.games]]
        plan = replace(plan, sets=experiment.games)
    return Progress(plan, rows)


def is_whole(experiment: Experiment, results: Path) -> bool:
    """
    Checks if all of an experiment was played. A tournament never is: a contestant may have changed since.

    :raises DocumentError: for a results file of something else, or none.
    """
    played = None if experiment.kind == "tournament" else played_of(experiment, results)
    if played is None or not played.progress.finished:
        return False
    plan = played.progress.plan
    # A table has no sets, and is cut to its games when it is read.
    return plan.sets == (experiment.sets or plan.sets) and (plan.sprt or ())[:2] == experiment.sprt
