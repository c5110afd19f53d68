"""
Trains the network that values bids: ``python -m tools.training.auction.learn FOLDER --from DEALS``.

DEALS is a folder of :mod:`tools.training.auction.generate`. The same command goes on where it was stopped; whatever
happens, at most one round is lost.
"""

import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
import torch
from rich.table import Table as RichTable

from ddzbot.kernel import native
from ddzbot.rules import rule_set

from ...shared.interrupts import Command
from ...shared.kept.whole_file import put_table
from ...shared.terminal import Console, say
from ..shared.checkpoints import save_in_one_step
from .deals import read_deals, read_head
from .learner import Check, Learner, Schedule, Table, check

CHECKED = 8_192
"""Deals that are kept for the table of the rounds, the last ones."""
_FIELDS = ("round", "heat", "loss", "error", "changed", "unbid", "stake", "bids_0", "bids_1", "bids_2", "seconds")


class Training:
    """A training in a folder: its checkpoint and its log."""

    def __init__(self, folder: Path, settings: dict[str, Any], schedule: Schedule, seed: int) -> None:
        self.folder, self.settings = folder, {**settings, "seed": seed, "schedule": asdict(schedule)}
        self.learner = Learner(schedule, seed)
        self.rows: list[dict[str, Any]] = []
        if self.checkpoint.exists():
            self._load()

    @property
    def checkpoint(self) -> Path:
        """The file that holds everything."""
        return self.folder / "checkpoint.pt"

    def note(self, loss: float, found: Check, seconds: float) -> None:
        """Adds a round to the log."""
        numbers = (
            *(self.learner.round, round(self.learner.schedule.heat(self.learner.round - 1), 4), round(loss, 5)),
            *(round(found.error, 4), round(100 * found.changed, 3), round(100 * found.unbid, 3), round(found.stake, 4)),
            *(" ".join(f"{100 * share:.1f}" for share in row) for row in found.bids),
            round(seconds, 1),
        )
        self.rows.append(dict(zip(_FIELDS, numbers, strict=True)))

    def save(self) -> None:
        """Writes checkpoint and log; a reader sees either the old or the new ones."""
        state = {"settings": self.settings, "rows": self.rows, "learner": self.learner.state()}
        save_in_one_step(self.checkpoint, state)
        put_table(self.folder / "rounds.csv", _FIELDS, ([row.get(name) for name in _FIELDS] for row in self.rows))

    def _load(self) -> None:
        state = read_checkpoint(self.checkpoint)
        if state["settings"] != self.settings:
            raise click.ClickException(
                f"{self.checkpoint} was begun with {state['settings']}: give the same, or another folder"
            )
        self.rows = state["rows"]
        self.learner.load_state(state["learner"])


def read_checkpoint(path: Path) -> dict[str, Any]:
    """
    Reads the state of a training.

    :raises click.ClickException: if the file is none.
    """
    try:
        state = torch.load(path, weights_only=True)
        state["settings"], state["rows"], state["learner"]
    except Exception:  # torch raises whatever the bytes lead it to
        raise click.ClickException(f"{path}: this is not a training of the auction") from None
    return dict(state)


def rounds_table(rows: list[dict[str, Any]]) -> RichTable:
    """Shows the rounds: how bids and values come to agree."""
    table = RichTable(
        "round", "heat", "loss", "error", "changed %", "unbid %", "stake", "bids 0-3 % first", "second", "third"
    )
    for row in rows:
        table.add_row(*(str(row[field]) for field in _FIELDS[:-1]))
    return table


@click.command(cls=Command)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--from", "source", required=True, type=click.Path(exists=True, path_type=Path, file_okay=False), help="Of deals."
)
@click.option("--deals", type=click.IntRange(2 * CHECKED), help="Use the first so many; all by default.")
@click.option("--rounds", default=Schedule.rounds, show_default=True, help="Until bids and values agree.")
@click.option("--steps", default=Schedule.steps, show_default=True, help="Steps of a round.")
@click.option("--batch", default=Schedule.batch, show_default=True, help="Deals of a step.")
@click.option("--others", default=Schedule.others, show_default=True, help="Share of bidders who count their hand.")
@click.option("--seed", default=1, show_default=True, help="Root of all randomness.")
@click.option("--threads", default=1, show_default=True, help="Of torch.")
def main(
    folder: Path,
    source: Path,
    deals: int | None,
    rounds: int,
    steps: int,
    batch: int,
    others: float,
    seed: int,
    threads: int,
) -> None:
    """Train the network that values bids in FOLDER, or go on with it."""
    kernel = native()
    if kernel is None:
        raise click.ClickException("The training needs the kernel: run make kernel.")
    torch.set_num_threads(threads)
    head = read_head(source)
    dealt = read_deals(source, deals)
    if len(dealt) < 2 * CHECKED:
        raise click.ClickException(f"{source} has {len(dealt):,} deals: {2 * CHECKED:,} are the fewest")
    rules = rule_set(head["rules"])
    settings = {"deals": len(dealt), **head, "source_seed": head["seed"]}
    training = Training(folder, settings, Schedule(rounds, steps, batch, others=others), seed)
    learned, kept = Table(kernel, rules, dealt[:-CHECKED]), Table(kernel, rules, dealt[-CHECKED:])
    while training.learner.round < rounds:
        started = time.monotonic()
        loss = training.learner.learn(learned)
        found = check(training.learner.averaged, training.learner.before, kept)
        training.note(loss, found, time.monotonic() - started)
        training.save()
        say(" ".join(f"{name} {value}" for name, value in training.rows[-1].items()))
    Console().print(rounds_table(training.rows))


if __name__ == "__main__":
    main()
