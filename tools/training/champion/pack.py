"""Networks that a training of the champion keeps, and what a weights file has of one."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch
from torch import Tensor as FloatTensor

from ddzbot.kernel.fast_records import FEATURES, HEADS, INNER, ONE, UNIT_STEP, SeatParameters
from ddzbot.net.fast_features import NAME
from ddzbot.net.fast_net import ARCHITECTURES, CLIPPED_ONE, SEAT_NAMES, architecture_of, seats_of
from ddzbot.net.packed import SUFFIX, Packed, Tensor, WeightsError, read

from ...release.weights_file import float_tensor, integer_tensor
from ..checkpoints import read_checkpoint, save_in_one_step
from ..packing import Network
from .network import ROUNDED_DOWN, ChampionNet

_IN_TORCH = {
    "first": "first",
    "first_bias": "first_bias",
    "second": "second.weight",
    "second_bias": "second.bias",
    "third": "third.weight",
    "third_bias": "third.bias",
    "last": "last.weight",
    "last_bias": "last.bias",
}
"""The parameters of a seat in torch, by their names in a weights file."""


def write_net(path: Path, net: ChampionNet, about: dict[str, Any]) -> None:
    """Writes a network for :func:`read_net`; *about* is how it was trained."""
    save_in_one_step(path, {**about, "architecture": architecture_of(net.units), "net": net.state_dict()})


def read_net(path: Path) -> tuple[ChampionNet, dict[str, Any]]:
    """
    Reads a kept network or a checkpoint: the averaged network, and the file's other fields.

    :raises click.ClickException: if the file is neither, or of another architecture.
    """
    state = read_checkpoint(path)
    try:
        return _net_of(state), state
    except ValueError as error:
        raise click.ClickException(f"{path}: {error}") from None


def read_origin(path: Path) -> tuple[ChampionNet, dict[str, Any]]:
    """
    Reads the network that a training begins with: as :func:`read_net` does, or a packed one.

    Of the other fields a packed one has ``rules`` and ``games``, those of its own training.

    :raises click.ClickException: if the file has no network, or one of another architecture.
    """
    if path.suffix != SUFFIX:
        return read_net(path)
    try:
        network = read(str(path), [NAME])
        net = ChampionNet(seats_of(network)[0].units)
        net.load_state_dict(dict(_floats_of(network)))
        return net, {"rules": network.rules, "games": network.description["data"]["games"]}
    except (WeightsError, KeyError, TypeError) as error:
        raise click.ClickException(f"{path}: {error}") from None


def _floats_of(network: Packed) -> Iterator[tuple[str, FloatTensor]]:
    """Yields the parameters of a packed network by their names in torch, in the units of torch."""
    for seat, seat_name in enumerate(SEAT_NAMES):
        fields = {field: network.tensors[f"{seat_name}.{field}"] for field in _IN_TORCH}
        for field, tensor in fields.items():
            whole = field.startswith("first")
            values = np.array(tensor.integers() if whole else tensor.floats(), np.float32).reshape(tensor.shape)
            if field == "first_bias":
                values -= ROUNDED_DOWN
            values = values / np.float32(ONE) if whole else values.T if field == "third" else values
            yield f"seats.{seat}.{_IN_TORCH[field]}", torch.from_numpy(np.ascontiguousarray(values))


def _net_of(state: dict[str, Any]) -> ChampionNet:
    architecture = str(state.get("architecture"))
    units = ARCHITECTURES.get(architecture)
    if units is None:
        raise ValueError(f"no network of the champion: the architecture is {architecture}")
    net = ChampionNet(units)
    try:
        net.load_state_dict(state["learner"]["averaged"] if "learner" in state else state["net"])
    except (KeyError, RuntimeError) as error:
        reason = str(error).partition("\n")[0]
        raise ValueError(f"this is not a network of a training: {reason:.80}") from None
    return net


def packed(states: Sequence[dict[str, Any]], _dtype: str) -> Iterator[Network]:
    """
    Packs the averaged network; the kernel computes with whole numbers, so that there is no choice of a dtype.

    :raises ValueError: if it is of another architecture.
    """
    (state,) = states
    yield Network("fast", packed_net(_net_of(state), state, {}), (state["rules"],))


def packed_net(net: ChampionNet, state: dict[str, Any], results: dict[str, Any]) -> Packed:
    """Makes a weights file's contents of a network; *state* is what :func:`read_net` found beside it."""
    data = {"games": state["games"], "self_play_seed": state["seed"]}
    if state["origin"]:
        data["begun_with"] = state["origin"]
    description = {"data": data, "command": _command(net, state), "results": results}
    tensors = tensors_of(net.parameters_for_kernel())
    return Packed(NAME, state["rules"], architecture_of(net.units), tensors, description)


def settings_words(state: dict[str, Any], units: int) -> list[str]:
    """Gets the options of a training that says so of itself; without them its folder is refused."""
    options = [word for setting in ("rules", "objective", "seed") for word in (f"--{setting}", str(state[setting]))]
    options += ["--units", str(units)] * (units != UNIT_STEP)
    options += [word for rival in state["rivals"] for word in ("--rival", rival)]
    options += ["--share", str(state["share"])] if state["rivals"] else []
    options += ["--shards", str(state["shards"])] * (state["shards"] > 1)
    return [*options, *["--auction"] * bool(state["auction"])]


def _command(net: ChampionNet, state: dict[str, Any]) -> str:
    # The file is published: it names the networks of the league, and not the folders of a machine.
    named = {**state, "rivals": [Path(rival).name for rival in state["rivals"]]}
    options = ["--count", str(state["games"]), *settings_words(named, net.units)]
    options += ["--begin-with", "CHECKPOINT"] * bool(state["origin"]) + ["--keep-rate"] * bool(state["rate_games"])
    return " ".join(["python -m tools train learn champion FOLDER", *options])


def tensors_of(seats: list[SeatParameters]) -> dict[str, Tensor]:
    """Names and shapes what the kernel computes with, as a file has it."""
    return {
        f"{seat_name}.{field}": tensor
        for seat_name, seat in zip(SEAT_NAMES, seats, strict=True)
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
