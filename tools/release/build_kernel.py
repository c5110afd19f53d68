"""
Compiles the C kernel into build/: ``python -m tools.make kernel [--sanitize|--release|--wasm]``.

The compiler is the one that is there, or else zig, which comes as a Python package and brings all that it needs.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path

import click

from ddzbot.kernel import choose, describe, native

from ..shared.compiling import (
    FAST,
    FLAGS,
    WITHOUT_KERNEL,
    ZIG_AT_HOME,
    BuildError,
    PlaceError,
    build,
    build_release,
    build_wasm,
    built,
    has_zig,
    library_path,
)
from ..shared.install import InstallError, install
from ..shared.interrupts import Command
from ..shared.paths import ROOT
from ..shared.plain import plain_lines
from ..shared.terminal import say


def build_anywhere() -> Path | None:
    """
    Compiles the kernel as :func:`build` does; where no compiler is there, or it fails, zig does it.

    zig is installed for this, unless there is a kernel already that loads here; None stands for that one.

    :raises BuildError: if ``$CC`` names a compiler that is not there or fails, or zig cannot be installed or fails.
    """
    try:
        return build()
    except BuildError as error:
        if isinstance(error, PlaceError) or os.environ.get("CC"):
            raise
        reason = error.message.partition(":")[0]
    if not has_zig():
        if choose(os.environ).kernel:
            return None
        _install_zig(reason)
    return built(ZIG_AT_HOME, [*FLAGS, *FAST], library_path())


def build_with_zig_at_last(build: Callable[[bool | None], Path]) -> Path:
    """
    Compiles a variant; zig is installed for this if no compiler here can.

    :raises BuildError: if ``$CC`` names a compiler that cannot, or zig cannot be installed, or fails too.
    """
    try:
        return build(None)
    except BuildError as error:
        if isinstance(error, PlaceError) or has_zig() or os.environ.get("CC"):
            raise
        _install_zig(re.split(r": |:\n", error.message)[0])
    return build(True)


def _install_zig(reason: str) -> None:
    say(f"{reason}: zig can do it, and is installed once (100 MB to load, 410 MB on the disk).", err=True)
    try:
        install(["zig"])
    except InstallError as error:
        failure = (str(error).splitlines() or ["pip prints nothing"])[-1].removeprefix("ERROR: ")
        raise BuildError(f"{reason}, and zig cannot be installed ({failure}).") from None


@click.command(cls=Command)
@click.option("--sanitize", is_flag=True, help="Build the variant that stops at every memory fault or overflow.")
@click.option("--release", is_flag=True, help="Build the variant to upload, for any x86-64 Linux.")
@click.option("--wasm", is_flag=True, help="Build the variant for Python in a browser.")
@click.option("--install", "installs", is_flag=True, help="If no compiler works, install zig and use it.")
@click.option("--optional", is_flag=True, help="If no kernel can be made, print what that costs, and exit with 0.")
def main(sanitize: bool, release: bool, wasm: bool, installs: bool, optional: bool) -> None:
    """Compile the C kernel into build/; nothing is done if it is current."""
    if optional and os.environ.get("DDZ_NO_KERNEL") == "1":
        return
    try:
        library = _wanted_library(sanitize, release, wasm, installs)
    except BuildError as error:
        if not optional:
            raise
        click.echo(plain_lines(f"{error.message.rstrip()}\n{WITHOUT_KERNEL}"), err=True)
        return
    if not optional:
        say(f"{library.relative_to(ROOT)}: {library.stat().st_size} bytes" if library else describe())
    elif native() is None:
        say(f"The kernel does not load ({describe().partition(': ')[2]}).", err=True)
        say(WITHOUT_KERNEL, err=True)


def _wanted_library(sanitize: bool, release: bool, wasm: bool, installs: bool) -> Path | None:
    if release or wasm:
        variant = build_wasm if wasm else build_release
        return build_with_zig_at_last(variant) if installs else variant(None)
    return build_anywhere() if installs and not sanitize else build(sanitize)
