"""
Measures how CPU time and memory grow with the size of matches and files.

    python -m tools.lab.bench.sizes results/sizes --picture docs/pictures/sizes.png

Each row of FOLDER/sizes.csv is one command, in a process of its own. The same command again measures only the rows
that the file lacks, so an interrupted run resumes with the row that it had begun. All rows take 17 CPU minutes and
1.4 GB of disk. It needs Linux or macOS.
"""

import csv
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from io import StringIO
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import click
from rich.progress import track

from ...shared.interrupts import Command
from ...shared.options import FILE
from ...shared.paths import ROOT
from ...shared.storage.whole_file import written_whole
from ...shared.terminal import Console, say

if sys.platform == "win32":
    MAXRSS_UNIT = 0
else:
    from ...judge.process_posix import MAXRSS_UNIT

ROWS = "sizes.csv"
MATCHES = (500, 5_000, 50_000)
PLAYERS = (10, 20, 40)
GAMES = (10_000, 100_000, 1_000_000)

MATCH, MATCH_REPORT = "match of random and rule, sets", "its report, sets"
TOURNAMENT, TOURNAMENT_REPORT = "match of 10, 20, 40 players, pairs", "its report, pairs"
CHECK = "records check, games"
ORDER = (MATCH, MATCH_REPORT, TOURNAMENT, TOURNAMENT_REPORT, CHECK)


class Row(NamedTuple):
    """What one command took: CPU seconds of all its processes, MiB of the largest, and MB of the file it works on."""

    what: str
    size: int
    seconds: float
    mib: int
    file_mb: float


Key = tuple[str, int]


def read(folder: Path) -> dict[Key, Row]:
    """Reads the rows that a folder has."""
    path = folder / ROWS
    lines = [*csv.reader(path.read_text("utf-8").splitlines())][1:] if path.exists() else []
    rows = [Row(what, int(size), float(seconds), int(mib), float(mb)) for what, size, seconds, mib, mb in lines]
    return {(row.what, row.size): row for row in rows}


def write(folder: Path, rows: Iterable[Row]) -> None:
    """Writes all rows, in the order of the table."""
    lines = StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(Row._fields)
    ordered: list[Row] = sorted(rows, key=lambda row: (ORDER.index(row.what), row.size))
    writer.writerows(ordered)
    with written_whole(folder / ROWS) as file:
        file.write(lines.getvalue().encode())


# On Linux the peak of a process begins at what its parent had then, so a small process starts the command.
STARTER = """
import resource, subprocess, sys
status = subprocess.call([sys.executable, "-m", "tools", *sys.argv[1:]], stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(status, used.ru_utime + used.ru_stime, used.ru_maxrss)
"""


def measure(key: Key, words: Sequence[str], file: Path) -> Row:
    """
    Runs a command of ``tools`` to its end.

    :raises click.ClickException: if it fails, and on Windows.
    """
    if not MAXRSS_UNIT:
        raise click.ClickException("Windows does not count the memory of a command that has ended")
    quiet: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    command = [sys.executable, "-S", "-c", STARTER, *words]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, **quiet) as process:
        try:
            printed, _ = process.communicate()
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)  # it ends the command, too
            raise
    if process.returncode:
        raise click.ClickException(f"tools {' '.join(words)}: ended before it was measured")
    status, seconds, peak = printed.split()
    if int(status):
        raise click.ClickException(f"exit code {status}: tools {' '.join(words)}")
    mib = round(int(peak) * MAXRSS_UNIT / (1 << 20))
    return Row(*key, round(float(seconds), 2), mib, round(file.stat().st_size / 1e6, 2))


def match_rows(keys: tuple[Key, Key], players: Sequence[str], sets: int) -> Iterable[Row]:
    """Measures a match, and the report of its results file."""
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder, "results.json")
        words = ["match", *players, "--sets", str(sets), "--quiet", "--jobs", "1", "--results", str(results)]
        yield measure(keys[0], words, results)
        yield measure(keys[1], ["report", str(results)], results)


