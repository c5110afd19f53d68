"""Looks for input that the project does not stand: ``python -m tests.fuzz --minutes 5`` (tests/README.md)."""

import shutil
import sys
from pathlib import Path

import click
from rich.table import Table

from tests.fuzz.kernel import KernelRun, find_clang, fuzz_kernel
from tests.fuzz.search import Run, fuzz_target
from tests.fuzz.targets import TARGETS
from tests.support import ROOT
from tools.shared.terminal import FAULT, Console

FOLDER = ROOT / "build" / "fuzz"
WITHOUT_CLANG = "There is no clang with libFuzzer: the kernel in C is NOT fuzzed, only what is in Python."
FOUND = "Move each input into tests/data/crashes, the folder of its target, where a test replays it; mend the fault."


@click.command()
@click.option("--minutes", type=click.FloatRange(0, min_open=True), default=5.0, show_default=True, help="In all.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Chance.")
@click.option("--only", type=click.Choice([*TARGETS, "kernel"]), multiple=True, help="Only this; may be given again.")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), default=FOLDER, help="Where the corpus is.")
def main(minutes: float, seed: int, only: tuple[str, ...], folder: Path) -> None:
    """Fuzz the readers, the bot's protocol and the kernel; exit with 1 if something was found."""
    console = Console()
    names = [target for target in TARGETS if not only or target in only]
    clang = find_clang() if not only or "kernel" in only else None
    seconds = 60 * minutes
    kernel = None
    if clang:
        share = seconds / 2 if names else seconds
        console.print(f"The kernel, for {share:.0f} s ...")
        kernel = fuzz_kernel(clang, folder / "kernel", share, seed)
        seconds -= share
    elif not only or "kernel" in only:
        console.print(WITHOUT_CLANG, style=FAULT)
    runs = {}
    for target in names:
        console.print(f"{target}, for {seconds / len(names):.0f} s ...")
        runs[target] = fuzz_target(TARGETS[target], seconds / len(names), seed, folder)
    _show(console, runs, kernel)
    inputs = [path for run in runs.values() for path in run.found] + (kernel.found if kernel else [])
    failed = bool(inputs) or (kernel is not None and bool(kernel.output))
    for path in inputs:
        console.print(f"found: {path}", soft_wrap=True)
    if failed:
        console.print(FOUND)
        if kernel and kernel.output:
            console.print(kernel.output, markup=False)
    sys.exit(failed)


def _show(console: Console, runs: dict[str, Run], kernel: KernelRun | None) -> None:
    table = Table("target", box=None)
    for heading in ("inputs", "minutes", "found", "lines reached"):
        table.add_column(heading, justify="right")
    for label, run in runs.items():
        figures = (f"{run.executions:,}", f"{run.seconds / 60:.2f}", str(len(run.found)), f"{run.lines:,}")
        table.add_row(label, *figures)
    if kernel:
        figures = (f"{kernel.executions:,}", f"{kernel.seconds / 60:.2f}", str(len(kernel.found)), "below")
        table.add_row("kernel", *figures)
    console.print(table)
    if kernel and kernel.coverage:
        width = max(2, shutil.get_terminal_size().columns // 36)
        files = Table(*["file of C", "lines"] * width, box=None, title="What the inputs that are kept reach")
        cells = [cell for label, percent in kernel.coverage for cell in (label, f"{percent:.1f} %")]
        for begin in range(0, len(cells), 2 * width):
            files.add_row(*cells[begin : begin + 2 * width])
        console.print(files)


if __name__ == "__main__":
    main()
