"""
Packs the three networks of DeepRocket into one file: ``python -m tools.training.rocket.export results/rocket --crown``.

Weights become float16, biases stay float32.
"""

import json
from pathlib import Path
from typing import Any

import click
import numpy as np

from ddzbot.net.packed import Packed, Tensor
from ddzbot.net.reigning import weights_folder
from ddzbot.net.rocket_cnn import ARCHITECTURE, SHAPES
from ddzbot.net.rocket_features import NAME
from ddzbot.rules import RULE_SETS

from ...release import weights_file
from ...release.weights_file import float_tensor
from ...shared.default_rules import DEFAULT_RULES
from ...shared.interrupts import Command
from ..shared.checkpoints import weights_of
from .evaluate import read_model
from .models import NETWORKS

DTYPE = "float16"


def packed_networks(folder: Path, scores: dict[str, Any]) -> Packed:
    """
    Packs what was trained into *folder*; *scores* stand in its description.

    :raises ValueError: if a network is missing, or the policy network learned from other features.
    """
    tensors: dict[str, Tensor] = {}
    data: dict[str, Any] = {}
    settings: dict[str, Any] = {}
    rules = DEFAULT_RULES
    for network in NETWORKS:
        model, about = read_model(folder, network)
        for name, values in weights_of(model).items():
            array = values.numpy()
            tensors[f"{network}.{name}"] = float_tensor(array, DTYPE if array.ndim > 1 else "float32")
        data[network] = {"records": about["records"], "digest": about.get("data"), "deals": about.get("deals")}
        left_out = ("format", "data", "records", "games", "deals", "shapes", "scores")
        settings[network] = {name: value for name, value in about.items() if name not in left_out}
        for games in about.get("games", []):
            rules = games["rules"]
            data[network]["games"] = {name: value for name, value in games.items() if name not in ("format", "games")}
            if games["features"] != NAME:
                raise ValueError(f"{folder / network}: it learned from features {games['features']}, not {NAME}")
    description = {
        "data": data,
        "command": "python -m tools.training.rocket.train OUTPUT SHARDS --network NETWORK",
        "results": {"settings": settings, "scores": scores},
    }
    return Packed(NAME, rules, ARCHITECTURE, {name: tensors[name] for name in SHAPES}, description)


def largest_change(network: Packed, folder: Path) -> float:
    """Gets by how much packing changed a weight at most."""
    changes = []
    for name in NETWORKS:
        for field, values in weights_of(read_model(folder, name)[0]).items():
            tensor = network.tensors[f"{name}.{field}"]
            packed = np.array(tensor.floats(), "f4").reshape(tensor.shape)
            changes.append(float(np.abs(packed - values.numpy()).max()))
    return max(changes)


@click.command(cls=Command)
@click.argument("training", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--scores", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="What evaluate wrote.")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), default=weights_folder, help="Where to.")
@click.option("--crown", is_flag=True, help="Let it play, and bid, under every rule set.")
def main(training: Path, scores: Path | None, folder: Path, crown: bool) -> None:
    """Pack the networks in the folder TRAINING, and list the file in the manifest."""
    try:
        told = json.loads(scores.read_text("utf-8")) if scores else {}
        network = packed_networks(training, told)
        network.expect(ARCHITECTURE, SHAPES)
        path = weights_file.write(folder, "rocket", network)
        weights_file.enter(path)
        for rules in RULE_SETS if crown else ():
            weights_file.crown(path, rules)
    except (ValueError, OSError) as error:
        raise click.ClickException(f"{training}: {error}") from None
    changed = largest_change(network, training)
    click.echo(f"{path}: {path.stat().st_size:,} bytes; packing changed no weight by more than {changed:.2g}")


if __name__ == "__main__":
    main()
