"""
Runs any command line as a Botzone bot, one turn at a time.

One-shot (the platform's default): a process a turn. It gets one line, the envelope with all requests and responses,
prints one line and exits with code 0. Kept running: a process that prints the marker line after its answer is stopped
until the next turn and then gets only the newest request. Nothing here knows the game.

Decisions where the platform is silent or not known for certain:

* A turn lasts until the process has ended or printed the marker line. An answer alone does not end it (TLE), because
  the platform waits for the process as well.
* How the process ended comes before what it printed: an exit code other than 0 is RE even after a good answer.
* Anything but blank lines after the answer line is NJ, and so is an answer that no record could hold; see
  :func:`tools.judge.process_answer.read_output`.
* In mode ``one_shot`` a marker line is ignored and standard input is closed after the envelope, so that a bot made
  to be kept running ends by itself. Mode ``keep_running`` insists on the marker: an exit without it is RE. Mode
  ``auto`` closes standard input for a bot that reads it to the end; see :mod:`.turn_end`.
* A bot that asks to stay only when its input has ended is asked again, in a new process whose input stays open: the
  judge took it for one that reads to the end, and it has to print its marker without such an end.
* A kept process that died between turns, or took nothing of its request before it died, is started again with the
  full envelope and the time of a started process. The first turn of a game always starts a new process.
* ``time_limit`` in the envelope is in milliseconds and ``memory_limit`` in MiB, both whole numbers.
* ``data`` and ``globaldata`` do not work for a kept process, so they are None there; ``debug`` is passed on for
  a viewer. Their lengths are not policed.
"""

import errno
import os
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, get_args

from ..shared.bounds import reason_of
from ..shared.commands import split_command
from ..shared.json_text import json_line
from ..shared.message import Message
from .process_answer import Answer
from .process_exchange import End, Exchange, LiveBot, Rules
from .process_group import ProcessGroup
from .process_limits import Limits
from .process_memory import MemoryMeter
from .process_verdict import EndedTurn, rule_on
from .turn_end import TurnEnd, note_turn_end, turn_end_of

Mode = Literal["one_shot", "keep_running", "auto"]
MODES: tuple[Mode, ...] = get_args(Mode)

BOT_START_ERRORS = frozenset(
    {errno.ENOENT, errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.ENOEXEC, errno.ELOOP, errno.E2BIG}
)
"""Start failures that the command is to blame for; others (no more processes, no memory) are the judge's own."""


