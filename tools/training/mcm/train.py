"""
Trains the network MCM on shards of records.

    python -m tools.training.mcm.train results/mcm data/mcm --epochs 3
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ...shared.interrupts import Command, stop_on_signals
from ..shared.learning import Settings, begin
from ..shared.train_command import console, learn, learning_options, resumed, settings_of
from .dataset import load_records
from .learning import Training
from .mcm_model import McmModel

TITLE = "MCM: predicted against searched payoff"
UNIT = "L1 loss (points)"


@click.command(context_settings={"show_default": True}, cls=Command)
@click.argument("output", type=click.Path(path_type=Path, file_okay=False))
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, file_okay=False, exists=True))
@learning_options(epochs=3, batch=512)
def main(output: Path, folders: tuple[Path, ...], records: int | None, **given: Any) -> None:
    """
    Trains on the shards in FOLDERS, 90 % of the games; the loss on the others comes after each epoch.

    OUTPUT gets the checkpoint, the log (loss.csv), the figure (loss.png) and in the end model.pt. The same command
    goes on where an earlier one was stopped, in whatever way.
    """
    settings = settings_of(given)
    try:
        training = opened(output, folders, records, settings)
    except (ValueError, OSError) as error:
        raise click.UsageError(str(error)) from None
    with stop_on_signals() as stopped:
        learn(training, output, TITLE, UNIT, given, stopped)


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
    resumed(training, output)
    return training


if __name__ == "__main__":
    main()
