"""
Makes the wheels for pip, one for each system of a release: ``python -m tools.make wheels [SYSTEM...]``.

zig compiles the kernel for all of them, so that one machine is enough.
"""

import os
import subprocess
import sys
from pathlib import Path

import click

from ..shared.compiling import BuildError, build_for
from ..shared.interrupts import Command
from ..shared.machine import build_version
from ..shared.options import FOLDER
from ..shared.paths import ROOT
from ..shared.targets import TARGETS
from ..shared.terminal import say

_PIP = "wheel . --no-deps --no-build-isolation --disable-pip-version-check -q -w"


def make_wheel(name: str, folder: Path) -> Path:
    """
    Makes the wheel for one of :data:`tools.shared.targets.TARGETS` in *folder*; returns where it is.

    :raises BuildError: if zig is not installed, or it or pip fails, with what that says.
    """
    build_for(name)  # here, and not first where pip keeps back what is said
    command = [sys.executable, "-m", "pip", *_PIP.split(), str(folder.resolve())]
    settings = {**os.environ, "DDZ_TARGET": name}
    done = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True, errors="replace")
    if done.returncode:
        raise BuildError(f"pip cannot make the wheel for {name}:\n{done.stdout}{done.stderr}")
    return folder / f"ddzbot-{build_version()}-py3-none-{TARGETS[name].tag}.whl"


@click.command(cls=Command)
@click.argument("names", metavar="[SYSTEM...]", nargs=-1, type=click.Choice([*TARGETS]))
@click.option(
    "--out", "folder", type=FOLDER, default=Path("dist"), show_default=True, help="The folder to make them in."
)
def main(names: tuple[str, ...], folder: Path) -> None:
    """Make a wheel for each SYSTEM, by default for all: linux-x86_64, linux-arm64, macos-arm64 and so on."""
    for system in names or TARGETS:
        wheel = make_wheel(system, folder)
        say(f"{wheel}: {wheel.stat().st_size:,} bytes")
