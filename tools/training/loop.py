"""
The one loop of all trainings: a folder with a checkpoint and a log, rounds until a goal, networks that are kept.

A recipe is a :class:`Learner`; the loop does the rest. The same command resumes where it was stopped, in whatever way;
at most what was learned since the last checkpoint is lost.
"""

import copy
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from math import inf, isfinite
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeVar

import click

from ..cluster.errors import ClusterError
from ..shared.bars import progress_bar
from ..shared.interrupts import INTERRUPTED, StoppedError, stop_on_signals, stopped_at_once
from ..shared.options import FOLDER, FiniteRange
from ..shared.storage.autosave import FULL
from ..shared.storage.lock import Lock, TakenError
from ..shared.storage.whole_file import PART, put_table
from ..shared.terminal import Console, say
from .checkpoints import CHECKPOINT, read_checkpoint, save_in_one_step
from .figures import LOG, LOG_FIGURE, LogLine, draw
from .strength import Strength

_LOCK = ".lock"
_APART = 2.0
"""Seconds between two states that a training keeps in memory to go back to; a copy of one takes 0.03 s at most."""


class Learner(ABC):
    """
    What a training adds to the loop: its start, its rounds, and the state that it needs to resume.

    What it does next follows from its settings and from what it has done alone. So a training that was stopped ends
    with the same bits as one that was not.
    """

    recipe: ClassVar[str]
    unit: ClassVar[str] = "games"
    """The unit of :attr:`done`."""
    figures: ClassVar[tuple[str, ...]]
    """The columns of the log behind the unit and the seconds."""
    done = 0
    """The amount that was learned from, in units."""
    helped = 0.0
    """CPU seconds of other processes in the last round."""
    helpers = ""
    """Their number and kind, for the bar."""
    stopped: Callable[[], bool] = staticmethod(lambda: False)
    """
    Returns whether the training was stopped.

    A signal interrupts the thread of the round at once, wherever it is. Other threads ask, and raise
    :class:`StoppedError`; what the round has changed is taken back.
    """

    @property
    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """The settings that must stay the same to resume a folder, by option name."""

    @abstractmethod
    def round(self) -> LogLine | None:
        """Plays and learns one round; gets a row of the log, without unit and seconds, where one is due."""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """Gets all that :meth:`load` needs to resume with the same results, but for settings and ``done``."""

    @abstractmethod
    def load(self, state: Mapping[str, Any]) -> None:
        """Resumes from a checkpoint, whose ``learner`` is what :meth:`state` returned."""

    def about(self) -> dict[str, Any]:
        """Gets what a checkpoint says of the training beside where it stands."""
        return self.settings

    def measured(self, _row: int) -> LogLine:
        """Gets more figures for the row of that number, counted from 1; its seconds do not count."""
        return {}

    def keep(self, _folder: Path, _about: dict[str, Any]) -> None:  # noqa: B027 - some have none
        """Keeps the network of this moment in the folder, if such files play."""

    def close(self) -> None:  # noqa: B027 - most have nothing to end
        """Ends whatever runs beside this process."""


class Marks(NamedTuple):
    """Marks on the way of a training, each so many units, or so many seconds, behind the one before."""

    done: float = inf
    seconds: float = inf

    def passed(self, training: "Training") -> float:
        """Counts the marks up to where a training stands; whatever comes first counts."""
        return max(training.learner.done / self.done, training.seconds / self.seconds)


class _Stand(NamedTuple):
    """Where a training stood at a moment."""

    at: float
    """By the monotonic clock."""
    done: int
    seconds: float
    rows: int
    state: dict[str, Any]
    """A copy of what :meth:`Learner.load` takes."""