class BotProcess:
    """
    A bot on the other side of three pipes.

    For example, ``with BotProcess("python3 bot.py", name="seat 1") as bot: bot.turn([request], [])`` plays a first
    turn. Use it from one thread at a time; different bots may run in different threads. :meth:`close` ends the
    process between two games; a later turn starts a new one.

    *mode* is one of :data:`MODES`; ``auto`` goes by what the program does (:mod:`.turn_end`). *env* replaces
    the environment, *log* receives standard error as it comes, *bare_responses* is explained at
    :func:`tools.judge.process_answer.read_output`, *send_limits* puts the limits into the envelope.

    :raises ValueError: if the command, the mode or the working directory makes no sense
    """

    def __init__(
        self,
        command: str | Sequence[str],
        mode: Mode = "auto",
        limits: Limits | None = None,
        *,
        name: str = "bot",
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        log: Callable[[str], None] | None = None,
        bare_responses: bool = False,
        send_limits: bool = True,
    ) -> None:
        self.command = split_command(command)
        if mode not in MODES:
            raise ValueError(f"mode {mode!r} is unknown: choose one of {', '.join(MODES)}")
        self.mode = mode
        self.limits = limits if limits is not None else Limits()
        self.name = name
        self.cwd = Path(cwd) if cwd is not None else None
        if self.cwd is not None and not self.cwd.is_dir():
            raise ValueError(f"working directory {str(self.cwd)!r} does not exist")
        self._env = env
        self._log = log
        self._bare_responses = bare_responses
        self._send_limits = send_limits
        self._live: LiveBot | None = None
        self._finalizer: weakref.finalize[..., Any] | None = None

    @property
    def pid(self) -> int | None:
        """The process that was kept for the next turn; None when that turn will have to start one."""
        return None if self._live is None else self._live.group.pid

    def turn(
        self, requests: Sequence[Any], responses: Sequence[Any], data: Any = None, globaldata: Any = None
    ) -> Answer:
        """
        Asks for the response to the last of *requests*, after *responses* to the earlier ones.

        A failure of the bot is a verdict in the answer, never an exception, and ends its process.

        :raises ValueError: if there is not exactly one request more than there are responses
        :raises TypeError: if a request or response is not a JSON value
        :raises OSError: if the system has no process or descriptor left
        """
        if len(requests) != len(responses) + 1:
            raise ValueError(f"{len(requests)} requests do not fit {len(responses)} responses: one more is needed")
        try:
            if len(requests) > 1 and self._live is not None and not self._live.group.ended():
                answer = self._bare_turn(self._live, requests[-1])
                if answer is not None:
                    return answer
            return self._envelope_turn(requests, responses, data, globaldata)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Kills the bot and every process it started; does nothing when there is none."""
        if self._finalizer is not None:
            self._finalizer()
            self._finalizer = None
        self._live = None

    def __enter__(self) -> "BotProcess":
        """Starts nothing: the first turn does."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes the bot."""
        self.close()

    def _bare_turn(self, live: LiveBot, request: Any) -> Answer | None:
        """Hands a kept process its newest request; None if it turns out to have died before."""
        limit = self.limits.keep_running_turn
        line = _encode(request)
        # As at the site, what it worked since its last turn is time of this one.
        start = time.monotonic() - live.group.resume()
        exchange = Exchange(live, self._rules(start + limit, TurnEnd.STAYS), self._log)
        end = exchange.run(line)
        if end is End.EXIT and exchange.untouched():
            return None
        return self._answer(live, exchange, end, limit, time.monotonic() - start, fresh=False)

    def _envelope_turn(
        self,
        requests: Sequence[Any],
        responses: Sequence[Any],
        data: Any,
        globaldata: Any,
        turn_end: TurnEnd | None = None,
    ) -> Answer:
        """Starts a process and hands it the whole game so far, by what is known of the program, or *turn_end*."""
        self.close()
        limit = self.limits.first_turn if len(requests) == 1 else self.limits.later_turn
        line = _encode(self._envelope(requests, responses, data, globaldata, limit))
        start = time.monotonic()
        try:
            live = self._start()
        except OSError as error:
            if error.errno not in BOT_START_ERRORS:
                raise
            program, why = repr(self.command[0]), reason_of(error)
            failure = Message("could not be started: {program}: {why}", program=program, why=why)
            reason = Message("{player} {what} ({verdict})", player=self.name, what=failure, verdict="RE")
            return Answer("RE", seconds=time.monotonic() - start, problem=reason)
        exchange = Exchange(live, self._rules(start + limit, turn_end or self._turn_end()), self._log)
        end = exchange.run(line)
        if end is End.MARKER and exchange.input_ended:
            return self._envelope_turn(requests, responses, data, globaldata, TurnEnd.STAYS)
        return self._answer(live, exchange, end, limit, time.monotonic() - start - exchange.waited, fresh=True)

    def _envelope(
        self, requests: Sequence[Any], responses: Sequence[Any], data: Any, globaldata: Any, limit: float
    ) -> dict[str, Any]:
        envelope: dict[str, Any] = {"requests": list(requests), "responses": list(responses)}
        if data is not None:
            envelope["data"] = data
        if globaldata is not None:
            envelope["globaldata"] = globaldata
        if self._send_limits:
            envelope["time_limit"] = round(limit * 1000)
            envelope["memory_limit"] = round(self.limits.memory_mib)
        return envelope

    def _start(self) -> LiveBot:
        group = ProcessGroup(self.command, self.cwd, self._env, self.limits.memory_mib)
        # Also runs when the judge exits or forgets the bot: a stopped process would never end by itself.
        self._finalizer = weakref.finalize(self, group.close)
        self._live = LiveBot(group, MemoryMeter(group.pid, group.in_sandbox))
        return self._live

    def _turn_end(self) -> TurnEnd:
        if self.mode == "auto":
            return turn_end_of(self.command, self.cwd)
        return TurnEnd.INPUT if self.mode == "one_shot" else TurnEnd.STAYS

    def _rules(self, deadline: float, turn_end: TurnEnd) -> Rules:
        limits = self.limits
        return Rules(
            deadline, limits.memory_mib, limits.output_bytes, marker=self.mode != "one_shot", turn_end=turn_end
        )

    def _answer(self, live: LiveBot, exchange: Exchange, end: End, limit: float, seconds: float, fresh: bool) -> Answer:
        """Turns the end of an exchange into a verdict, and ends or stops the process accordingly."""
        if self.mode == "auto":
            note_turn_end(self.command, self.cwd, exchange.shown(end))
        if end is End.MARKER:
            live.group.stop()
        else:
            live.group.kill()
            exchange.drain_stderr()
        stderr = exchange.stderr.decode("utf-8", "replace")
        turn = EndedTurn(
            name=self.name,
            end=end,
            exit_code=live.group.exit_code,
            output=bytes(exchange.output),
            stderr=stderr,
            seconds_allowed=limit,
            peak_mib=live.meter.peak_mib,
            limits=self.limits,
            must_keep=self.mode == "keep_running",
            bare_responses=self._bare_responses,
        )
        ruling = rule_on(turn)
        is_kept = end is End.MARKER and ruling.verdict == "OK"
        if not is_kept:
            self.close()
        return Answer(
            ruling.verdict,
            response=ruling.reply.response,
            debug=ruling.reply.debug,
            data=None if is_kept else ruling.reply.data,
            globaldata=None if is_kept else ruling.reply.globaldata,
            seconds=seconds,
            peak_mib=live.meter.peak_mib,
            stderr=stderr,
            problem=ruling.problem,
            fresh=fresh,
            kept=is_kept,
        )


def _encode(value: Any) -> bytes:
    return json_line(value)
