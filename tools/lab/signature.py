"""
Hashes what the players that search, and the plain ones, decide, for a change of code that must not change a move.

    python -m tools lab signature                  # 2,000 decisions with the kernel, 200 without
    python -m tools lab signature --show before.txt

The positions come from fixed seeds under every rule set, and every decision has a fixed number of playouts. The hash is
that of the moves, the visits and the playouts: it stays as it is for as long as the answers do, on every machine.
Without numpy, as in a browser, players that need it fall back.
"""

import os
import subprocess
import sys
from pathlib import Path

import click

from ddzbot.kernel import describe, native

from ..shared.interrupts import Command
from ..shared.options import FILE
from ..shared.terminal import Console, say
from .signed import KINDS, WITHOUT_NUMPY, decisions, digest


def _print_kind(kind: str, show: Path | None, quiet: bool) -> None:
    players, count = KINDS[kind]
    if kind.endswith(WITHOUT_NUMPY):
        sys.modules["numpy"] = None  # type: ignore[assignment]
    if kind.startswith("kernel") != (native() is not None):
        raise click.ClickException(f"the decisions of {kind!r} cannot be made here: {describe()}")
    from rich.progress import track

    lines = list(track(decisions(players, count), kind, count, console=Console(), disable=quiet, transient=True))
    say(f"{kind} {len(lines)} decisions {digest(lines)}")
    if show:
        show.with_name(f"{show.stem}-{kind}{show.suffix}").write_text("\n".join(lines) + "\n", "utf-8")


@click.command(cls=Command)
@click.option("--out", "show", type=FILE, help="Write every decision to FILE-kernel, FILE-python and so on.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
@click.option("--only", type=click.Choice(tuple(KINDS)), hidden=True)
def main(show: Path | None, quiet: bool, only: str | None) -> None:
    """Print the hashes of what every player of the bot decides, with and without the kernel and numpy."""
    if only:
        _print_kind(only, show, quiet)
        return
    for kind in KINDS:
        command = [sys.executable, "-m", "tools", "lab", "signature", "--only", kind, *(["--quiet"] if quiet else [])]
        environment = {**os.environ, **({"DDZ_NO_KERNEL": "1"} if kind.startswith("python") else {})}
        ended = subprocess.run([*command, *(["--out", str(show)] if show else [])], env=environment, check=False)
        if ended.returncode:
            sys.exit(ended.returncode)
