"""
Measures what orjson saves where much JSON is read and written: ``python -m tools.bench.json [--json]``.

Each job is done without orjson and with it, in turn. Times are processor seconds, the least of several runs, because
the machines are shared. The ratio says how many times as fast orjson makes it.
"""

import gc
import gzip
import json
import platform
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from unittest import mock

import click
from rich.table import Table

from ddzbot.game import Game
from ddzbot.kernel.chance import Generator
from ddzbot.rules import BOTZONE

from ..match.journal import line_of
from ..match.results_file import load, read
from ..records.files import records_of, text_of
from ..records.record import GameRecord, Note, record_of
from ..shared import json_text
from ..shared.interrupts import Command
from ..shared.place import ROOT
from ..shared.terminal import Console
from .__main__ import deals

RESULTS = ROOT / "results" / "champion" / "rhcp.json.gz"

BATCH = 250
"""Games of one run: few enough to leave the memory to others."""

ROWS = {
    "records_dump": "game records, JSON alone: write",
    "records_parse": "game records, JSON alone: read",
    "records_write": "game records: from games to a text",
    "records_read": "game records: from the text to games",
    "results_save": "results file: all sets as one block, write",
    "results_load": "results file: read, with every check",
}

Job = Callable[[], object]
Jobs = Mapping[str, Job]


def played(game: Game, generator: Generator) -> Game:
    """Plays *game* to its end with random moves."""
    while not game.finished:
        moves = game.legal_moves()
        game = game.played(moves[generator.below(len(moves))])
    return game


def noted_records(count: int) -> Iterator[GameRecord]:
    """Makes records of random games, always the same, in which every move has the note of a searching player."""
    generator, chance = Generator(0), random.Random(0)

    def note() -> Note:
        debug = {"player": "mctshs", "playouts": chance.randrange(10_000), "nodes": chance.randrange(10_000)}
        return Note(round(chance.uniform(0.001, 1), 6), round(chance.random(), 4), debug)

    for dealt in deals(BOTZONE, count):
        game = played(dealt, generator)
        yield record_of(game, ("ann", "bob", "cat"), {ply: note() for ply in range(len(game.plays))})


def record_jobs(records: list[GameRecord]) -> Jobs:
    """Gets what is measured on game records."""
    text = text_of(records, "json")
    lines = text.splitlines()
    values = [json_text.parse_json(line) for line in lines]
    return {
        "records_dump": lambda: [json_text.json_text(value) for value in values],
        "records_parse": lambda: [json_text.parse_json(line) for line in lines],
        "records_write": partial(text_of, records, "json"),
        "records_read": partial(records_of, text, "json"),
    }


def results_jobs(file: Path) -> Jobs:
    """Gets what is measured on a results file: all its sets as one line, and reading it with every check."""
    block = {"block": [[pairing, row] for pairing, rows in enumerate(read(file).rows) for row in rows]}
    return {
        "results_save": partial(line_of, block, ""),
        "results_load": partial(read, file),
    }


def seconds(job: Job) -> float:
    """Gets the processor seconds of one run of *job*."""
    # Else the garbage of one run is collected in another's time; timeit does the same.
    gc.disable()
    try:
        before = time.process_time()
        job()
        return time.process_time() - before
    finally:
        gc.enable()


def measure(jobs: Jobs, repeats: int) -> Iterator[tuple[str, float]]:
    """Times all *jobs* without orjson and with it: seconds by name with ``_json_s`` or ``_orjson_s`` behind it."""
    for name, job in jobs.items():
        without, by_orjson = float("inf"), float("inf")
        for _ in range(repeats):
            with mock.patch.object(json_text, "orjson", None):
                without = min(without, seconds(job))
            by_orjson = min(by_orjson, seconds(job))
        yield name + "_json_s", without
        yield name + "_orjson_s", by_orjson


def measured(games: int, file: Path, repeats: int) -> dict[str, float | str]:
    """Measures everything, on so many game records and one results file."""
    records, total = noted_records(games), Counter[str]()
    while batch := list(islice(records, BATCH)):
        total.update(dict(measure(record_jobs(batch), repeats)))
    total.update(dict(measure(results_jobs(file), 4 * repeats)))
    figures: dict[str, float | str] = {name: round(spent, 4) for name, spent in total.items()}
    for name in ROWS:
        figures[name + "_ratio"] = round(total[name + "_json_s"] / total[name + "_orjson_s"], 2)
    sets = load(file)["summary"]["sets"]
    return {**figures, "games": games, "sets": sets}


def show(figures: Mapping[str, float | str], console: Console) -> None:
    """Prints *figures* as a table."""
    size = f"{figures['games']:,} games, {figures['sets']:,} sets"
    title = f"{size}; orjson {figures['orjson']}, Python {figures['python']}"
    table = Table("what", title=title)
    for head in ("json, s", "orjson, s", "ratio"):
        table.add_column(head, justify="right")
    for name, text in ROWS.items():
        table.add_row(text, *(str(figures[name + tail]) for tail in ("_json_s", "_orjson_s", "_ratio")))
    console.print(table)


def unpacked(file: Path, folder: Path) -> Path:
    """
    Copies a results file into *folder*, unpacked.

    :raises ValueError: if it is none, with one sentence that names the file.
    """
    read(file)
    copy, data = folder / file.name.removesuffix(".gz"), file.read_bytes()
    copy.write_bytes(gzip.decompress(data) if file.suffix == ".gz" else data)
    return copy


@click.command(cls=Command)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
@click.option("--games", type=click.IntRange(1), default=10_000, show_default=True, help="How many game records.")
@click.option(
    "--results",
    "file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    default=RESULTS,
    help="A results file of tools.match, packed or not; by default one of 1,000 sets.",
)
@click.option("--repeats", type=click.IntRange(1), default=3, show_default=True, help="Runs of each job.")
def main(as_json: bool, games: int, file: Path, repeats: int) -> None:
    """Measure reading and writing of game records and of a results file, without orjson and with it."""
    try:
        import orjson
    except ImportError:
        raise click.ClickException("orjson is not installed: there is nothing to compare") from None
    with tempfile.TemporaryDirectory() as folder:
        try:
            copy = unpacked(file, Path(folder))
        except ValueError as error:
            raise click.UsageError(str(error)) from None
        figures = measured(games, copy, repeats)
    figures.update(orjson=orjson.__version__, python=platform.python_version())
    if as_json:
        click.echo(json.dumps(figures))
    else:
        show(figures, Console())


if __name__ == "__main__":
    main()
