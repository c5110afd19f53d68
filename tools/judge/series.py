"""
A series in the championship's line protocol: ``python -m tools match BOT BOT BOT --series --sets 100``.

Each BOT is a player, such as champion or rule, or a command line that speaks DOUDIZHUVER 1.0, such as
"python bot.py --protocol icga --player rule". Every engine is one process for the whole series, or until it is at
fault.
"""

import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import click
from rich.table import Table

from ddzbot.files import ROOT
from ddzbot.game import SEATS
from ddzbot.protocol.icga import LETTERS

from ..opponents import program_of
from ..records.files import check_records_target, format_of, text_of, write_texts
from ..records.record import GameRecord, RecordError, Result, record_of
from ..shared.bounds import LONGEST_REASON
from ..shared.contestants import Contestant
from ..shared.interrupts import INTERRUPTED, stop_on_signals
from ..shared.terminal import Console, say
from .icga_platform import IcgaFaultError, Platform, Played
from .process import BOT_START_ERRORS
from .process_exchange import End, Exchange, LiveBot, Rules
from .process_group import ProcessGroup
from .process_limits import Limits
from .process_memory import MemoryMeter
from .process_verdict import EndedTurn, rule_on

MOST_BYTES = 1 << 16
"""Of an answer."""

EXIT_SECONDS = 5.0
"""For the engine to end by itself after the series."""

AT_FAULT = 1


class StoppedError(Exception):
    """Raised in the middle of a deal by the wish to stop."""


class EngineProcess:
    """
    An engine in a process of its own, an :class:`.icga_platform.Engine` under the limits of the judge.

    It is stopped while it is not asked, so that it cannot think in another one's time.
    """

    def __init__(self, words: list[str], place: int, limits: Limits, stopped: Callable[[], bool]) -> None:
        self._words, self._place, self._limits, self._stopped = words, place, limits, stopped
        self._live: LiveBot | None = None

    def ask(self, line: str) -> str:
        """
        Gets a message to its answer, and starts a process if there is none.

        :raises IcgaFaultError: if it ended, or answers too late or too much.
        :raises StoppedError: if the series is to stop.
        """
        start = time.monotonic()
        live = self._live or self._start()
        exchange, end = self._exchange(live, line, start + self._limits.later_turn, first_line=True)
        if end is not End.LINE:
            raise self._fault(live, exchange, end)
        live.group.stop()
        return exchange.output.decode("ascii", "replace").strip()

    def end(self) -> None:
        """Kills it with all that it started."""
        if self._live is not None:
            self._live.group.close()
            self._live = None

    def close(self) -> None:
        """Says EXIT, and kills what does not end."""
        try:
            if self._live is not None:
                self._exchange(self._live, "EXIT", time.monotonic() + EXIT_SECONDS, first_line=False)
        except StoppedError:
            pass
        finally:
            self.end()

    def _start(self) -> LiveBot:
        try:
            group = ProcessGroup(self._words, Path(ROOT))
        except OSError as error:
            if error.errno not in BOT_START_ERRORS:
                raise
            problem = f"engine {LETTERS[self._place]} could not be started: {self._words[0]!r}: {error.strerror}"
            raise IcgaFaultError(self._place, "RE", f"{problem} (RE)") from None
        self._live = LiveBot(group, MemoryMeter(group.pid))
        return self._live

    def _exchange(self, live: LiveBot, line: str, deadline: float, first_line: bool) -> tuple[Exchange, End]:
        live.group.resume()
        rules = Rules(deadline, self._limits.memory_mib, self._limits.output_bytes, marker=False, first_line=first_line)
        exchange = _Exchange(live, rules, self._stopped)
        return exchange, exchange.run(line.encode("ascii") + b"\n")

    def _fault(self, live: LiveBot, exchange: Exchange, end: End) -> IcgaFaultError:
        code = live.group.kill()
        exchange.drain_stderr()
        if end is End.EXIT and code == 0:
            return IcgaFaultError(self._place, "RE", f"engine {LETTERS[self._place]} has ended (RE)")
        ruling = rule_on(
            EndedTurn(
                name=f"engine {LETTERS[self._place]}",
                end=end,
                exit_code=code,
                output=bytes(exchange.output),
                stderr=exchange.stderr.decode("utf-8", "replace"),
                seconds_allowed=self._limits.later_turn,
                peak_mib=live.meter.peak_mib,
                limits=self._limits,
                must_keep=True,
                bare_responses=False,
            )
        )
        return IcgaFaultError(self._place, ruling.verdict, ruling.problem)


class _Exchange(Exchange):
    """One that breaks off when the series is to stop."""

    def __init__(self, bot: LiveBot, rules: Rules, stopped: Callable[[], bool]) -> None:
        super().__init__(bot, rules)
        self._stopped = stopped

    def _wait(self) -> None:
        super()._wait()
        if self._stopped():
            raise StoppedError


def words_of(engine: Contestant) -> list[str]:
    """
    Gets the command line of an engine.

    :raises ValueError: for one with a limit of its own.
    """
    engine = engine.without_limit()
    if engine.player is None:
        return list(engine.command)
    return [sys.executable, *program_of(engine.player.name), "--protocol", "icga", "--player", engine.spec]


