"""
Packs the networks of DeepRocket: ``python -m tools.training.rocket.export results/rocket --crown``.

Policy and kicker network share a file, and the bidder has one of its own. Weights become float16, biases stay float32.
"""

import json
from pathlib import Path
from typing import Any

import click
import numpy as np

from ddzbot.net import rocket_bidder, rocket_cnn, rocket_features
from ddzbot.net.packed import Packed, Tensor
from ddzbot.net.reigning import weights_folder
from ddzbot.rules import RULE_SETS

from ...release import weights_file
from ...release.weights_file import float_tensor
from ...shared.interrupts import Command
from ...shared.terminal import say
from ..shared.checkpoints import weights_of
from .evaluate import read_model

_LEFT_OUT = ("format", "data", "records", "games", "deals", "shapes", "scores")
"""What of a training stands elsewhere in the description, or is plain."""


def tensors_of(model: Any, prefix: str = "") -> dict[str, Tensor]:
    """Packs the weights of a network, their names after *prefix*."""
    arrays = {name: values.numpy() for name, values in weights_of(model).items()}
    return {
        prefix + name: float_tensor(each, "float16" if each.ndim > 1 else "float32") for name, each in arrays.items()
    }


def packed_player(folder: Path, scores: dict[str, Any]) -> Packed:
    """
    Packs policy and kicker network of *folder*; *scores* stand in the description.

    :raises ValueError: if one is missing, or they learned from other features, or under different rules.
    """
    tensors: dict[str, Tensor] = {}
    data: dict[str, Any] = {}
    settings: dict[str, Any] = {}
    rules = set()
    for network in ("policy", "kicker"):
        model, about = read_model(folder, network)
        tensors.update(tensors_of(model, f"{network}."))
        settings[network] = {name: value for name, value in about.items() if name not in _LEFT_OUT}
        data[network] = {"records": about["records"], "digest": about["data"], "games": about["games"]}
        for games in about["games"]:
            rules.add(games["rules"])
            if games["features"] != rocket_features.NAME:
                raise ValueError(f"{folder / network}: it learned from features {games['features']}")
    if len(rules) != 1:
        raise ValueError(f"{folder}: the networks learned under {len(rules)} rule sets: {', '.join(sorted(rules))}")
    description = {
        "data": data,
        "command": "python -m tools.training.rocket.train OUTPUT SHARDS --network NETWORK",
        "results": {"settings": settings, "scores": {name: scores[name] for name in scores if name != "bidder"}},
    }
    in_order = {name: tensors[name] for name in rocket_cnn.SHAPES}
    return Packed(rocket_features.NAME, rules.pop(), rocket_cnn.ARCHITECTURE, in_order, description)


def packed_bidder(folder: Path) -> Packed:
    """
    Packs the bidder of *folder*.

    :raises ValueError: if there is none.
    """
    model, about = read_model(folder, "bidder")
    settings = {name: value for name, value in about.items() if name not in _LEFT_OUT}
    description = {
        "data": {"hands": about["records"], "deals": about["deals"]},
        "command": "python -m tools.training.rocket.bidder OUTPUT DEALS",
        "results": {"settings": settings, "scores": about["scores"]},
    }
    tensors = tensors_of(model)
    rules = about["deals"]["rules"]
    return Packed(rocket_bidder.NAME, rules, rocket_bidder.ARCHITECTURE, tensors, description)


def changed_by_packing(packed: Packed, folder: Path, networks: dict[str, str]) -> float:
    """Gets by how much packing changed a weight at most; *networks* maps names to prefixes."""
    changes = []
    for network, prefix in networks.items():
        for name, values in weights_of(read_model(folder, network)[0]).items():
            tensor = packed.tensors[prefix + name]
            changes.append(np.abs(np.array(tensor.floats(), "f4").reshape(tensor.shape) - values.numpy()).max())
    return float(max(changes))


@click.command(cls=Command)
@click.argument("training", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--scores", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="What evaluate wrote.")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), default=weights_folder, help="Where to.")
@click.option("--crown", is_flag=True, help="Let them play under every rule set, and bid where there is an auction.")
def main(training: Path, scores: Path | None, folder: Path, crown: bool) -> None:
    """Pack the networks in the folder TRAINING, and list the files in the manifest."""
    try:
        player = packed_player(training, json.loads(scores.read_text("utf-8")) if scores else {})
        bidder = packed_bidder(training)
        for prefix, packed in (("rocket", player), ("yesno", bidder)):
            path = weights_file.write(folder, prefix, packed)
            weights_file.enter(path)
            for rules in RULE_SETS.values() if crown else ():
                if rules.bidding or packed is player:
                    weights_file.crown(path, rules.name)
            names = {"policy": "policy.", "kicker": "kicker."} if packed is player else {"bidder": ""}
            changed = changed_by_packing(packed, training, names)
            say(f"{path}: {path.stat().st_size:,} bytes; packing changed no weight by more than {changed:.2g}")
    except (ValueError, OSError) as error:
        raise click.ClickException(f"{training}: {error}") from None


if __name__ == "__main__":
    main()
