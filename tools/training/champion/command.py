"""The commands of the champion's training."""

from contextlib import ExitStack
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

import click

from ddzbot.net.fast_net import ARCHITECTURES

from ...cluster.dispatch import open_cluster
from ...release import weights_file
from ...shared.default_rules import DEFAULT_RULES
from ...shared.interrupts import Command
from ...shared.options import RULES, FiniteRange
from ...shared.terminal import say
from ...shared.work.workers import Workers, worker_options
from ..loop import Marks, Training, loop_options, run
from ..strength import Strength
from .gate import PLAYER
from .league import ITSELF, QUICK
from .learner import OBJECTIVES, UNITS, ChampionLearner
from .pack import packed_net
from .shards import Sharded, learner_of, needs_of
from .words import check_own, plan_lines, summary_lines

_GAMES = 20_000_000


@click.command(cls=Command, context_settings={"show_default": True})
@loop_options
@click.option(
    "--count", "games", type=click.IntRange(1), help="Games to learn from in all; 20 million without --minutes."
)
@click.option("--minutes", type=FiniteRange(0, min_open=True), help="CPU minutes to learn in all.")
@click.option("--rules", type=RULES, default=DEFAULT_RULES, help="Rule set.")
@click.option("--objective", type=click.Choice(OBJECTIVES), default="wp", help="Maximise wins (wp) or points (adp).")
@click.option(
    "--begin-with",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A network to begin a new training with: one that a training keeps, a checkpoint or a packed one.",
)
@click.option("--keep-rate", is_flag=True, help="With --begin-with: keep that network's learning rate.")
@click.option("--auction", is_flag=True, help="Begin games with an auction by the current network for bids.")
@click.option(
    "--units",
    type=click.Choice([str(units) for units in ARCHITECTURES.values()]),
    default=str(UNITS),
    help="Units of the first layer.",
)
@click.option("--rival", "rivals", multiple=True, metavar=f"{QUICK}|{ITSELF}|FILE", help="A member of the league.")
@click.option("--share", type=FiniteRange(0, 1), default=0.25, help="Share of the games against rivals.")
@worker_options("Threads; they change no result.", "workers")
@click.option("--shards", type=click.IntRange(1), default=1, help="Shards of a round, which may learn side by side.")
@click.option("--snapshot", type=click.IntRange(1), default=1_000_000, help="Games between two networks that are kept.")
@click.option(
    "--sets", type=click.IntRange(0), default=200, metavar="N", help="Sets against rule and rhcp each minute; 0: none."
)
def learn(
    folder: Path,
    seed: int,
    games: int | None,
    minutes: float | None,
    rules: str,
    objective: str,
    begin_with: Path | None,
    keep_rate: bool,
    auction: bool,
    units: str,
    rivals: tuple[str, ...],
    share: float,
    workers: Workers,
    shards: int,
    snapshot: int,
    sets: int,
    **loop: Any,
) -> None:
    """Train the champion's network by self-play in FOLDER, or resume it."""
    cluster = workers.place
    if cluster and shards == 1:
        raise click.UsageError("--cluster: a round of one shard keeps one worker busy; name more --shards, such as 8")
    check_own(folder)
    settings = {"seed": seed, "rules": rules, "objective": objective, "auction": auction, "units": int(units)}
    settings |= {"rivals": rivals, "share": share, "shards": shards}
    learner = learner_of(settings, workers.jobs, ChampionLearner if shards == 1 else Sharded)
    training = Training(folder, learner)
    if begin_with:
        learner.begin_with(begin_with, keep_rate)
    elif keep_rate:
        raise click.UsageError("--keep-rate goes with --begin-with")
    goal = Marks(games or (inf if minutes else _GAMES), 60 * (minutes or inf))
    strength = Strength(folder, rules, sets, partial(_player, training)) if sets else None
    for line in plan_lines(training, goal, 0 if cluster else workers.jobs, sets):
        say(line)
    with ExitStack() as ends:
        if cluster and isinstance(learner, Sharded):
            learner.cluster = ends.enter_context(open_cluster(cluster, needs_of(settings), say))
        run(training, goal, Marks(snapshot), strength=strength, **loop)
    if cluster and isinstance(learner, Sharded):
        say(learner.traffic)
    for line in summary_lines(training, rules):
        say(line)


def _player(training: Training, folder: Path) -> str:
    """Packs the network of the moment into a folder, and gets the player that it is."""
    assert isinstance(training.learner, ChampionLearner)
    packed = packed_net(training.learner.averaged, training.about, {})
    return f"{PLAYER}{weights_file.write(folder, 'fast', packed)}"