def print_series(names: list[str], played: list[Played], console: Console) -> None:
    """Prints what each place was paid."""
    table = Table("place", "engine", "landlord", "faults", "points", "points a deal")
    for place, name in enumerate(names):
        total = sum(one.points[place] for one in played)
        landlord = sum(one.landlord == place for one in played)
        faults = sum(fault.place == place for one in played for fault in one.faults)
        a_deal = f"{total / (len(played) or 1):+.2f}"
        table.add_row(LETTERS[place], name, str(landlord), str(faults), f"{total:+g}", a_deal)
    console.print(table)


class _RecordFile:
    """The deals of the series in a file, which is whole after each of them."""

    def __init__(self, path: Path) -> None:
        self._path, self._form = path, format_of(path)
        self._texts: list[str] = []
        self.problem = ""
        """Why the last one is not in the file; the next one tries again."""

    def add(self, record: GameRecord) -> None:
        """Writes the deals so far, and this one."""
        self._texts.append(text_of([record], self._form))
        try:
            write_texts(self._path, [("\n" if self._form == "text" else "").join(self._texts)])
            self.problem = ""
        except RecordError as error:
            self.problem = str(error)


class Series(NamedTuple):
    """What is played."""

    engines: tuple[Contestant, ...]
    deals: int
    seed: int
    """Decides the deals."""
    seconds: float
    """For an answer."""
    memory: float
    """MiB for each engine."""
    record: Path | None
    """Where the deals are written."""


def play_series(series: Series) -> None:
    """
    Lets three engines play; points are those of Botzone's game, since the championship's are not known.

    An engine at fault loses the deal, and begins anew with the next one.

    :raises ValueError: for what is no engine here, and a file that cannot be written.
    :raises click.ClickException: for an engine that cannot begin.
    :raises SystemExit: with 1 if an engine was at fault, with 130 after an interrupt.
    """
    bots = tuple(engine.spec for engine in series.engines)
    if len(bots) != SEATS:
        raise ValueError(f"a series needs {SEATS} engines, not {len(bots)}")
    commands = [words_of(engine) for engine in series.engines]
    if series.record:
        check_records_target(series.record)
    file = _RecordFile(series.record) if series.record else None
    played: list[Played] = []
    limits = Limits(series.seconds, series.seconds, series.seconds, series.memory, MOST_BYTES)
    with stop_on_signals() as stopped, ExitStack() as open_engines:
        engines = [EngineProcess(words, place, limits, stopped) for place, words in enumerate(commands)]
        for engine in engines:
            open_engines.callback(engine.close)
        platform = Platform(engines, series.seconds)
        try:
            platform.open()
            for number in range(series.deals):
                played.append(one := platform.play(number, series.deals, str(series.seed)))
                _note(one, len(played), bots, file)
        except IcgaFaultError as error:
            raise click.ClickException(f"deal 1: {error}") from None
        except StoppedError:
            say(f"Interrupted after {len(played)} of {series.deals} deals.", err=True)
    print_series(platform.names, played, Console())
    if file and file.problem:
        raise click.ClickException(file.problem)
    if len(played) < series.deals:
        sys.exit(INTERRUPTED)
    if any(one.faults for one in played):
        sys.exit(AT_FAULT)


def _note(played: Played, number: int, bots: Sequence[str], file: _RecordFile | None) -> None:
    """Says what went wrong in a deal, and records it."""
    for fault in played.faults:
        say(f"deal {number}: {fault}", err=True)
    if file:
        had_problem = bool(file.problem)
        file.add(record_of_deal(played, bots))
        if file.problem and not had_problem:
            say(f"deal {number}: {file.problem}; the series goes on", err=True)


def record_of_deal(played: Played, bots: Sequence[str]) -> GameRecord:
    """Makes the record of a deal; one that ended in the auction is a record of the auction."""
    first, second, third = (bots[(played.first + position) % SEATS] for position in range(SEATS))
    said = [(fault.verdict, (fault.place - played.first) % SEATS, str(fault)) for fault in played.faults]
    told = [f"{verdict} by position {position}: {what:.{LONGEST_REASON}}" for verdict, position, what in said]
    tags = {"Faults": "; ".join(told)} if told else {}
    game = played.game
    if game is not None and game.finished:
        return record_of(game, (first, second, third), tags=tags)
    begins = played.first if played.landlord is None else played.landlord
    scores = (played.points[begins], played.points[(begins + 1) % SEATS], played.points[(begins + 2) % SEATS])
    result = Result(None, scores, f"fault: {said[0][0]} by position {said[0][1]}")
    if game is not None:
        return record_of(game, (first, second, third), tags=tags, result=result)
    return GameRecord(
        rules=played.deal.rules,
        hands=played.deal.hands,
        bottom=played.deal.bottom,
        bids=played.bids,
        landlord_position=None,
        names=(first, second, third),
        result=result,
        tags=tags,
    )
