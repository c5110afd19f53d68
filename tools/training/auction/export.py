"""Packs a network that values bids: ``python -m tools.training.auction.export FOLDER --crown``."""

from pathlib import Path
from typing import Any

import click
import numpy as np

from ddzbot.kernel.bid_records import BidParameters
from ddzbot.net.bid_net import ARCHITECTURE, NAME, SHAPES
from ddzbot.net.packed import Packed, Tensor
from ddzbot.net.reigning import weights_folder
from ddzbot.rules import RULE_SETS

from ...release import weights_file
from ...release.weights_file import integer_tensor
from ...shared.interrupts import Command
from ...shared.terminal import say
from .learn import read_checkpoint
from .network import AuctionNet


def tensors_of(parameters: BidParameters) -> dict[str, Tensor]:
    """Names and shapes what the kernel computes with, as a file has it."""
    return {
        name: integer_tensor(np.array(numbers).reshape(SHAPES[name]), "int32" if name.endswith("_bias") else "int16")
        for name, numbers in parameters._asdict().items()
    }


def read_net(path: Path) -> tuple[AuctionNet, dict[str, Any]]:
    """
    Reads the averaged network of a training, and how it was trained.

    :raises click.ClickException: if the file is not a checkpoint.
    """
    state = read_checkpoint(path)
    net = AuctionNet()
    net.load_state_dict(state["learner"]["averaged"])
    return net, state


def packed_net(net: AuctionNet, state: dict[str, Any], results: dict[str, Any]) -> Packed:
    """Makes a weights file's contents of a network; *state* is what :func:`read_net` found beside it."""
    settings, schedule = state["settings"], state["settings"]["schedule"]
    command = (
        f"python -m tools.training.auction.learn FOLDER --from DEALS --deals {settings['deals']}"
        f" --rounds {schedule['rounds']} --steps {schedule['steps']} --batch {schedule['batch']}"
        f" --others {schedule['others']} --seed {settings['seed']}"
    )
    data = {"deals": settings["deals"], "deals_seed": settings["source_seed"], "played_by": settings["weights"]}
    last = {name: state["rows"][-1][name] for name in ("round", "changed", "unbid", "stake")}
    description = {"data": data, "command": command, "results": {"last_round": last, **results}}
    return Packed(NAME, settings["rules"], ARCHITECTURE, tensors_of(net.parameters_for_kernel()), description)


@click.command(cls=Command)
@click.argument("training", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), default=weights_folder, help="Where to.")
@click.option("--crown", is_flag=True, help="Make it the network that bids under every rule set with an auction.")
def main(training: Path, folder: Path, crown: bool) -> None:
    """Pack the averaged network of a TRAINING, and list it in the manifest."""
    net, state = read_net(training / "checkpoint.pt")
    if not state["rows"]:
        raise click.ClickException(f"{training}: no round is over yet")
    path = weights_file.write(folder, "bid", packed_net(net, state, {}))
    weights_file.enter(path)
    for rules in RULE_SETS.values() if crown else ():
        if rules.bidding:
            weights_file.crown(path, rules.name)
    say(f"{path}: {path.stat().st_size:,} bytes, {state['settings']['deals']:,} deals")


if __name__ == "__main__":
    main()
