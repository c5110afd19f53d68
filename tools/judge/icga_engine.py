"""An engine of the championship's line protocol in a process of its own, under the limits of the judge."""

import sys
import time

from ddzbot.protocol.icga import LETTERS

from ..programs import program_of
from ..shared.contestants import Contestant
from .icga_platform import IcgaFaultError
from .process import BOT_START_ERRORS
from .process_exchange import End, Exchange, LiveBot, Rules
from .process_group import ProcessGroup
from .process_limits import Limits
from .process_memory import MemoryMeter
from .process_verdict import EndedTurn, rule_on
from .turn_end import TurnEnd

EXIT_SECONDS = 5.0
"""For the engine to end by itself after the series."""


class EngineProcess:
    """
    An engine in a process of its own, an :class:`.icga_platform.Engine` under the limits of the judge.

    It is stopped while it is not asked, so that it cannot think in another one's time.
    """

    def __init__(self, words: list[str], place: int, limits: Limits) -> None:
        self._words, self._place, self._limits = words, place, limits
        self._live: LiveBot | None = None

    def ask(self, line: str) -> str:
        """
        Gets a message to its answer, and starts a process if there is none.

        :raises IcgaFaultError: if it ended, or answers too late or too much.
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
        """Sends EXIT, and kills what does not end."""
        try:
            if self._live is not None:
                self._exchange(self._live, "EXIT", time.monotonic() + EXIT_SECONDS, first_line=False)
        finally:
            self.end()

    def _start(self) -> LiveBot:
        try:
            group = ProcessGroup(self._words, None, memory_mib=self._limits.memory_mib)
        except OSError as error:
            if error.errno not in BOT_START_ERRORS:
                raise
            problem = f"engine {LETTERS[self._place]} could not be started: {self._words[0]!r}: {error.strerror}"
            raise IcgaFaultError(self._place, "RE", f"{problem} (RE)") from None
        self._live = LiveBot(group, MemoryMeter(group.pid, group.in_sandbox))
        return self._live

    def _exchange(self, live: LiveBot, line: str, deadline: float, first_line: bool) -> tuple[Exchange, End]:
        deadline -= live.group.resume()
        turn_end = TurnEnd.LINE if first_line else TurnEnd.INPUT
        rules = Rules(deadline, self._limits.memory_mib, self._limits.output_bytes, False, first_line, turn_end)
        exchange = Exchange(live, rules)
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


def words_of(engine: Contestant) -> list[str]:
    """
    Gets the command line of an engine.

    :raises ValueError: for one with a limit of its own.
    """
    engine = engine.without_limit()
    if engine.player is None:
        return list(engine.command)
    return [sys.executable, *program_of(engine.player.name), "--protocol", "icga", "--player", engine.player.text]
