"""The commands of the champion's training."""

import os
from collections.abc import Sequence
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

import click

from ddzbot.kernel.bid_net import KernelBidNet
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.fast_net import FastNet
from ddzbot.net.bid_net import reigning_bid_net
from ddzbot.net.fast_features import NAME
from ddzbot.net.fast_net import ARCHITECTURES, seats_of
from ddzbot.net.packed import WeightsError, read
from ddzbot.rules import rule_set

from ...release import weights_file
from ...shared.default_rules import DEFAULT_RULES
from ...shared.interrupts import Command
from ...shared.options import FiniteRange
from ...shared.terminal import say
from ..kernel import needed_kernel
from ..loop import Marks, Training, loop_options, run
from ..strength import Strength
from .gate import PLAYER
from .kept import packed_net
from .league import ITSELF, QUICK, League
from .learner import AIMS, UNITS, Learner
from .words import farewell, outlook

_GAMES = 20_000_000


@click.command(cls=Command, context_settings={"show_default": True})
@loop_options
@click.option("--games", type=click.IntRange(1), help="Games to learn from in all; 20 million without --minutes.")
@click.option("--minutes", type=FiniteRange(0, min_open=True), help="Minutes of one processor to learn in all.")
@click.option("--rules", default=DEFAULT_RULES, help="Rule set.")
@click.option("--aim", type=click.Choice(AIMS), default="win", help="What decides a move in the games.")
@click.option(
    "--begin-with",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A network of another training to begin a new one with: a kept one or a checkpoint.",
)
@click.option("--keep-rate", is_flag=True, help="With --begin-with: go on with that network's learning rate.")
@click.option("--auction", is_flag=True, help="Begin games with an auction by the reigning network for bids.")
@click.option(
    "--units",
    type=click.Choice([str(units) for units in ARCHITECTURES.values()]),
    default=str(UNITS),
    help="Units of the first layer.",
)
@click.option("--rival", "rivals", multiple=True, metavar=f"{QUICK}|{ITSELF}|FILE", help="A member of the league.")
@click.option("--share", type=FiniteRange(0, 1), default=0.25, help="Share of the games against rivals.")
@click.option("--workers", type=click.IntRange(1), default=os.cpu_count() or 1, help="Threads; they change no result.")
@click.option("--snapshot", type=click.IntRange(1), default=1_000_000, help="Games between two networks that are kept.")
@click.option("--sets", type=click.IntRange(0), default=200, help="Sets against rule and rhcp each minute; 0 for none.")
def learn(
    folder: Path,
    seed: int,
    games: int | None,
    minutes: float | None,
    rules: str,
    aim: str,
    begin_with: Path | None,
    keep_rate: bool,
    auction: bool,
    units: str,
    rivals: tuple[str, ...],
    share: float,
    workers: int,
    snapshot: int,
    sets: int,
    **loop: Any,
) -> None:
    """Train the champion's network by self-play in FOLDER, or go on with it."""
    kernel = needed_kernel()
    bids = _bid_net(kernel, rules) if auction else None
    learner = Learner(kernel, rule_set(rules), seed, workers, aim, bids, int(units), _league(kernel, rivals, share))
    training = Training(folder, learner)
    if begin_with:
        learner.begin_with(begin_with, keep_rate)
    elif keep_rate:
        raise click.UsageError("--keep-rate goes with --begin-with")
    goal = Marks(games or (inf if minutes else _GAMES), 60 * (minutes or inf))
    strength = Strength(folder, rules, sets, partial(_player, training)) if sets else None
    for line in outlook(training, goal, workers, sets):
        say(line)
    run(training, goal, Marks(snapshot), strength=strength, **loop)
    for line in farewell(training, rules):
        say(line)


def _player(training: Training, folder: Path) -> str:
    """Packs the network of the moment into a folder, and gets the player that it is."""
    assert isinstance(training.learner, Learner)
    packed = packed_net(training.learner.averaged, training.about, {})
    return f"{PLAYER}{weights_file.write(folder, 'fast', packed)}"


def _league(kernel: Kernel, names: Sequence[str], share: float) -> League:
    """Reads the networks among the members."""
    files = [name for name in names if name not in (QUICK, ITSELF)]
    try:
        networks = {name: FastNet(kernel, seats_of(read(name, [NAME]))) for name in files}
    except WeightsError as error:
        raise click.UsageError(f"--rival: {error}") from None
    return League(names, networks, share if names else 0.0)


def _bid_net(kernel: Kernel, rules: str) -> KernelBidNet:
    """Gets the network for bids that reigns."""
    loaded = reigning_bid_net(kernel, rules)
    if not isinstance(loaded.net, KernelBidNet):
        raise click.ClickException(f"--auction: {loaded.description}")
    return loaded.net