class Training:
    """
    A training in a folder.

    :raises ClickException: if the folder holds another one.
    """

    def __init__(self, folder: Path, learner: Learner) -> None:
        self.folder, self.learner = folder, learner
        self.seconds = 0.0
        """CPU seconds of all runs together, so that a busy machine changes only the wait."""
        self.rows: list[LogLine] = []
        self._stand: _Stand | None = None
        if self.checkpoint.exists():
            self._load()

    @property
    def checkpoint(self) -> Path:
        """The file with the whole state of the training: settings, learner, log rows and CPU seconds."""
        return self.folder / CHECKPOINT

    @property
    def about(self) -> dict[str, Any]:
        """The recipe, the learner's settings and the rounds or games done, by name."""
        return {"recipe": self.learner.recipe, **self.learner.about(), self.learner.unit: self.learner.done}

    def round(self) -> None:
        """
        Learns one round.

        A signal ends it at once, and puts the training back to where it stood before it or a round at most
        :data:`_APART` seconds earlier.
        """
        if self._stand is None or time.monotonic() - self._stand.at > _APART:
            self._stand = self._copied()
        try:
            with stopped_at_once():
                self._round()
        except StoppedError:
            self._go_back(self._stand)

    def _copied(self) -> _Stand:
        state = {**self.about, "learner": copy.deepcopy(self.learner.state())}
        return _Stand(time.monotonic(), self.learner.done, self.seconds, len(self.rows), state)

    def _go_back(self, stand: _Stand) -> None:
        self.learner.done, self.seconds = stand.done, stand.seconds
        del self.rows[stand.rows :]
        self.learner.load(stand.state)
        self._stand = None  # an optimizer changes what it has loaded

    def _round(self) -> None:
        began = time.process_time()
        row = self.learner.round()
        self.seconds += time.process_time() - began + self.learner.helped
        if row is not None:
            stand = {self.learner.unit: self.learner.done, "seconds": round(self.seconds, 1)}
            self.rows.append({**stand, **row, **self.learner.measured(len(self.rows) + 1)})

    def save(self) -> None:
        """Writes the checkpoint and then the log; a reader finds the old ones or the new ones."""
        state = {**self.about, "seconds": self.seconds, "rows": self.rows, "learner": self.learner.state()}
        save_in_one_step(self.checkpoint, state)
        fields = (self.learner.unit, "seconds", *self.learner.figures)
        put_table(self.folder / LOG, fields, ([row.get(field) for field in fields] for row in self.rows))
        self._stand = None  # nobody goes back behind what was saved

    def keep(self) -> None:
        """Keeps the network of this moment."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.learner.keep(self.folder, self.about)

    def draw(self) -> None:
        """Draws the log."""
        draw(self.folder / LOG_FIGURE, {self.learner.recipe: self.rows})

    def _load(self) -> None:
        state = read_checkpoint(self.checkpoint)
        settings = {"recipe": self.learner.recipe, **self.learner.settings}
        differing = [key for key, setting in settings.items() if state.get(key) != setting]
        # Another recipe has other settings: it alone says enough.
        differing = differing[:1] if differing[:1] == ["recipe"] else differing
        if differing:
            begun = " and ".join(f"{key} {state.get(key)!s:.60}, not {settings[key]!s:.60}" for key in differing)
            raise click.ClickException(f"{self.checkpoint} was begun with {begun}: give the same, or another folder")
        try:
            self.learner.done, self.seconds, self.rows = state[self.learner.unit], state["seconds"], state["rows"]
            self.learner.load(state)
        except (KeyError, ValueError, RuntimeError) as error:
            reason = f"{error!s:.80}"
            raise click.ClickException(f"{self.checkpoint} cannot be read ({reason}): give another folder") from None


_Command = TypeVar("_Command", bound=Callable[..., Any])


def loop_options(command: _Command) -> _Command:
    """Gives a command FOLDER and the options of every training, ``seed`` and what :func:`run` takes."""
    folder = click.argument("folder", type=FOLDER)
    seed = click.option("--seed", type=click.IntRange(0), default=1, help="Root of all randomness.")
    seconds = "Seconds between two checkpoints."
    interval = click.option("--checkpoint", type=FiniteRange(0), default=60.0, help=seconds)
    return folder(seed(interval(click.option("--quiet", is_flag=True, help="No progress bar.")(command))))


def run(
    training: Training, goal: Marks, kept: Marks, checkpoint: float, quiet: bool, strength: Strength | None = None
) -> None:
    """
    Learns until the goal, keeps a network at each mark of *kept* and at the goal, and leaves everything saved.

    With *strength* it is measured how strong the network is, on the way and at the goal. Where a signal stops it, the
    process ends with :data:`INTERRUPTED`.

    :raises ClickException: if another process learns in the folder, or the disk is full.
    :raises ClusterError: where the cluster ends; all is saved.
    """
    training.folder.mkdir(parents=True, exist_ok=True)
    try:
        lock = Lock(training.folder / _LOCK)
    except TakenError:
        reason = "another process learns there: wait for its end, or give another folder"
        raise click.ClickException(f"{training.folder}: {reason}") from None
    with lock:
        # Parts of checkpoints, left by processes that were killed, would fill the disk in time.
        for part in training.folder.glob(f"{CHECKPOINT}.*{PART}"):
            part.unlink(missing_ok=True)
        try:
            _run(training, goal, kept, checkpoint, quiet, strength)
        except OSError as error:
            if error.errno not in FULL:
                raise
            why = FULL[error.errno].format(error.filename or training.folder, error.strerror)
            raise click.ClickException(f"{why}, then run the same command again to resume") from None


def _run(
    training: Training, goal: Marks, kept: Marks, checkpoint: float, quiet: bool, strength: Strength | None
) -> None:
    learner = training.learner
    try:
        with stop_on_signals() as stopped:
            learner.stopped = stopped
            _learn(training, goal, kept, checkpoint, quiet, strength, stopped)
            training.save()
            if strength and not stopped():
                strength.look(learner.done, training.seconds, stopped)
    except ClusterError:
        training.save()
        raise
    finally:
        learner.close()
    rows = training.rows[-1:]
    figures = ", ".join(f"{figure} {row.get(figure)}" for row in rows for figure in learner.figures) or "no row"
    say(f"{training.folder}: {learner.done:,} {learner.unit}, {training.seconds:,.0f} CPU seconds; {figures}")
    if stopped():
        say("Stopped by an interrupt; run the same command again to resume.")
        sys.exit(INTERRUPTED)
    training.draw()
    training.keep()


def _learn(
    training: Training,
    goal: Marks,
    kept: Marks,
    checkpoint: float,
    quiet: bool,
    strength: Strength | None,
    stopped: Callable[[], bool],
) -> None:
    learner, saved = training.learner, time.monotonic()
    with progress_bar(console=Console(stderr=True), disable=quiet) as progress:
        bar = progress.add_task(learner.recipe, total=goal.done if isfinite(goal.done) else round(goal.seconds))
        while goal.passed(training) < 1 and not stopped():
            before = int(kept.passed(training))
            training.round()
            stand = learner.done if isfinite(goal.done) else round(training.seconds)
            if int(kept.passed(training)) > before:
                training.keep()
            due = strength is not None and strength.due(training.seconds)
            if due or time.monotonic() - saved > checkpoint:
                training.save()
                saved = time.monotonic()
            if strength and due:
                strength.look(learner.done, training.seconds, stopped)
            # With both there would be no room for the numbers of the bar.
            figures = strength.text if strength and strength.text else _losses(training)
            parts = (learner.recipe, f"{learner.done:,} {learner.unit}", figures, learner.helpers)
            progress.update(bar, completed=stand, description=", ".join(filter(None, parts)))


def _losses(training: Training) -> str:
    """Says what was measured last of the loss."""
    return ", ".join(
        f"{figure} {row[figure]}" for row in training.rows[-1:] for figure in row if "loss" in figure and row[figure]
    )
