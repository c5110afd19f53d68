"""What the commands share that train a network: options, the progress bar, and the files in the folder."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
import torch

from ...shared.bars import progress_bar
from ...shared.interrupts import INTERRUPTED
from ...shared.options import FiniteRange
from ...shared.terminal import Console
from .checkpoints import save_in_one_step, weights_hash, weights_of
from .curves import draw, write_log
from .learning import Settings, Training

CHECKPOINT = "checkpoint.pt"
MODEL = "model.pt"
LOG = "loss.csv"
FIGURE = "loss.png"

console = Console(stderr=True)

_Command = TypeVar("_Command", bound=Callable[..., Any])


def learning_options(epochs: int, batch: int) -> Callable[[_Command], _Command]:
    """Adds the options of every training to a command, with these defaults; :func:`settings_of` reads them."""
    seeds = "Seed of the first weights and of the order of records."
    added = [
        click.option("--epochs", type=click.IntRange(1), default=epochs, help="Passes over all records."),
        click.option("--records", type=click.IntRange(1), help="Learn from the first N records only."),
        click.option("--batch", type=click.IntRange(1), default=batch, help="Records in a step."),
        click.option("--rate", type=FiniteRange(0, min_open=True), default=1e-3, help="The highest learning rate."),
        click.option("--seed", type=click.IntRange(0), default=1, help=seeds),
        click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", help="Where to compute."),
        click.option("--bfloat16", is_flag=True, help="Compute with 16 bits: faster on processors that can."),
        click.option("--threads", type=click.IntRange(1), default=os.cpu_count() or 1, help="Threads of torch."),
        click.option("--log-every", type=click.IntRange(1), default=200, help="Steps between two lines of the log."),
        click.option("--save-every", type=FiniteRange(0), default=120.0, help="Seconds between checkpoints."),
        click.option("--quiet", is_flag=True, help="No progress bar."),
    ]

    def add(command: _Command) -> _Command:
        for option in reversed(added):
            command = option(command)
        return command

    return add


def settings_of(given: dict[str, Any]) -> Settings:
    """
    Gets the settings out of the options of a command.

    :raises UsageError: for a device that is not there.
    """
    if given["device"] == "cuda" and not torch.cuda.is_available():
        raise click.UsageError("device cuda: torch finds no such device here")
    return Settings(**{name: given[name] for name in Settings._fields})


def resumed(training: Training, output: Path) -> Training:
    """
    Goes on from the checkpoint in *output*, if there is one.

    :raises ValueError: if that is of another training.
    """
    output.mkdir(parents=True, exist_ok=True)
    if (output / CHECKPOINT).exists():
        training.resume(output / CHECKPOINT)
        console.print(f"Going on from step {training.step:,} of {training.steps:,}.")
    return training


def learn(
    training: Training, output: Path, title: str, unit: str, given: dict[str, Any], stopped: Callable[[], bool]
) -> None:
    """
    Trains until the end, and writes the files; *title* and *unit* stand on the figure.

    Where somebody stops it, the process ends with :data:`INTERRUPTED`, and everything is saved.
    """

    def save() -> None:
        training.save(output / CHECKPOINT)
        write_log(output / LOG, training.rows)
        draw(output / FIGURE, training.rows, title, unit)

    with _Bar(training, save, given["save_every"], given["quiet"]) as bar:
        finished = training.run(given["log_every"], bar.step, stopped)
    save()
    if not finished:
        console.print("Stopped by an interrupt; run the same command again to go on.")
        sys.exit(INTERRUPTED)
    save_in_one_step(output / MODEL, {"about": training.about, "model": weights_of(training.model)})
    last = training.rows[-1]
    console.print(
        f"{training.step:,} steps in {last.seconds:,.0f} s ({last.records / last.seconds:,.0f} records a second); "
        f"test loss {last.test_loss:.4f}; weights {weights_hash(training.model)} in {output / MODEL}"
    )


class _Bar:
    """The progress bar, and the clock of the checkpoints."""

    def __init__(self, training: Training, save: Callable[[], None], save_every: float, quiet: bool) -> None:
        self._training = training
        self._save = save
        self._save_every = save_every
        self._saved = time.monotonic()
        self._bar = progress_bar(console=console, disable=quiet)
        self._task = self._bar.add_task("learning", total=training.steps, completed=training.step)

    def __enter__(self) -> "_Bar":
        self._bar.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._bar.stop()

    def step(self) -> None:
        """Shows a step, and saves now and then."""
        told = self._training.rows[-1:]
        text = "".join(f"loss {row.train_loss:.4f}" for row in told) or "learning"
        self._bar.update(self._task, description=text, completed=self._training.step)
        if time.monotonic() - self._saved >= self._save_every:
            self._save()
            self._saved = time.monotonic()
