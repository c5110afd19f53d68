"""
Lets a new network of the champion meet the current one, which it must beat.

Both play without any search, in duplicate sets on ``gate/`` deals; no other player takes part.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ddzbot.net.current import weights_folder
from ddzbot.net.fast_features import NAME
from ddzbot.net.packed import WeightsError
from ddzbot.rules import rule_set

from ...arena.matches.on_cluster import play_left
from ...arena.matches.plan import Match
from ...arena.matches.runner import Progress
from ...arena.stats.sprt import Verdict
from ...release import weights_file
from ...release.current import current_name, keep_verdict, make_current, verdict_on
from ...shared.bars import progress_bar
from ...shared.interrupts import Command
from ...shared.seeds import GATE
from ...shared.terminal import say
from ...shared.work.workers import Workers, worker_options
from .pack import packed_net, read_net

BOUNDS, BOUNDS_WITH_BIDDING = (0.0, 1.0), (0.0, 0.2)
"""The hypotheses of the sequential test, in points of WP, and in points of the game a seat."""
MOST_SETS = 20_000
PLAYER = "champion:search=none,weights="
PACKED = "packed"
"""The folder beside a network where it lies as a player reads it, as the workers of a cluster must do."""


def duel(candidate: Path, current: Path, rules: str, sets: int, seed: int, workers: Workers) -> Progress:
    """Plays *sets* on ``gate/`` deals without any search, or fewer if the sequential test ends it."""
    bounds = BOUNDS_WITH_BIDDING if rule_set(rules).bidding else BOUNDS
    contestants = (f"{PLAYER}{candidate}", f"{PLAYER}{current}")
    plan = replace(Match.of(rules, contestants, sets, seed, GATE), sprt=(*bounds, 0.05, 0.05))
    plan.check()
    match = Progress(plan)
    with progress_bar() as progress:
        bar = progress.add_task(f"{candidate.name} against {current.name}", total=sets)
        play_left(workers, match, lambda _pairing, _row: progress.advance(bar))
    return match


def result_text(match: Progress) -> str:
    """Says how a duel ended, e.g. ``54.2 % (52.9 to 55.5) in 2,000 sets``; with bidding in points a seat."""
    if rule_set(match.plan.rules).bidding:
        points = match.stats[0].adp()
        return f"{points.value:+.2f} points ({points.low:.2f} to {points.high:.2f}) in {match.stats[0].sets:,} sets"
    wp = match.stats[0].wp()
    return f"{100 * wp.value:.1f} % ({100 * wp.low:.1f} to {100 * wp.high:.1f}) in {match.stats[0].sets:,} sets"


@click.command(cls=Command)
@click.argument("source", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--folder", type=click.Path(file_okay=False, path_type=Path), default=weights_folder, help="Folder of weights."
)
@click.option("--sets", default=MOST_SETS, metavar="N", show_default=True, help="At most so many duplicate sets.")
@click.option("--seed", default=1, show_default=True, help="Root of the deals; take a new one for each candidate.")
@worker_options("Processes that play.", usual=2)
def gate(source: Path, folder: Path, sets: int, seed: int, workers: Workers) -> None:
    """Make the network of SOURCE, a snapshot or a checkpoint, current if it beats the one that is."""
    net, state = read_net(source)
    rules = state["rules"]
    try:
        current = current_name(folder, NAME, rules)
        results: dict[str, Any] = {"gate": "the first one"}
        if current:
            packed = packed_net(net, state, {})
            candidate = weights_file.write(source.parent / PACKED, "fast", packed)
            match = duel(candidate, folder / current, rules, sets, seed, workers)
            verdict = match.sprt.verdict if match.sprt else Verdict.RUNNING
            accepted, result = verdict is Verdict.ACCEPTED_H1, f"{result_text(match)}, {verdict.value}"
            keep_verdict(folder, verdict_on(packed, rules, current, accepted, result))
            if not accepted:
                raise click.ClickException(f"{source.name} does not become current, {current} stays: {result}.")
            results = {"gate": f"{result_text(match)} against {current}, gate/{seed}"}
        path = weights_file.write(folder, "fast", packed_net(net, state, results))
        message = make_current(path, [rules])
        if current and not weights_file.is_current(folder / current):
            weights_file.retire(folder / current)
    except WeightsError as error:
        raise click.ClickException(str(error)) from None
    say(f"{path}: {results['gate']}")
    say(message)
