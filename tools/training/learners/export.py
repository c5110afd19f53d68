"""Packs the network of a learner: ``python -m tools.training.learners.export FOLDER --crown``."""

from pathlib import Path
from typing import Any

import click
import numpy as np

from ddzbot.net.packed import Packed
from ddzbot.net.reigning import weights_folder
from ddzbot.rules import RULE_SETS

from ...release import weights_file
from ...release.weights_file import float_tensor
from ...shared.interrupts import Command
from ...shared.terminal import say
from .training import Row, read_state

FEATURES = {"cql": "cql-1", "dqn": "dqn-1", "a3c": "a3c-1"}
_LEFT_OUT = ("value.weight", "value.bias")
"""What only learning needs."""


def packed_net(state: dict[str, Any]) -> Packed:
    """
    Makes a weights file's contents of a checkpoint's network: weights as float16, biases as float32.

    What it took is not in it, so that the same training is the same file.
    """
    numbers = {name: tensor.numpy() for name, tensor in state["learner"]["net"].items() if name not in _LEFT_OUT}
    tensors = {
        name: float_tensor(np.asarray(values), "float16" if values.ndim > 1 else "float32")
        for name, values in numbers.items()
    }
    name, rules = state["algorithm"], state["rules"]
    command = (
        f"python -m tools.training.learners.train {name} FOLDER --games {state['games']} "
        f"--rules {rules} --seed {state['seed']}"
    )
    data = {"games": state["games"], "seed": state["seed"]}
    return Packed(
        FEATURES[name],
        rules,
        state["architecture"],
        tensors,
        {"data": data, "command": command, "results": _results(state)},
    )


def _results(state: dict[str, Any]) -> dict[str, Any]:
    """Gets the last measurement, if there is one."""
    measured = [row for row in (Row(*row) for row in state["rows"]) if row.wp_rhcp is not None]
    if not measured:
        return {}
    last = measured[-1]
    return {"games": last.games, "landlord against rule": last.wp_rule, "landlord against rhcp": last.wp_rhcp}


@click.command(cls=Command)
@click.argument("source", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="FOLDER")
@click.option(
    "--folder", type=click.Path(file_okay=False, path_type=Path), default=weights_folder, help="Folder to write to."
)
@click.option("--crown", is_flag=True, help="Make it the network that plays under every rule set.")
def main(source: Path, folder: Path, crown: bool) -> None:
    """Pack the network of the training in FOLDER, and list it in the manifest."""
    state = read_state(source / "checkpoint.pt")
    path = weights_file.write(folder, state["algorithm"], packed_net(state))
    weights_file.enter(path)
    for rules in RULE_SETS if crown else ():
        weights_file.crown(path, rules)
    minutes = state["seconds"] / 60
    say(f"{path}: {path.stat().st_size:,} bytes, {state['games']:,} games, {minutes:.1f} minutes of a processor")


if __name__ == "__main__":
    main()
