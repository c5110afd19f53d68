"""
Trains DouZero's networks from nothing: ``python -m tools.training.zero.train FOLDER --hours 3``.

The same command goes on where it was stopped; at most the games since the last checkpoint are lost. One thread plays
and learns; the hours are those of its processor, so that a busy machine changes nothing but the wait. Whenever it
ends, it keeps its networks. After as many ``--games`` from one seed they are the same, bit by bit.
"""

import json
import sys
import time
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch
from numpy.typing import NDArray

from ddzbot.kernel import native
from ddzbot.kernel.binding import Kernel
from ddzbot.rules import RuleSet, rule_set

from ...opponents import douzero_weights
from ...shared.bars import progress_bar
from ...shared.default_rules import DEFAULT_RULES
from ...shared.interrupts import INTERRUPTED, Command, stop_on_signals
from ...shared.kept.whole_file import put_table
from ..shared.checkpoints import save_in_one_step
from .games import Games, Lister, deals
from .learner import EpsilonGreedy, Learner, Schedule

ROUND_GAMES = 512
"""Games that are played side by side, and learned from after."""
OBJECTIVES = ("wp", "adp")
"""What is learned: winning, or points that every bomb doubles."""
LOG_FIELDS = ("games", "seconds", "rate", "landlord_wins", "plies", "decisions", "loss_0", "loss_1", "loss_2")


class Training:
    """A training in a folder: its checkpoint, its log, and the rounds that move it on."""

    def __init__(
        self, folder: Path, rules: RuleSet, kernel: Kernel, width: int, objective: str, seed: int, schedule: Schedule
    ) -> None:
        self.folder, self.rules, self.width, self.objective, self.seed = folder, rules, width, objective, seed
        self.learner = Learner(width, schedule, seed)
        self._lister = Lister(kernel, rules)
        self.games = 0
        self.seconds = 0.0
        """Of the processor, over all runs."""
        self._rows: list[dict[str, Any]] = []
        if self.checkpoint.exists():
            self._load()

    @property
    def checkpoint(self) -> Path:
        """The file that holds everything."""
        return self.folder / "checkpoint.pt"

    @property
    def _begun_with(self) -> dict[str, Any]:
        return {"rules": self.rules.name, "width": self.width, "objective": self.objective, "seed": self.seed}

    def round(self) -> None:
        """Plays a round of games and learns from it."""
        started = time.process_time()
        random = np.random.default_rng(_round_seed(self.seed, self.games // ROUND_GAMES))
        rate = self.learner.set_rate(self.games)
        games = Games(self.rules, self._lister, deals(self.rules, ROUND_GAMES, random))
        games.play(EpsilonGreedy(self.learner.nets, self.learner.schedule.explore, random))
        ended = games.ended(results(games.winners, games.bombs, self.objective))
        losses = self.learner.learn(ended.samples, random, self.games // ROUND_GAMES)
        self.games += ROUND_GAMES
        self.seconds += time.process_time() - started
        numbers = (
            *(self.games, round(self.seconds, 1), f"{rate:.3g}", round(ended.landlord_wins / ROUND_GAMES, 4)),
            *(round(ended.plies / ROUND_GAMES, 2), ended.decisions, *(round(loss, 5) for loss in losses)),
        )
        self._rows.append(dict(zip(LOG_FIELDS, numbers, strict=True)))

    def save(self) -> None:
        """Writes the checkpoint and then the log; a reader sees either the old or the new one."""
        state = {
            **self._begun_with,
            "games": self.games,
            "seconds": self.seconds,
            "rows": self._rows,
            "learner": self.learner.state(),
        }
        save_in_one_step(self.checkpoint, state)
        put_table(self.folder / "log.csv", LOG_FIELDS, ([row.get(name) for name in LOG_FIELDS] for row in self._rows))

    def keep_snapshot(self) -> None:
        """Keeps the averaged networks of this moment, packed, under the number of their games; the log has the time."""
        words = {**self._begun_with, "games": self.games, **asdict(self.learner.schedule)}
        path = self.folder / f"net-{self.games:09d}.npz"
        douzero_weights.write(path, self.learner.averaged, json.dumps(words))

    def _load(self) -> None:
        try:
            state = torch.load(self.checkpoint, weights_only=True)
            begun = {name: state[name] for name in self._begun_with}
        except Exception:  # torch raises whatever the bytes lead it to
            raise click.ClickException(f"{self.checkpoint} cannot be read: give another folder") from None
        if begun != self._begun_with:
            options = " ".join(f"--{name} {value}" for name, value in begun.items())
            raise click.ClickException(f"{self.checkpoint} was begun with {options}: give the same, or another folder")
        self.games, self.seconds, self._rows = state["games"], state["seconds"], state["rows"]
        self.learner.load_state(state["learner"])


def results(winners: NDArray[np.uint8], bombs: NDArray[np.uint8], objective: str) -> NDArray[np.float32]:
    """Gets [games], what the landlord has of each: 1 or -1, and for points twice as much with every bomb."""
    won = np.where(winners == 0, 1.0, -1.0)
    return (won * 2.0**bombs if objective == "adp" else won).astype(np.float32)


def _round_seed(root: int, number: int) -> int:
    return int.from_bytes(sha256(f"train/{root}/zero/{number:06d}".encode()).digest()[:8], "big")


@click.command(cls=Command)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--hours", default=3.0, show_default=True, help="Hours of one processor in all.")
@click.option("--games", type=click.IntRange(1), help="Games in all, if they come before the hours do.")
@click.option("--rules", "rules_name", default=DEFAULT_RULES, show_default=True, help="Rule set.")
@click.option("--width", default=128, show_default=True, help="Units of a layer; the published networks have 512.")
@click.option("--objective", type=click.Choice(OBJECTIVES), default="wp", show_default=True, help="What is learned.")
@click.option("--rate", default=Schedule.rate, show_default=True, help="Learning rate at first.")
@click.option("--seed", default=1, show_default=True, help="Root of all randomness.")
@click.option("--checkpoint", "interval", default=60.0, show_default=True, help="Seconds between two checkpoints.")
@click.option("--snapshot", default=300.0, show_default=True, help="Seconds between two networks that are kept.")
def main(
    folder: Path,
    hours: float,
    games: int | None,
    rules_name: str,
    width: int,
    objective: str,
    rate: float,
    seed: int,
    interval: float,
    snapshot: float,
) -> None:
    """Train DouZero's networks in FOLDER, or go on with it. All seconds are those of the processor."""
    kernel = native()
    if kernel is None:
        raise click.ClickException("Self-play needs the kernel: run make kernel.")
    if width < 4 or width % 4:
        raise click.UsageError(f"--width {width} is not a multiple of 4")
    training = Training(folder, rule_set(rules_name), kernel, width, objective, seed, Schedule(rate))

    def share() -> float:
        return max(training.seconds / (3600 * hours), training.games / games if games else 0.0)

    with stop_on_signals() as stopped, progress_bar() as progress:
        bar = progress.add_task("games", total=100)
        saved = training.seconds
        while share() < 1 and not stopped():
            before = training.seconds
            training.round()
            progress.update(bar, completed=100 * share(), description=f"{training.games:,} games")
            if training.seconds // snapshot > before // snapshot:
                training.keep_snapshot()
            if training.seconds - saved > interval:
                training.save()
                saved = training.seconds
        training.save()
    if training.games:
        training.keep_snapshot()
    if stopped():
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
