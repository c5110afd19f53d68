"""
A series in the championship's line protocol: ``python -m tools.judge.series BOT BOT BOT --deals 100``.

Each BOT is a player, such as champion or rule, or a command line that speaks DOUDIZHUVER 1.0, such as
"python bot.py --protocol icga --player rule". Every engine is one process for the whole series.
"""

import os
import selectors
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from ddzbot.files import ROOT
from ddzbot.protocol.icga import LETTERS

from ..opponents import program_of
from ..records.files import check_records_target, write_records
from ..records.record import RecordError, record_of
from ..shared.contestants import parse_contestant
from ..shared.interrupts import Command
from ..shared.options import FiniteRange
from .icga_platform import SECONDS, IcgaFaultError, Platform, Played

MOST_BYTES = 1 << 16
"""Of an answer."""


class EngineProcess:
    """
    An engine in a process of its own.

    :raises IcgaFaultError: when it is asked, if it ended, or answers too late or too much.
    """

    def __init__(self, words: list[str], letter: str, seconds: float) -> None:
        self._letter, self._seconds = letter, seconds
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)
        self._selector = selectors.DefaultSelector()
        assert self._process.stdout is not None
        self._selector.register(self._process.stdout, selectors.EVENT_READ)
        self._early = b""

    def ask(self, line: str) -> str:
        """Gets a message to its answer."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode("ascii") + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise IcgaFaultError(f"engine {self._letter} has ended") from None
        return self._line(time.monotonic() + self._seconds)

    def _line(self, deadline: float) -> str:
        assert self._process.stdout is not None
        while b"\n" not in self._early:
            left = deadline - time.monotonic()
            if left <= 0 or not self._selector.select(left):
                raise IcgaFaultError(f"engine {self._letter} does not answer within {self._seconds:g} s")
            data = os.read(self._process.stdout.fileno(), MOST_BYTES)
            self._early += data
            if not data or len(self._early) > MOST_BYTES:
                raise IcgaFaultError(f"engine {self._letter} {'writes no end of line' if data else 'has ended'}")
        line, _, self._early = self._early.partition(b"\n")
        return line.decode("ascii", "replace").strip()

    def close(self) -> None:
        """Says EXIT, and ends the process if it does not."""
        try:
            self._process.communicate(b"EXIT\n", timeout=5)
        except (OSError, ValueError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._selector.close()


def words_of(bot: str) -> list[str]:
    """
    Gets the command line of an engine.

    :raises ValueError: for an unknown player.
    """
    contestant = parse_contestant(bot).without_limit()
    if contestant.is_program:
        return list(contestant.command)
    assert contestant.player is not None
    return [sys.executable, *program_of(contestant.player.name), "--protocol", "icga", "--player", bot]


def print_series(names: list[str], played: list[Played], console: Console) -> None:
    """Prints what each place was paid."""
    table = Table("place", "engine", "landlord", "points", "points a deal")
    for place, name in enumerate(names):
        total = sum(one.points[place] for one in played)
        landlord = sum(one.landlord == place for one in played)
        table.add_row(LETTERS[place], name, str(landlord), f"{total:+g}", f"{total / (len(played) or 1):+.2f}")
    console.print(table)


@click.command("python -m tools.judge.series", cls=Command)
@click.argument("bots", nargs=3)
@click.option("--deals", type=click.IntRange(1), default=9, show_default=True, help="Deals of the series.")
@click.option("--seed", default="1", show_default=True, metavar="TEXT", help="Decides the deals.")
@click.option("--time", "seconds", type=FiniteRange(0.1), default=SECONDS, show_default=True, help="An answer.")
@click.option("--record", type=click.Path(path_type=Path, dir_okay=False), help="Write the deals into this file.")
def main(bots: tuple[str, str, str], deals: int, seed: str, seconds: float, record: Path | None) -> None:
    """Let three engines play a series; points are those of Botzone's game, since the championship's are not known."""
    try:
        commands = [words_of(bot) for bot in bots]
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if record:
        try:
            check_records_target(record)
        except RecordError as error:
            raise click.UsageError(str(error)) from None
    played: list[Played] = []
    with ExitStack() as open_engines:
        engines = []
        for letter, words in zip(LETTERS, commands, strict=True):
            engine = EngineProcess(words, letter, seconds)
            open_engines.callback(engine.close)
            engines.append(engine.ask)
        platform = Platform(engines)
        try:
            names = platform.open()
            played.extend(platform.play(number, deals, seed) for number in range(deals))
        except IcgaFaultError as error:
            raise click.ClickException(f"deal {len(played) + 1}: {error}") from None
    print_series(names, played, Console())
    if record:
        try:
            write_records(record, [record_of(one.game, _by_position(bots, one)) for one in played])
        except (RecordError, OSError) as error:
            raise click.UsageError(str(error)) from None


def _by_position(bots: tuple[str, str, str], played: Played) -> list[str]:
    return [bots[(played.first + position) % len(bots)] for position in range(len(bots))]


if __name__ == "__main__":
    main()
