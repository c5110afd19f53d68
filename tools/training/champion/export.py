"""Packs a network of a training: ``python -m tools.training.champion.export NET --folder weights``."""

from pathlib import Path
from typing import Any

import click
import numpy as np
import torch

from ddzbot.kernel.fast_records import FEATURES, HEADS, INNER, UNIT_STEP, SeatParameters
from ddzbot.net.fast_features import NAME
from ddzbot.net.fast_net import ARCHITECTURES, CLIPPED_ONE, SEAT_NAMES, architecture_of
from ddzbot.net.packed import Packed, Tensor
from ddzbot.net.reigning import weights_folder

from ...release import weights_file
from ...release.weights_file import float_tensor, integer_tensor
from ...shared.interrupts import Command
from ...shared.terminal import say
from .network import ChampionNet


def tensors_of(seats: list[SeatParameters]) -> dict[str, Tensor]:
    """Names and shapes what the kernel computes with, as a file has it."""
    return {
        f"{name}.{field}": tensor
        for name, seat in zip(SEAT_NAMES, seats, strict=True)
        for field, tensor in _tensors_of_seat(seat).items()
    }


def _tensors_of_seat(seat: SeatParameters) -> dict[str, Tensor]:
    def numbers(data: bytes, kind: str, *shape: int) -> Any:
        return np.frombuffer(data, kind).reshape(shape)

    scale = numbers(seat.second_scale, "f4", INNER) * np.float32(CLIPPED_ONE)
    return {
        "first": integer_tensor(numbers(seat.first, "i2", FEATURES, seat.units), "int16"),
        "first_bias": integer_tensor(numbers(seat.first_bias, "i2", seat.units), "int16"),
        "second": integer_tensor(numbers(seat.second, "i1", INNER, seat.units), "int8", scale),
        "second_bias": float_tensor(numbers(seat.second_bias, "f4", INNER)),
        "third": float_tensor(numbers(seat.third, "f4", INNER, INNER)),
        "third_bias": float_tensor(numbers(seat.third_bias, "f4", INNER)),
        "last": float_tensor(numbers(seat.last, "f4", HEADS, INNER)),
        "last_bias": float_tensor(numbers(seat.last_bias, "f4", HEADS)),
    }


def packed_net(net: ChampionNet, state: dict[str, Any], results: dict[str, Any]) -> Packed:
    """Makes a weights file's contents of a network; *state* is what :func:`read_net` found beside it."""
    data = {"games": state["games"], "self_play_seed": state["seed"]}
    if state.get("origin"):
        data["begun_with"] = state["origin"]
    description = {"data": data, "command": _command(net, state), "results": results}
    tensors = tensors_of(net.parameters_for_kernel())
    return Packed(NAME, state["rules"], architecture_of(net.units), tensors, description)


def _command(net: ChampionNet, state: dict[str, Any]) -> str:
    words = [f"--{name} {state[name]}" for name in ("games", "rules", "aim", "seed")]
    words += [f"--units {net.units}"] * (net.units != UNIT_STEP)
    words += ["--auction"] * bool(state.get("auction"))
    words += ["--begin-with CHECKPOINT"] * bool(state.get("origin"))
    words += ["--keep-rate"] * bool(state.get("rate_games"))
    return " ".join(["python -m tools.training.champion.train FOLDER", *words])


def read_net(path: Path) -> tuple[ChampionNet, dict[str, Any]]:
    """
    Reads a snapshot or a checkpoint of a training: the averaged network, and the file's other fields.

    :raises click.ClickException: if the file is neither, or of another architecture.
    """
    try:
        state = torch.load(path, weights_only=True)
        architecture = state.get("architecture")
        units = ARCHITECTURES.get(architecture)
        if units is None:
            raise click.ClickException(f"{path}: no network of the champion: the architecture is {architecture}")
        weights = state["learner"]["averaged"] if "learner" in state else state["net"]
        net = ChampionNet(units)
        net.load_state_dict(weights)
    except click.ClickException:
        raise
    except Exception as error:  # torch raises whatever the bytes lead it to
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise click.ClickException(f"{path}: this is not a network of a training: {reason:.80}") from None
    return net, state


def write_net(path: Path, net: ChampionNet, state: dict[str, Any]) -> None:
    """Writes a snapshot for :func:`read_net`; *state* has at least ``games``, ``seed``, ``rules`` and ``aim``."""
    torch.save({**state, "architecture": architecture_of(net.units), "net": net.state_dict()}, path)


@click.command(cls=Command)
@click.argument("source", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--folder", type=click.Path(file_okay=False, path_type=Path), default=weights_folder, help="Folder to write to."
)
@click.option("--crown", is_flag=True, help="Make it the network that plays under its rule set.")
def main(source: Path, folder: Path, crown: bool) -> None:
    """Pack the averaged network of SOURCE, a snapshot or a checkpoint, and list it in the manifest."""
    net, state = read_net(source)
    path = weights_file.write(folder, "fast", packed_net(net, state, {}))
    if crown:
        weights_file.crown(path, state["rules"])
    else:
        weights_file.enter(path)
    say(f"{path}: {path.stat().st_size:,} bytes, {state['games']:,} games")


if __name__ == "__main__":
    main()
