"""Packs the network of any training into a weights file, and says what that costs."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
import torch
from numpy.typing import NDArray
from rich.table import Table

from ddzbot.net.current import weights_folder
from ddzbot.net.packed import Packed, Tensor, WeightsError

from ..release import current, weights_file
from ..release.weights_file import float_tensor, scaled_tensor
from ..shared.interrupts import Command
from ..shared.json_text import parse_json
from ..shared.options import EXISTING_FILE, EXISTING_FOLDER, FOLDER
from ..shared.terminal import Console, say
from .checkpoints import CHECKPOINT, read_checkpoint
from .recipes import RECIPES

Numbers = NDArray[Any]
DTYPES: dict[str, Callable[[Numbers], Tensor]] = {
    "float32": float_tensor,
    "float16": lambda values: float_tensor(values, "float16"),
    "int8": scaled_tensor,
}
"""The dtypes of packed floats. A tensor of one dimension, such as a bias, stays float32."""


class Network(NamedTuple):
    """A network that a recipe has packed."""

    prefix: str
    """The beginning of its file's name."""
    packed: Packed
    rules: tuple[str, ...]
    """The rule sets under which it may be current."""
    before: Mapping[str, Numbers] = {}
    """Its floats; empty where it was made of whole numbers."""
    setting: str = ""
    """The setting of the player that it is for; empty for all that have none of their own."""


def arrays_of(weights: Mapping[str, torch.Tensor], prefix: str = "") -> dict[str, Numbers]:
    """Gets weights of torch as arrays, their names after *prefix*."""
    return {prefix + key: np.ascontiguousarray(tensor.numpy()) for key, tensor in weights.items()}


def tensors_of(arrays: Mapping[str, Numbers], dtype: str) -> dict[str, Tensor]:
    """
    Packs the weights as *dtype*, and biases as float32.

    :raises WeightsError: naming the tensor that cannot be packed.
    """
    packed = {}
    for key, values in arrays.items():
        try:
            packed[key] = DTYPES[dtype if values.ndim > 1 else "float32"](values)
        except WeightsError as error:
            raise WeightsError(f"{key}: {error}") from None
    return packed


def floats_of(tensor: Tensor) -> Numbers:
    """Gets the floats of a tensor, in its shape."""
    return np.array(tensor.floats(), "f4").reshape(tensor.shape)


class RoundingError(NamedTuple):
    """The error of packing some numbers."""

    largest: float
    """The largest of the numbers, without its sign."""
    most: float
    mean: float


def rounding_error(before: Numbers, after: Numbers) -> RoundingError:
    """Compares numbers before and after packing."""
    error = np.abs(after.astype("f8") - before)
    return RoundingError(float(np.abs(before).max()), float(error.max()), float(error.mean()))


def loss_table(network: Network) -> Table:
    """Makes the table of what packing costs, tensor by tensor."""
    table = Table(title="error of packing")
    for heading in ("tensor", "shape", "dtype", "largest", "max error", "mean error"):
        table.add_column(heading, justify="left" if heading in ("tensor", "dtype") else "right", no_wrap=True)
    for key, tensor in network.packed.tensors.items():
        shape = " x ".join(map(str, tensor.shape))
        figures = rounding_error(network.before[key], floats_of(tensor))
        table.add_row(key, shape, tensor.dtype, *(f"{figure:.3g}" for figure in figures))
    return table


def states_in(source: Path) -> list[dict[str, Any]]:
    """
    Reads a checkpoint or a kept network, that of a folder, or those of the folders in it.

    :raises ClickException: if there is none.
    """
    paths = [source]
    if source.is_dir():
        paths = [source / CHECKPOINT] if (source / CHECKPOINT).exists() else sorted(source.glob(f"*/{CHECKPOINT}"))
    if not paths:
        raise click.ClickException(f"{source}: there is no {CHECKPOINT} of a training")
    return [read_checkpoint(path) for path in paths]


def _scored(packed: Packed, scores: Path | None) -> Packed:
    """Puts the JSON object of a file among the results."""
    if scores is None:
        return packed
    try:
        measured = parse_json(scores.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise WeightsError(f"{scores} is not JSON: {error}") from None
    results = {**packed.description["results"], "scores": measured}
    return packed._replace(description={**packed.description, "results": results})


def _check_allowed(networks: Sequence[Network], folder: Path, source: Path) -> None:
    """
    Makes sure, before anything is written, that the gate lets networks become current.

    :raises ValueError: if it does not.
    """
    asked = str(source / CHECKPOINT if source.is_dir() else source)
    if reasons := [
        reason
        for network in networks
        for reason in current.refusals(folder, network.packed, network.rules, network.setting, asked)
    ]:
        raise ValueError("; ".join(dict.fromkeys(reasons)))


@click.command(cls=Command)
@click.argument("source", type=click.Path(exists=True, path_type=Path))
@click.option("--folder", type=FOLDER, default=weights_folder, help="Folder to write to.")
@click.option("--promote", is_flag=True, help="Make it current under its rule sets, where the gate allows that.")
@click.option("--force", is_flag=True, help="With --promote: whatever the gate says, or where there is none.")
@click.option("--scores", type=EXISTING_FILE, help="What score wrote, to describe it.")
@click.option(
    "--dtype", type=click.Choice(list(DTYPES)), default="float16", show_default=True, help="Type of weights of floats."
)
@click.option(
    "--sample", type=EXISTING_FOLDER, help="For mcm: shards of records to measure the error of the values on."
)
def pack(
    source: Path, folder: Path, promote: bool, force: bool, scores: Path | None, dtype: str, sample: Path | None
) -> None:
    """Pack the network of SOURCE, a training's folder, checkpoint or kept network, and list it in the manifest."""
    states = states_in(source)
    recipe, console = states[0]["recipe"], Console()
    if recipe not in RECIPES:
        raise click.ClickException(f"{source}: its recipe {recipe} is unknown")
    room = RECIPES[recipe].room
    module = import_module(f".{room}.pack", __package__)
    if sample and recipe != "mcm":
        raise click.UsageError("--sample is for mcm")
    if force and not promote:
        raise click.UsageError("--force goes with --promote")
    try:
        networks = list(module.packed(states, dtype))
        if promote and not force:
            _check_allowed(networks, folder, source)
        for network in networks:
            weights_file.expect(network.packed)
            value_loss = module.value_loss(network, sample) if sample else ""
            path = weights_file.write(folder, network.prefix, _scored(network.packed, scores))
            weights_file.enter(path)
            message = current.make_current(path, network.rules, network.setting) if promote else ""
            if network.before:
                console.print(loss_table(network))
            if value_loss:
                console.print(value_loss)
            say(f"{path}: {path.stat().st_size:,} bytes")
            if message:
                say(message)
    except ValueError as error:
        raise click.ClickException(f"{source}: {error}") from None
