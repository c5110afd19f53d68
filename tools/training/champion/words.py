"""The lines that the champion's training prints before it begins and when it is done."""

import shlex
from collections.abc import Iterator
from math import isfinite
from pathlib import Path

import click

from ddzbot.net.current import weights_folder

from ...release import weights_file
from ...shared.paths import INSTALLED, call_of
from ..loop import Marks, Training
from ..points import PICTURE
from ..strength import OPPONENTS
from .learner import ChampionLearner
from .pack import packed_net, read_net, settings_words

_BUSY = 2
"""Cores that a training keeps busy all the time; with more of them it is a little faster."""
OWN = "weights"
"""The folder of weights in that of a training."""
_SETS = "2000"
"""So many sets against rhcp tell its strength within one or two points of WP."""


def plan_lines(training: Training, goal: Marks, workers: int, sets: int) -> Iterator[str]:
    """Makes the lines before a training begins; on a cluster *workers*, the threads of this machine, are 0."""
    games, folder = training.learner.done, training.folder
    goals = [f"it has learned from {goal.done:,} games"] if isfinite(goal.done) else []
    if isfinite(goal.seconds):
        left = max(0.0, goal.seconds - training.seconds) / 60 / min(workers or 1, _BUSY)
        clock = f", in about {left:.0f} by the clock" * bool(workers)
        goals.append(f"it has used {goal.seconds / 60:g} CPU minutes{clock}")
    begins = f"continues after {games:,} games" if games else _beginning(training)
    yield f"{folder}: the champion's network {begins}, and plays against itself until {' or '.join(goals)}."
    if sets:
        meets = f"{sets} sets against {' and '.join(OPPONENTS)}, without search"
        yield f"Each minute you see how strong it is ({meets}), and {folder / PICTURE} grows."
    yield "Ctrl-C stops it; run the same command again to resume."


def _beginning(training: Training) -> str:
    origin = training.learner.origin if isinstance(training.learner, ChampionLearner) else None
    return f"starts from a network of {origin['games']:,} games" if origin else "starts from scratch"


def check_own(folder: Path) -> None:
    """
    Makes sure that a training in *folder* keeps its network apart from the project's.

    :raises click.UsageError: if its weights were those.
    """
    if (folder / OWN).resolve() == Path(weights_folder({})).resolve():
        raise click.UsageError(f"{folder}: {folder / OWN} has the networks that play; name another folder")


def promoted(training: Training) -> Path:
    """Packs the network of the checkpoint into a folder of weights of its own, where it is the only one."""
    folder = training.folder / OWN
    net, state = read_net(training.checkpoint)
    path = weights_file.write(folder, "fast", packed_net(net, state, {}))
    weights_file.promote(path, state["rules"])
    for old in {*folder.glob("fast-*.ddzw")} - {path}:
        weights_file.retire(old)
    return path


def summary_lines(training: Training, rules: str) -> Iterator[str]:
    """Packs the network, and makes the lines with the commands that play, upload and train it further."""
    path, folder = promoted(training), str(training.folder)
    uses, options = f"DDZ_WEIGHTS={shlex.quote(str(path.parent))}", ("--rules", rules)
    bundle = call_of("bundle", "--folder", str(path.parent))
    about = training.about
    longer = (*settings_words(about, about["units"]), "--minutes", str(2 * max(1, round(training.seconds / 60))))
    yield f"{path} plays:"
    yield f"  in the terminal      {uses} {call_of('play', *options)}"
    yield f"  in the browser       {uses} {call_of('serve', *options)}"
    yield f"  against rhcp         {uses} {call_of('match', 'champion:search=none', 'rhcp', '--sets', _SETS, *options)}"
    yield f"  where it is uploaded {bundle if INSTALLED else f'make zip WEIGHTS={shlex.quote(str(path.parent))}'}"
    yield f"  and learns on by     {call_of('train', 'learn', 'champion', folder, *longer)}"
