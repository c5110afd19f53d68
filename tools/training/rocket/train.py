"""
Trains a network of DeepRocket on shards of records.

    python -m tools.training.rocket.train results/rocket data/rocket --network policy
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ...shared.interrupts import Command, stop_on_signals
from ..shared.learning import Settings, begin
from ..shared.train_command import console, learn, learning_options, resumed, settings_of
from .dataset import Table, load_records
from .learning import Training
from .models import NETWORKS

TABLES = ("policy", "kicker")
"""The networks that learn from shards; the bidder learns from deals."""
UNIT = "cross entropy (nats)"


@click.command(context_settings={"show_default": True}, cls=Command)
@click.argument("output", type=click.Path(path_type=Path, file_okay=False))
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--network", type=click.Choice(TABLES), default="policy", help="Which network learns.")
@click.option("--test", type=click.IntRange(1), default=20_000, help="Records of the test after each epoch, at most.")
@learning_options(epochs=2, batch=256)
def main(output: Path, folders: tuple[Path, ...], network: str, test: int, records: int | None, **given: Any) -> None:
    """
    Trains on the shards in FOLDERS, 90 % of the games; the loss on the others comes after each epoch.

    OUTPUT gets a folder with the name of the network: the checkpoint, the log (loss.csv), the figure (loss.png) and
    in the end model.pt. The same command goes on where an earlier one was stopped, in whatever way.
    """
    settings = settings_of(given)
    try:
        training = opened(output / network, folders, network, (records, test), settings)
    except (ValueError, OSError) as error:
        raise click.UsageError(str(error)) from None
    title = f"DeepRocket: {network} network against the teacher's choice"
    with stop_on_signals() as stopped:
        learn(training, output / network, title, UNIT, given, stopped)


def opened(
    output: Path, folders: Sequence[Path], network: str, most: tuple[int | None, int], settings: Settings
) -> Training:
    """
    Makes the training of the first records, *most* of training and test, or gets it from the checkpoint in *output*.

    :raises ValueError: if there are no records, or the checkpoint is of another training.
    """
    with console.status("reading shards"):
        table: Table = getattr(load_records(folders), network)
    console.print(table.summary())
    if most[0] is not None:
        table.keep(most[0])
    table.keep_test(most[1])
    begin(settings)
    training = Training(NETWORKS[network](), table, settings)
    resumed(training, output)
    return training


if __name__ == "__main__":
    main()
