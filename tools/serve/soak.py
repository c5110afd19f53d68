"""
Measures whether a server grows: tables of bots that play one game after another, and the memory of all processes.

    python -m tools.serve.soak --minutes 90 --json soak.jsonl --png soak.png

The samples go into the JSON file as they are taken. Ctrl-C stops; the same command goes on with a fresh server until
all samples together last as long as asked for. Growth is counted for each server alone, after its first minutes.
"""

import asyncio
import json
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import aiohttp
import click
import psutil

from ..shared.interrupts import Command
from ..shared.options import FiniteRange
from ..shared.orphans import Guard
from ..shared.place import PACKAGE, ROOT
from ..shared.terminal import say
from ..shared.whole_files import written_whole

__all__ = ["Sample", "draw", "growth", "main", "read_samples"]

EVERY_SECONDS = 10.0
MB = 1e6


class Sample(NamedTuple):
    """The memory at one moment; memory is what is resident, in MB of 10^6 bytes."""

    run: int
    """Which server, from 1: each start of the command makes one."""
    minute: float
    """Since the start of that server."""
    server_mb: float
    workers_mb: float
    """Of all processes in which bots think, together."""
    games: int
    """Finished since the start of that server."""
    cores: float
    """Processor time of all these processes since the last sample, in cores."""

    @property
    def total_mb(self) -> float:
        """Server and workers together."""
        return self.server_mb + self.workers_mb


class Options(NamedTuple):
    """What the command line says."""

    minutes: float
    tables: int
    bots: str
    limit: str
    pace: float
    warm: float
    most: float
    json: Path
    png: Path | None
    svg: Path | None


@click.command("python -m tools.serve.soak", help=__doc__, cls=Command)
@click.option("--minutes", type=FiniteRange(0.1), default=90, show_default=True, help="Length of all samples together.")
@click.option("--tables", type=click.IntRange(1, 100), default=20, show_default=True)
@click.option("--bots", default="champion,mctshs,rule", show_default=True, help="The three at each table.")
@click.option("--limit", default="0.05s", show_default=True, help="Limit of a bot's decision.")
@click.option("--pace", type=FiniteRange(0, 60), default=2, show_default=True, help="Seconds between moves.")
@click.option("--warm", type=FiniteRange(0), default=15, show_default=True, help="Minutes that do not count.")
@click.option("--most", type=FiniteRange(0), default=5, show_default=True, help="MB that it may grow after them.")
@click.option(
    "--json", type=click.Path(dir_okay=False, path_type=Path), required=True, help="Where the samples go, one a line."
)
@click.option("--png", type=click.Path(dir_okay=False, path_type=Path), help="A plot of them.")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="The same as SVG.")
def main(**options: object) -> None:
    """Samples, draws, and fails if the server grew too much."""
    asked = Options(**options)  # type: ignore[arg-type]
    if len(asked.bots.split(",")) != 3:
        raise click.UsageError(f"--bots {asked.bots}: a table has three")
    before = read_samples(asked.json)
    left = 60 * asked.minutes - EVERY_SECONDS * len(before)
    if left > 0:
        try:
            asyncio.run(_soak(asked, left, 1 + max((sample.run for sample in before), default=0)))
        except (OSError, aiohttp.ClientError, RuntimeError) as error:
            raise click.ClickException(str(error)) from None
    samples = read_samples(asked.json)
    for path in (asked.png, asked.svg):
        if path is not None and samples:
            draw(path, samples, asked.warm)
    sys.exit(_verdict(samples, asked))


# Samples.


def read_samples(path: Path) -> list[Sample]:
    """Reads what was sampled so far; a last line that was torn off does not count."""
    samples: list[Sample] = []
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            with suppress(ValueError, TypeError):
                samples.append(Sample(**json.loads(line)))
    return samples


def growth(samples: Sequence[Sample], warm: float) -> float | None:
    """
    Gets by how many MB one server grew at most after *warm* minutes; None if no server ran that long.

    Each minute counts with its median, since a thought takes memory for a moment. The first minute after the warm ones
    is what the others are compared with.
    """
    found: list[float] = []
    for run in sorted({sample.run for sample in samples}):
        minutes: dict[int, list[float]] = {}
        for sample in samples:
            if sample.run == run and sample.minute >= warm:
                minutes.setdefault(int(sample.minute), []).append(sample.total_mb)
        medians = [median(values) for _, values in sorted(minutes.items())]
        if len(medians) > 1:
            found.append(max(medians[1:]) - medians[0])
    return max(found, default=None)


def _verdict(samples: Sequence[Sample], asked: Options) -> int:
    found = growth(samples, asked.warm)
    if found is None:
        say(f"{len(samples)} samples: no server ran for a minute beyond the first {asked.warm:g}")
        return 0
    games = sum(max(s.games for s in samples if s.run == run) for run in {s.run for s in samples})
    cores = sum(sample.cores for sample in samples) / len(samples)
    say(
        f"{len(samples)} samples, {games} games, {cores:.2f} cores: after minute {asked.warm:g} it grew by "
        f"{found:.1f} MB at most; {asked.most:g} MB are allowed"
    )
    return int(found >= asked.most)


