"""
Scores the networks of DeepRocket on the test games, beside the published accuracies.

    python -m tools.training.rocket.evaluate results/rocket data/rocket --json results/rocket/scores.json
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
import torch
from rich.table import Table as Printed

from ...shared.interrupts import Command
from ...shared.terminal import Console
from ..shared.checkpoints import read_state, weights_hash
from ..shared.learning import predictions
from ..shared.shard_files import Array
from ..shared.train_command import MODEL
from .dataset import Table, load_records
from .learning import FORMAT
from .models import NETWORKS
from .train import TABLES


class Accuracy(NamedTuple):
    """How often the likeliest legal output is what the teacher chose."""

    records: int
    accuracy: float
    first_three: float
    """How often the teacher's choice is among the three likeliest."""
    by_chance: float
    """What drawing a legal output would have."""
    loss: float
    """Cross entropy in nats."""


def accuracy_of(logits: Array, allowed: Array, labels: Array) -> Accuracy:
    """Compares logits (n, outputs) with the teacher's choices; *allowed* has 1 where an output was legal."""
    legal = np.where(allowed > 0, logits.astype(np.float64), -np.inf)
    chosen = legal[np.arange(len(labels)), labels]
    rank = (legal > chosen[:, None]).sum(1)
    shifted = legal - legal.max(1, keepdims=True)
    loss = np.log(np.exp(shifted).sum(1)) - shifted[np.arange(len(labels)), labels]
    return Accuracy(
        records=len(labels),
        accuracy=float((rank == 0).mean()),
        first_three=float((rank < 3).mean()),
        by_chance=float((1 / allowed.sum(1)).mean()),
        loss=float(loss.mean()),
    )


def read_model(folder: Path, network: str) -> tuple[torch.nn.Module, dict[str, Any]]:
    """
    Reads a network that was trained into *folder*, and how.

    :raises ValueError: if there is none.
    """
    state = read_state(folder / network / MODEL, FORMAT)
    model = NETWORKS[network]()
    model.load_state_dict(state["model"])
    return model, state["about"]


def scored(model: torch.nn.Module, table: Table, most: int | None, batch: int) -> Accuracy:
    """Scores a network on the first *most* test records of its table."""
    numbers = table.test[:most]
    logits = predictions(model, table, numbers, batch, torch.device("cpu"))
    return accuracy_of(logits, table.allowed(numbers), table.label[numbers])


@click.command(context_settings={"show_default": True}, cls=Command)
@click.argument("output", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--most", type=click.IntRange(1), help="Score on the first N test records only.")
@click.option("--batch", type=click.IntRange(1), default=512, help="Records at once.")
@click.option("--threads", type=click.IntRange(1), default=1, help="Threads of torch.")
@click.option("--json", "file", type=click.Path(path_type=Path, dir_okay=False), help="Write the numbers here too.")
def main(
    output: Path, folders: tuple[Path, ...], most: int | None, batch: int, threads: int, file: Path | None
) -> None:
    """Scores the networks in OUTPUT on the test games of the shards in FOLDERS; the bidder on its own test deals."""
    torch.set_num_threads(threads)
    scores: dict[str, Any] = {}
    try:
        records = load_records(folders)
        for network in TABLES:
            model, about = read_model(output, network)
            found = scored(model, getattr(records, network), most, batch)
            scores[network] = {"weights": weights_hash(model), "learned_from": about["records"], **found._asdict()}
        asked = len(records.policy.test)
        share = asked / (asked + records.settled)
        # Where one main move is legal, or one goes out, the player is right without its networks.
        scores["policy"]["accuracy_of_all"] = share * scores["policy"]["accuracy"] + 1 - share
        bidder, about = read_model(output, "bidder")
        scores["bidder"] = {"weights": weights_hash(bidder), "learned_from": about["records"], **about["scores"]}
    except (ValueError, OSError) as error:
        raise click.UsageError(str(error)) from None
    _show(scores, Console())
    if file:
        file.write_text(json.dumps(scores, indent=1) + "\n", encoding="utf-8")


def _show(scores: dict[str, Any], console: Console) -> None:
    table = Printed(title="The likeliest answer and what the teacher chose, or what came true")
    for heading in ("network", "records", "accuracy %", "by chance %", "in the first three %", "loss"):
        table.add_column(heading, justify="left" if heading == "network" else "right")
    for network in TABLES:
        found = scores[network]
        shares = (f"{100 * found[name]:.2f}" for name in ("accuracy", "by_chance", "first_three"))
        table.add_row(network, f"{found['records']:,}", *shares, f"{found['loss']:.4f}")
    found = scores["bidder"]
    shares = (f"{100 * found[name]:.2f}" for name in ("accuracy", "by_majority"))
    table.add_row("bidder", f"{found['hands']:,}", *shares, "", f"{found['loss']:.4f}")
    console.print(table)
    console.print(f"policy with the settled decisions: {100 * scores['policy']['accuracy_of_all']:.2f} %")


if __name__ == "__main__":
    main()
