"""
Trains the network MCM on shards of records.

    python -m tools.training.mcm.train results/mcm data/mcm --epochs 3
"""

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import click
import torch
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ...shared.interrupts import Command
from .curves import draw, write_log
from .dataset import load_records
from .learning import Settings, Training, begin, save_in_one_step, weights_hash, weights_of
from .mcm_model import McmModel
from .stopping import INTERRUPTED, stop_on_signals

CHECKPOINT = "checkpoint.pt"
MODEL = "model.pt"
LOG = "loss.csv"
FIGURE = "loss.png"

console = Console(stderr=True)


@click.command(context_settings={"show_default": True}, cls=Command)
@click.argument("output", type=click.Path(path_type=Path, file_okay=False))
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--epochs", type=click.IntRange(1), default=3, help="Passes over all records.")
@click.option("--records", type=click.IntRange(1), help="Learn from the first N records only.")
@click.option("--batch", type=click.IntRange(1), default=512, help="Records in a step.")
@click.option("--rate", type=click.FloatRange(0, min_open=True), default=1e-3, help="The highest learning rate.")
@click.option(
    "--seed", type=click.IntRange(0), default=1, help="Seed of the first weights and of the order of records."
)
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", help="Where to compute.")
@click.option("--bfloat16", is_flag=True, help="Compute with 16 bits: faster on processors that can.")
@click.option("--threads", type=click.IntRange(1), default=os.cpu_count() or 1, help="Threads of torch.")
@click.option("--log-every", type=click.IntRange(1), default=200, help="Steps between two lines of the log.")
@click.option("--save-every", type=float, default=120.0, help="Seconds between checkpoints: what a kill can lose.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def main(
    output: Path,
    folders: tuple[Path, ...],
    epochs: int,
    records: int | None,
    batch: int,
    rate: float,
    seed: int,
    device: str,
    bfloat16: bool,
    threads: int,
    log_every: int,
    save_every: float,
    quiet: bool,
) -> None:
    """
    Trains on the shards in FOLDERS, 90 % of the games; the loss on the others comes after each epoch.

    OUTPUT gets the checkpoint, the log (loss.csv), the figure (loss.png) and in the end model.pt. The same command
    goes on where an earlier one was stopped, in whatever way.
    """
    if device == "cuda" and not torch.cuda.is_available():
        raise click.UsageError("device cuda: torch finds no such device here")
    settings = Settings(epochs, batch, rate, seed, threads, device, bfloat16)
    try:
        training = opened(output, folders, records, settings)
    except (ValueError, OSError) as error:
        raise click.UsageError(str(error)) from None
    stopped = stop_on_signals()
    with _Bar(training, output, save_every, quiet) as bar:
        finished = training.run(log_every, bar.step, stopped)
    save(training, output)
    if not finished:
        console.print("Stopped by an interrupt; run the same command again to go on.")
        sys.exit(INTERRUPTED)
    save_in_one_step(output / MODEL, {"about": training.about, "model": weights_of(training.model)})
    last = training.rows[-1]
    console.print(
        f"{training.step:,} steps in {last.seconds:,.0f} s ({last.records / last.seconds:,.0f} records a second); "
        f"test loss {last.test_loss:.4f}; weights {weights_hash(training.model)} in {output / MODEL}"
    )


def opened(output: Path, folders: Sequence[Path], most: int | None, settings: Settings) -> Training:
    """
    Makes the training of the first *most* records, or gets it from the checkpoint in *output*.

    :raises ValueError: if there are no records, or the checkpoint is of another training.
    """
    with console.status("reading shards"):
        records = load_records(folders)
    console.print(records.summary())
    if most is not None:
        records.keep(most)
    begin(settings)
    training = Training(McmModel(), records, settings)
    output.mkdir(parents=True, exist_ok=True)
    if (output / CHECKPOINT).exists():
        training.resume(output / CHECKPOINT)
        console.print(f"Going on from step {training.step:,} of {training.steps:,}.")
    return training


def save(training: Training, output: Path) -> None:
    """Writes checkpoint, log and figure."""
    training.save(output / CHECKPOINT)
    write_log(output / LOG, training.rows)
    draw(output / FIGURE, training.rows)


class _Bar:
    """The progress bar, and the clock of the checkpoints."""

    def __init__(self, training: Training, output: Path, save_every: float, quiet: bool) -> None:
        self._training = training
        self._output = output
        self._save_every = save_every
        self._saved = time.monotonic()
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=console,
            disable=quiet,
        )
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
            save(self._training, self._output)
            self._saved = time.monotonic()


if __name__ == "__main__":
    main()
