"""
Packs, shows, checks and crowns weights files.

    python -m tools.release.pack model CHECKPOINT --rules botzone --command "..."
    python -m tools.release.pack info FILE
    python -m tools.release.pack verify [FILE...]
    python -m tools.release.pack crown FILE --rules botzone

Only ``model`` needs torch.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from ddzbot.net import bid_net, cql_layers, mcm_cnn, rocket_bidder, rocket_cnn
from ddzbot.net.mcm_features import NAME, planes
from ddzbot.net.packed import Packed, Tensor, WeightsError, read
from ddzbot.net.reigning import MANIFEST, weights_folder
from ddzbot.rules import RULE_SETS

from ..opponents import naive
from ..shared.interrupts import Group
from ..shared.terminal import Console, say
from . import weights_file
from .weights_file import float_tensor, scaled_tensor

Numbers = NDArray[Any]
Sample = tuple[Numbers, Numbers, Numbers]
"""Type alias: cards, kinds and landlord flags of some records, each of 29 columns."""
SAMPLE_RECORDS = 2000
PACKERS: dict[str, Callable[[Numbers], Tensor]] = {
    "float32": float_tensor,
    "float16": lambda values: float_tensor(values, "float16"),
    "int8": scaled_tensor,
}
"""How the weights may be packed. Whatever has one dimension, as a bias has, stays float32."""
_SHAPES = {module.ARCHITECTURE: module.SHAPES for module in (mcm_cnn, rocket_cnn, rocket_bidder)}


class Lost(NamedTuple):
    """The error of packing some numbers."""

    largest: float
    """The largest of the numbers, without its sign."""
    most: float
    mean: float


def lost(before: Numbers, after: Numbers) -> Lost:
    """Compares numbers before and after packing."""
    error = np.abs(after.astype("f8") - before)
    return Lost(float(np.abs(before).max()), float(error.max()), float(error.mean()))


def unpacked(tensor: Tensor) -> Numbers:
    """Gets the floats of a tensor, in its shape."""
    return np.array(tensor.floats(), "f4").reshape(tensor.shape)


def pack(tensors: Mapping[str, Numbers], dtype: str) -> dict[str, Tensor]:
    """
    Packs the weights as *dtype*, and biases as float32.

    :raises WeightsError: naming the tensor that cannot be packed.
    """
    packed = {}
    for name, values in tensors.items():
        try:
            packed[name] = PACKERS[dtype if values.ndim > 1 else "float32"](values)
        except WeightsError as error:
            raise WeightsError(f"{name}: {error}") from None
    return packed


def read_checkpoint(path: Path) -> tuple[dict[str, Numbers], dict[str, Any]]:
    """
    Reads what training left, a torch file with ``model`` and ``about``: the tensors, and how they were made.

    No code in the file is run.

    :raises WeightsError: with a sentence that does not name the file yet.
    """
    import torch

    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
        tensors = {name: tensor.numpy() for name, tensor in state["model"].items()}
        return tensors, dict(state["about"])
    except Exception as error:  # torch raises whatever the bytes lead it to
        raise WeightsError(f"this is not a checkpoint ({str(error).partition(chr(10))[0]:.80})") from None


def packed_model(
    tensors: Mapping[str, Numbers], about: Mapping[str, Any], rules: str, command: str, dtype: str
) -> Packed:
    """
    Packs the network of MCM; *about* says what it was trained on and with which settings.

    :raises WeightsError: if that was another rule set or other features, or a tensor cannot be packed.
    """
    for games in about.get("games", []):
        trained = (games.get("rules"), games.get("features"))
        if trained != (rules, NAME):
            raise WeightsError(f"it was trained on {' and '.join(map(str, trained))}, not {rules} and {NAME}")
    settings = {name: value for name, value in about.items() if name not in ("data", "records", "shapes")}
    description = {
        "data": {"records": about.get("records"), "digest": about.get("data")},
        "command": command,
        "results": {"settings": settings},
    }
    return Packed(NAME, rules, mcm_cnn.ARCHITECTURE, pack(tensors, dtype), description)


def with_scores(description: Mapping[str, Any], path: Path | None) -> dict[str, Any]:
    """
    Puts the JSON object of a file among the results.

    :raises WeightsError: if it is none.
    """
    if path is None:
        return dict(description)
    try:
        scores = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise WeightsError(f"{path} is not JSON: {error}") from None
    return {**description, "results": {**description["results"], "scores": scores}}


def outputs(tensors: Mapping[str, Numbers], sample: Sample) -> Numbers:
    """Values the records of a sample with torch."""
    import torch

    from ..training.mcm.mcm_model import McmModel

    model = McmModel()
    model.load_state_dict({name: torch.from_numpy(values) for name, values in tensors.items()})
    with torch.no_grad():
        return np.asarray(model(torch.from_numpy(planes(*sample))).numpy())


def value_loss(before: Mapping[str, Numbers], after: Mapping[str, Tensor], sample: Sample) -> str:
    """Says what packing changes in the values of a sample."""
    values = [outputs(tensors, sample) for tensors in (before, {name: unpacked(one) for name, one in after.items()})]
    figures = lost(*values)
    return f"values of {len(values[0]):,} records: max error {figures.most:.3g}, mean error {figures.mean:.3g}"


def loss_table(before: Mapping[str, Numbers], after: Mapping[str, Tensor]) -> Table:
    """Makes the table of what packing costs, tensor by tensor."""
    table = Table(title="error of packing")
    for heading in ("tensor", "shape", "dtype", "largest", "max error", "mean error"):
        table.add_column(heading, justify="left" if heading in ("tensor", "dtype") else "right", no_wrap=True)
    for name, tensor in after.items():
        shape = " x ".join(map(str, tensor.shape))
        figures = lost(before[name], unpacked(tensor))
        table.add_row(name, shape, tensor.dtype, *(f"{figure:.3g}" for figure in figures))
    return table


def describe(network: Packed, console: Console) -> None:
    """Prints all that a file says of itself."""
    console.print(f"{network.path}: {Path(network.path).stat().st_size:,} bytes, sha256 {network.sha256}")
    console.print(f"features {network.features}, rules {network.rules}, architecture {network.architecture}")
    for field, text in network.description.items():
        console.print(f"{field}: {text}")
    table = Table()
    for heading in ("tensor", "dtype", "shape", "bytes", "scales"):
        table.add_column(heading, justify="left" if heading in ("tensor", "dtype") else "right")
    for name, tensor in network.tensors.items():
        scales = f"{len(tensor.scale):,}" if tensor.scale is not None else ""
        table.add_row(name, tensor.dtype, " x ".join(map(str, tensor.shape)), f"{len(tensor.data):,}", scales)
    console.print(table)


def read_sample(folder: Path) -> Sample:
    """
    Gets the first records of the test games in a folder of shards, or of all games if there is no test game.

    :raises WeightsError: if there is no shard, or something else in a shard's place.
    """
    from ..training.mcm.dataset import load_records

    try:
        records = load_records([folder])
    except (ValueError, OSError) as error:
        raise WeightsError(str(error)) from None
    numbers = records.test if len(records.test) else records.training
    return records.inputs(numbers[:SAMPLE_RECORDS])


def checked(path: Path) -> str | None:
    """Reads a file, and builds the network in it if its architecture is known; gets what is wrong, or None."""
    try:
        network = read(str(path))
        if network.architecture in _SHAPES:
            network.expect(network.architecture, _SHAPES[network.architecture])
        elif network.architecture == bid_net.ARCHITECTURE:
            bid_net.parameters_of(network)
        elif network.architecture == cql_layers.ARCHITECTURE:
            network.expect(cql_layers.ARCHITECTURE, cql_layers.SHAPES)
        elif network.architecture == naive.ARCHITECTURE:
            naive.NaiveNet(network)
    except WeightsError as error:
        return str(error)
    return None


_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.group(cls=Group)
def main() -> None:
    """Pack, show, check and crown weights files."""


@main.command()
@click.argument("checkpoint", type=_FILE)
@click.option("--rules", type=click.Choice(sorted(RULE_SETS)), required=True, help="What the network was trained on.")
@click.option("--command", required=True, help="The command that trained it, for the description.")
@click.option("--scores", type=_FILE, help="A JSON file with its scores, for the description.")
@click.option("--prefix", default="mcm", show_default=True, help="How the file name begins.")
@click.option(
    "--dtype",
    type=click.Choice(list(PACKERS)),
    default="float16",
    show_default=True,
    help="Type of the packed weights.",
)
@click.option("--folder", type=_FOLDER, default=weights_folder, help="Folder to write to.  [default: weights/]")
@click.option("--sample", type=_FOLDER, help="Shards of records to measure the error of the values on.")
def model(
    checkpoint: Path,
    rules: str,
    command: str,
    scores: Path | None,
    prefix: str,
    dtype: str,
    folder: Path,
    sample: Path | None,
) -> None:
    """Pack the network of MCM in CHECKPOINT, list the file in the manifest, and print what packing costs."""
    console = Console()
    try:
        before, about = read_checkpoint(checkpoint)
        given = read_sample(sample) if sample else None
        network = packed_model(before, about, rules, command, dtype)
        network = network._replace(description=with_scores(network.description, scores))
        network.expect(mcm_cnn.ARCHITECTURE, mcm_cnn.SHAPES)
        path = weights_file.write(folder, prefix, network)
        weights_file.enter(path)
        console.print(loss_table(before, network.tensors))
        if given:
            console.print(value_loss(before, network.tensors, given))
    except WeightsError as error:
        raise click.ClickException(f"{checkpoint}: {error}") from None
    say(f"{path}: {path.stat().st_size:,} bytes")


@main.command()
@click.argument("file", type=_FILE)
def info(file: Path) -> None:
    """Show what FILE says of itself."""
    try:
        describe(read(str(file)), Console())
    except WeightsError as error:
        raise click.ClickException(str(error)) from None


@main.command()
@click.argument("files", type=_FILE, nargs=-1)
@click.option("--folder", type=_FOLDER, default=weights_folder, help="The folder to check if no FILES are named.")
def verify(files: tuple[Path, ...], folder: Path) -> None:
    """Check FILES, or else a whole folder and its manifest; the exit status is 1 if anything is wrong."""
    if files:
        faults = [fault for fault in map(checked, files) if fault]
    elif not (folder / MANIFEST).exists() and not list(folder.glob("*.ddzw")):
        faults = []
    else:
        faults = weights_file.faults(folder) + [fault for fault in map(checked, sorted(folder.glob("*.ddzw"))) if fault]
    for fault in dict.fromkeys(faults):
        say(fault, err=True)
    if faults:
        raise SystemExit(1)
    say(f"{len(files)} files are sound" if files else f"{folder}: all files are sound")


@main.command()
@click.argument("file", type=_FILE)
@click.option("--rules", type=click.Choice(sorted(RULE_SETS)), required=True, help="Rule set under which it plays.")
def crown(file: Path, rules: str) -> None:
    """Make FILE the network that plays under a rule set with its features."""
    try:
        weights_file.crown(file, rules)
    except WeightsError as error:
        raise click.ClickException(str(error)) from None
    say(f"{file.name} reigns under {rules}")


if __name__ == "__main__":
    main()