def check_row(games: int) -> Iterable[Row]:
    """Measures ``records check`` of a file that repeats the games of a match, 1,000 of them."""
    with tempfile.TemporaryDirectory() as folder:
        played = Path(folder, "games.jsonl")
        match = ["match", "random", "rule", "--sets", "500", "--quiet", "--jobs", "1", "--save-games", str(played)]
        measure((CHECK, 1_000), match, played)
        lines = played.read_bytes()
        with (many := Path(folder, "many.jsonl")).open("wb") as file:
            for _ in range(games // lines.count(b"\n")):
                file.write(lines)
        yield measure((CHECK, games), ["records", "check", "--quiet", str(many)], many)


def steps() -> Iterable[tuple[set[Key], Iterable[Row]]]:
    """Lists what there is to measure: the keys of the rows, and what measures them when it is asked for the first."""
    for sets, number, games in zip(MATCHES, PLAYERS, GAMES, strict=True):
        keys = ((MATCH, sets), (MATCH_REPORT, sets))
        yield {*keys}, match_rows(keys, ["random", "rule"], sets)
        players = [f"{name}@{limit}p" for limit in range(1, number // 2 + 1) for name in ("random", "rule")]
        pairs = number * (number - 1) // 2
        keys = ((TOURNAMENT, pairs), (TOURNAMENT_REPORT, pairs))
        yield {*keys}, match_rows(keys, players, 1)
        yield {(CHECK, games)}, check_row(games)


def table(rows: Iterable[Row]) -> list[str]:
    """Lists the lines of the table of docs/lab/speed.md: a line for each kind of command, a value for each size."""
    lines = ["| what | size | CPU seconds | memory, MiB | file, MB |", "|---|---:|---:|---:|---:|"]
    for what, group in groupby(rows, lambda row: row.what):
        kind, unit = what.rsplit(", ", 1)
        columns = [*zip(*group, strict=True)][1:]
        sizes, *figures = ("; ".join(map(_short, column)) for column in columns)
        lines.append(f"| {' | '.join([kind, f'{sizes} {unit}', *figures])} |")
    return lines


def _short(figure: float) -> str:
    """Writes a figure with three digits, or as a whole number."""
    return f"{figure:,.0f}" if figure >= 100 else f"{figure:.3g}"


def draw(rows: Iterable[Row], picture: Path) -> None:
    """Draws CPU seconds and memory over the size, on logarithmic axes, into a .png."""
    from matplotlib.figure import Figure  # slow to import, and not needed to measure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    seconds, memory = figure.subplots(1, 2)
    for what, group in groupby(rows, lambda row: row.what):
        sizes, seconds_of, mib_of = zip(*[(row.size, row.seconds, row.mib) for row in group], strict=True)
        seconds.plot(sizes, seconds_of, "o-", ms=4, lw=1, label=what)
        memory.plot(sizes, mib_of, "o-", ms=4, lw=1)
    for axes, title in ((seconds, "CPU seconds"), (memory, "memory, MiB")):
        axes.set(xscale="log", yscale="log", xlabel="size")
        axes.set_title(title, fontsize=9)
        axes.grid(alpha=0.3)
        axes.tick_params(labelsize=8)
    seconds.legend(fontsize=7)
    with written_whole(picture) as file:
        figure.savefig(file, format="png", dpi=80, metadata={"Software": None})


@click.command(cls=Command)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--picture", type=FILE, help="Draw all rows into this .png file.")
@click.option("--no-measure", is_flag=True, help="Only draw and print what FOLDER has.")
def main(folder: Path, picture: Path | None, no_measure: bool) -> None:
    """Measure CPU time and memory by size, keep the rows in FOLDER, and print the table."""
    rows = read(folder)
    missing = [] if no_measure else [measured for keys, measured in steps() if not keys <= rows.keys()]
    for measured in track(missing, "measuring", console=Console(stderr=True), transient=True):
        for row in measured:
            rows[row.what, row.size] = row
            write(folder, rows.values())
            say(f"{row.what}: {row.size:,}: {row.seconds} s, {row.mib} MiB", err=True)
    rows = read(folder)  # in the order of the table
    if picture:
        draw(rows.values(), picture)
    for line in table(rows.values()):
        say(line)


if __name__ == "__main__":
    main()
