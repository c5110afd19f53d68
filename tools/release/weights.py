"""
Show, check and promote weights files.

    python -m tools weights info FILE
    python -m tools weights verify [FILE...]
    python -m tools weights promote FILE --rules botzone [--setting thesis] [--force]

``python -m tools train pack`` makes them.
"""

from pathlib import Path

import click
from rich.table import Table

from ddzbot.net.current import MANIFEST, weights_folder
from ddzbot.net.packed import Packed, WeightsError, read

from ..shared.interrupts import Group
from ..shared.options import EXISTING_FILE, FOLDER, RULES
from ..shared.terminal import Console, say
from . import current, weights_file


def describe(network: Packed, console: Console) -> None:
    """Prints the header of a file."""
    console.print(f"{network.path}: {Path(network.path).stat().st_size:,} bytes, sha256 {network.sha256}")
    console.print(f"features {network.features}, rules {network.rules}, architecture {network.architecture}")
    for field, entry in network.description.items():
        console.print(f"{field}: {entry}")
    table = Table()
    for heading in ("tensor", "dtype", "shape", "bytes", "scales"):
        table.add_column(heading, justify="left" if heading in ("tensor", "dtype") else "right")
    for tensor_name, tensor in network.tensors.items():
        scales = f"{len(tensor.scale):,}" if tensor.scale is not None else ""
        table.add_row(tensor_name, tensor.dtype, " x ".join(map(str, tensor.shape)), f"{len(tensor.data):,}", scales)
    console.print(table)


def checked(path: Path) -> str | None:
    """Reads a file, and asks the module of its architecture, if it is known; gets what is wrong, or None."""
    try:
        weights_file.expect(read(str(path)))
    except WeightsError as error:
        return str(error)
    return None


@click.group(cls=Group)
def main() -> None:
    """Show, check and promote weights files."""


@main.command()
@click.argument("file", type=EXISTING_FILE)
def info(file: Path) -> None:
    """Show the header of FILE: features, architecture, origin."""
    try:
        describe(read(str(file)), Console())
    except WeightsError as error:
        raise click.ClickException(str(error)) from None


@main.command()
@click.argument("files", type=EXISTING_FILE, nargs=-1)
@click.option("--folder", type=FOLDER, default=weights_folder, help="The folder to check if no FILES are named.")
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
@click.argument("file", type=EXISTING_FILE)
@click.option("--rules", type=RULES, required=True, help="Rule set under which it plays.")
@click.option("--setting", default="", metavar="SETTING", help="For this setting of the player alone, such as thesis.")
@click.option("--force", is_flag=True, help="Ignore the verdict of the gate, or that there is none.")
def promote(file: Path, rules: str, setting: str, force: bool) -> None:
    """Make FILE the current network of a rule set and its features, where the gate allows that."""
    try:
        for reason in () if force else current.refusals(file.parent, read(str(file)), [rules], setting):
            raise WeightsError(f"{file}: {reason}")
        say(current.make_current(file, [rules], setting))
    except WeightsError as error:
        raise click.ClickException(str(error)) from None


if __name__ == "__main__":
    main()
