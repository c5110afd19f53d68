"""
Play every experiment of a plan, and rewrite the tables of a document.

    python -m tools experiments results/mcm/plan.toml --doc results/mcm/TABLES.md --picture mcm.png

Results files lie beside the plan, and compressed copies of them, which are enough to write the tables. A match that
is there is not played again; an interrupted one resumes.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import click

from ...arena.fallbacks import fallback_option
from ...arena.matches.in_subprocess import run_in_subprocess
from ...shared.interrupts import INTERRUPTED, Command, stop_on_signals
from ...shared.options import EXISTING_FILE, FILE
from ...shared.terminal import Console
from ...shared.work.orphans import Guard
from ...shared.work.workers import Workers, worker_options
from .check import check
from .compressed import CompressedError, compressed_path, keep, unpack
from .plan import Experiment, PlanError, read_plan
from .render import draw, draw_shown, filled
from .results import DocumentError, is_whole

console = Console(stderr=True)

_LOOK_SECONDS = 0.05
"""The seconds between two looks at a running experiment and at interrupts."""


@click.command(cls=Command)
@click.argument("plan", type=EXISTING_FILE)
@click.option("--doc", type=EXISTING_FILE, help="Rewrite its tables.")
@click.option("--picture", type=FILE, help="Draw all intervals, or the tournament, into this file.")
@click.option("--only", multiple=True, metavar="NAME", help="Play only this experiment; may be given several times.")
@click.option("--no-play", is_flag=True, help="Play nothing; write what is known.")
@click.option("--mix", is_flag=True, help="Resume even if other code, kernel or networks played before.")
@fallback_option
@click.option(
    "--replay-pairs", multiple=True, metavar="PLAYER", help="Play the pairs of this one in a tournament again."
)
@worker_options("Processes.")
def main(
    plan: Path,
    doc: Path | None,
    picture: Path | None,
    only: tuple[str, ...],
    no_play: bool,
    mix: bool,
    allow_fallback: bool,
    replay_pairs: tuple[str, ...],
    workers: Workers,
) -> None:
    """
    Play the experiments of PLAN one after the other. Ctrl-C stops; the same command resumes.

    Before the first game the command names the matches of the plan that cannot be played.
    """
    try:
        experiments = read_plan(plan)
        chosen = _chosen(experiments, only)
        for experiment in experiments:
            unpack(experiment.file(plan.parent))
        if not no_play:
            accepted = _accepted(chosen, mix, replay_pairs, allow_fallback)
            run_in_subprocess(check, plan, chosen, workers, accepted)
            _play(chosen, plan.parent, workers, accepted)
        if doc:
            content = filled(doc.read_text("utf-8"), experiments, plan.parent, doc)
            _write(doc, content)
            for drawn in draw_shown(content, experiments, plan.parent, doc):
                console.print(f"{drawn}: drawn", soft_wrap=True)
        if picture:
            console.print(f"{picture}: {draw(experiments, plan.parent, picture)} matches")
    except (PlanError, DocumentError, CompressedError) as error:
        raise click.UsageError(str(error)) from None


def _chosen(experiments: list[Experiment], only: tuple[str, ...]) -> list[Experiment]:
    names = [experiment.name for experiment in experiments]
    for asked in only:
        if asked not in names:
            raise PlanError(f"--only {asked}: the plan has {', '.join(names)}")
    return [experiment for experiment in experiments if not only or experiment.name in only]


def _accepted(experiments: list[Experiment], mix: bool, again: tuple[str, ...], allow_fallback: bool) -> list[str]:
    """Gets the options that are handed on to what is played."""
    if again and {experiment.kind for experiment in experiments} != {"tournament"}:
        raise PlanError(f"--replay-pairs {again[0]}: only tournaments have pairs to play again; name one with --only")
    flags = [*(["--mix"] if mix else []), *(["--allow-fallback"] if allow_fallback else [])]
    return [*flags, *(word for player in again for word in ("--replay-pairs", player))]


def _play(experiments: list[Experiment], results: Path, workers: Workers, accepted: list[str]) -> None:
    for index, experiment in enumerate(experiments, 1):
        console.rule(f"{index} of {len(experiments)}: {experiment.name}")
        if is_whole(experiment, results):
            console.print(f"{experiment.file(results)}: all of its sets are there", soft_wrap=True)
            keep(experiment.file(results))
            continue
        code = _ended([sys.executable, *experiment.command(results, workers), *accepted])
        # A tournament that is half played again has less than the one that was kept.
        if not code or not compressed_path(experiment.file(results)).exists():
            keep(experiment.file(results))
        if code:
            console.print(f"{experiment.name} ended with exit code {code}; run the same command again to resume.")
            raise SystemExit(code)


def _ended(words: list[str]) -> int:
    """
    Plays an experiment as a user would call it, and gets its exit code.

    It has a process group of its own, which is killed if this process is. So an interrupt reaches it from here alone,
    and it saves what was played.
    """
    guard = Guard()
    with stop_on_signals() as stopped, subprocess.Popen(words, start_new_session=True) as running:
        guard.watch(running.pid)
        passed_on = False
        while (code := running.poll()) is None:
            if stopped() and not passed_on:
                running.terminate()
                passed_on = True
            time.sleep(_LOOK_SECONDS)
        guard.forget(running.pid)
    guard.end()
    return INTERRUPTED if stopped() else code


def _write(doc: Path, text: str) -> None:
    fresh = doc.with_name(doc.name + ".part")
    fresh.write_text(text, "utf-8")
    os.replace(fresh, doc)
    console.print(f"{doc}: written")


if __name__ == "__main__":
    main()
