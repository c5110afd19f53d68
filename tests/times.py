"""Measures every suite of tests by itself and prints a table: ``python -m tests.times``."""

import os
import platform
import subprocess
import sys
import time
from pathlib import Path

import click

from tests.support import ROOT


def suites() -> list[Path]:
    """Returns the folders and files directly inside tests/ that hold tests."""
    folders = [path for path in (ROOT / "tests").iterdir() if path.is_dir() and list(path.rglob("test_*.py"))]
    return sorted(folders) + sorted((ROOT / "tests").glob("test_*.py"))


def measure(suite: Path, workers: int) -> tuple[str, float]:
    """Returns pytest's own last line about *suite*, without the time, and the seconds from start to end."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(workers), str(suite)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    last = (done.stdout.splitlines() or ["no output"])[-1]
    return last.partition(" in ")[0], time.perf_counter() - start


@click.command(help=__doc__)
@click.option("--workers", default=2, show_default=True, help="Test processes at a time.")
def main(workers: int) -> None:
    click.echo("| suite | result | seconds |\n|---|---|---:|")
    total = 0.0
    for suite in suites():
        result, seconds = measure(suite, workers)
        total += seconds
        click.echo(f"| `{suite.relative_to(ROOT)}` | {result} | {seconds:.1f} |")
    click.echo(f"| all, one after the other | | {total:.1f} |\n")
    # Other work on the machine makes every number larger; the load tells a reader how much to believe them.
    python = platform.python_version()
    click.echo(f"CPython {python}, {os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f} at the end.")


if __name__ == "__main__":
    main()
