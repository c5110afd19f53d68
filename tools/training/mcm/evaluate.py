"""
Scores a trained network MCM on the test games.

    python -m tools.training.mcm.evaluate results/mcm data/mcm --json results/mcm/scores.json
"""

import json
import os
from pathlib import Path
from typing import Any

import click
import torch
from rich.table import Table

from ...shared.interrupts import Command
from ...shared.terminal import Console
from ..shared.checkpoints import read_state, weights_hash
from ..shared.shard_files import Array
from ..shared.train_command import MODEL
from .dataset import Records, load_records, of_side
from .learning import FORMAT, values
from .mcm_model import McmModel
from .scores import Choices, by_hand_sizes, by_mean, choices, loss, noise


@click.command(context_settings={"show_default": True}, cls=Command)
@click.argument("output", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--batch", type=click.IntRange(1), default=1024, help="Records at once.")
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", help="Where to compute.")
@click.option("--threads", type=click.IntRange(1), default=os.cpu_count() or 1, help="Threads of torch.")
@click.option("--json", "file", type=click.Path(path_type=Path, dir_okay=False), help="Write the numbers here too.")
def main(output: Path, folders: tuple[Path, ...], batch: int, device: str, threads: int, file: Path | None) -> None:
    """
    Scores OUTPUT/model.pt on the test games of the shards in FOLDERS: loss beside baselines, and agreement.

    The baselines learn from the training games of the same shards.
    """
    if device == "cuda" and not torch.cuda.is_available():
        raise click.UsageError("device cuda: torch finds no such device here")
    torch.set_num_threads(threads)
    console = Console()
    try:
        state = read_state(output / MODEL, FORMAT)
        model = McmModel()
        model.load_state_dict(state["model"])
        with console.status("reading shards"):
            records = load_records(folders)
        if not len(records.test) or not len(records.training):
            raise ValueError(f"{', '.join(map(str, folders))}: too few games for a test; {records.summary()}")
    except (ValueError, RuntimeError, OSError) as error:
        raise click.UsageError(str(error)) from None
    with console.status("valuing"):
        found = values(model.to(device), records, records.test, batch, torch.device(device))
    scores = {"weights": weights_hash(model), "about": state["about"], **scores_of(found, records)}
    console.print(records.summary())
    show(scores, console)
    if file:
        file.write_text(json.dumps(scores, indent=1) + "\n", encoding="utf-8")


def scores_of(found: Array, records: Records) -> dict[str, Any]:
    """Scores predictions of all test records, on all of them and by side."""
    baselines = {"mean": by_mean(records, records.test), "side and hand sizes": by_hand_sizes(records, records.test)}
    ways = {"network": found, **baselines}
    sides = {
        "all": records.test,
        "landlord": of_side(records, records.test, landlord=True),
        "peasants": of_side(records, records.test, landlord=False),
    }
    by_side = {}
    for side, numbers in sides.items():
        at = _places(numbers, records.test)
        by_side[side] = {
            "records": len(numbers),
            "loss": {way: loss(guesses[at], records, numbers) for way, guesses in ways.items()},
            "noise": noise(records, numbers),
            "choices": choices(found[at], records, numbers)._asdict(),
        }
    return {"sides": by_side}


def _places(some: Array, numbers: Array) -> Array:
    at: Array = numbers.searchsorted(some)
    return at


def show(scores: dict[str, Any], console: Console) -> None:
    """Prints both tables."""
    losses = Table(title="Mean L1 loss on the test games, in points")
    agreements = Table(title="The highest prediction and the search's choice")
    for heading in ("side", "records", "network", "mean", "side and hand sizes", "noise of the payoffs"):
        losses.add_column(heading, justify="left" if heading == "side" else "right")
    for heading in ("side", "decisions", "agree %", "by chance %", "points lost", "lost by chance"):
        agreements.add_column(heading, justify="left" if heading == "side" else "right")
    for side, scored in scores["sides"].items():
        figures = (*scored["loss"].values(), scored["noise"])
        losses.add_row(side, f"{scored['records']:,}", *(f"{figure:.4f}" for figure in figures))
        chosen = Choices(**scored["choices"])
        shares = (f"{100 * share:.1f}" for share in (chosen.agreement, chosen.by_chance))
        points = (f"{each:.3f}" for each in (chosen.lost, chosen.lost_by_chance))
        agreements.add_row(side, f"{chosen.decisions:,}", *shares, *points)
    console.print(losses)
    console.print(agreements)


if __name__ == "__main__":
    main()