def draw(path: Path, samples: Sequence[Sample], warm: float) -> None:
    """Draws memory over minutes; the suffix of *path* says in which format."""
    # Not at the top: only who wants a plot needs it.
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.add_subplot()
    began = 0.0
    for run in sorted({sample.run for sample in samples}):
        one = [sample for sample in samples if sample.run == run]
        minutes = [began + sample.minute for sample in one]
        for values, color, label in (
            ([sample.total_mb for sample in one], "C0", "together"),
            ([sample.workers_mb for sample in one], "C1", "processes of the bots"),
            ([sample.server_mb for sample in one], "C2", "server"),
        ):
            axes.plot(minutes, values, color=color, label=label if not began else None)
        axes.axvline(began + warm, color="gray", linestyle=":", label="growth counts from here" if not began else None)
        began = minutes[-1]
    axes.set(xlabel="minutes", ylabel="resident memory (MB)", ylim=(0, None))
    games = sum(max(sample.games for sample in samples if sample.run == run) for run in {s.run for s in samples})
    axes.set_title(f"A server of tables of bots: {games} games")
    axes.grid(alpha=0.3)
    axes.legend()
    with written_whole(path) as file:
        figure.savefig(file, format=path.suffix[1:] or "png", dpi=120)


# The server and who watches.


async def _soak(asked: Options, seconds: float, run: int) -> None:
    """Plays and samples until the time is up or somebody stops it."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with _server(asked) as (process, address), AsyncExitStack() as stack:
        session = await stack.enter_async_context(aiohttp.ClientSession(headers={"Origin": address}))
        games = [0] * asked.tables
        watching = [asyncio.create_task(_watch(session, address, asked.bots, games, n)) for n in range(asked.tables)]
        sampling = asyncio.create_task(_sample(asked.json, process, seconds, run, games))
        stopping = asyncio.create_task(stop.wait())
        tasks = [*watching, sampling, stopping]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            task.result()


@asynccontextmanager
async def _server(asked: Options) -> AsyncIterator[tuple[psutil.Process, str]]:
    """Runs the real command, in a process group that ends with this process."""
    command = [sys.executable, "-u", "-m", f"{PACKAGE}.serve", "--port", "0", "--bot", asked.bots.split(",")[0]]
    folder = tempfile.TemporaryDirectory(prefix="ddzbot-soak-")
    options = ["--limit", asked.limit, "--pace", f"{asked.pace:g}", "--tables", folder.name]
    guard = Guard()
    running = subprocess.Popen(
        [*command, *options], cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    guard.watch(running.pid)
    try:
        assert running.stdout is not None
        line = await asyncio.to_thread(running.stdout.readline)
        found = re.search(r"http://\S+[^/\s]", line)
        if not found:
            raise RuntimeError("the server did not start: its own message says why")
        yield psutil.Process(running.pid), found[0]
    finally:
        running.terminate()
        running.wait(20)
        guard.forget(running.pid)
        guard.end()
        assert running.stdout is not None
        running.stdout.close()
        folder.cleanup()


async def _watch(session: aiohttp.ClientSession, address: str, bots: str, games: list[int], number: int) -> None:
    """Makes a table, and asks for the next game whenever one is over."""
    wish = {"rules": "botzone2", "places": bots.split(",")}
    async with session.post(f"{address}/tables", json=wish) as answer:
        made = await answer.json()
    if "error" in made:
        raise RuntimeError(made["error"]["en"])
    asked = 0
    async with session.ws_connect(f"{address}/tables/{made['table']}/socket") as socket:
        await socket.send_json({"type": "join", "token": "", "watch": True})
        async for message in socket:
            state: dict[str, Any] = json.loads(message.data)
            if state.get("phase") == "over" and state["game"] > asked:
                asked = state["game"]
                games[number] += 1
                await socket.send_json({"type": "again", "game": asked})
    raise RuntimeError(f"table {number + 1} of {len(games)} ended in game {asked + 1}")


async def _sample(path: Path, server: psutil.Process, seconds: float, run: int, games: list[int]) -> None:
    """Writes a sample every few seconds until the time is up."""
    began = last = time.monotonic()
    used = _seconds_used([server])
    with path.open("a", encoding="utf-8") as file:
        if path.stat().st_size and not path.read_bytes().endswith(b"\n"):
            file.write("\n")  # after a line that was torn off
        while last - began < seconds - EVERY_SECONDS / 2:
            await asyncio.sleep(max(0.0, EVERY_SECONDS - (time.monotonic() - last)))
            now = time.monotonic()
            workers = server.children(recursive=True)
            used_before, used = used, _seconds_used([server, *workers])
            sample = Sample(
                run=run,
                minute=round((now - began) / 60, 3),
                server_mb=_megabytes([server]),
                workers_mb=_megabytes(workers),
                games=sum(games),
                cores=round(max(0.0, used - used_before) / (now - last), 3),
            )
            file.write(json.dumps(sample._asdict()) + "\n")
            file.flush()
            last = now


def _megabytes(processes: Sequence[psutil.Process]) -> float:
    total = 0
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            total += process.memory_info().rss
    return round(total / MB, 3)


def _seconds_used(processes: Sequence[psutil.Process]) -> float:
    total = 0.0
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            times = process.cpu_times()
            total += times.user + times.system
    return total


if __name__ == "__main__":
    main()
