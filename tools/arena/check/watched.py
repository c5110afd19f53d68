"""A bot's process that keeps account of its turns, and a single turn on any line of bytes."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ...judge.game import JudgeGame
from ...judge.process import BotProcess, Mode
from ...judge.process_answer import MARKER, Answer
from ...judge.process_exchange import End, Exchange, LiveBot, Rules
from ...judge.process_group import ProcessGroup
from ...judge.process_limits import Limits
from ...judge.process_memory import MemoryMeter
from ...judge.process_verdict import EndedTurn, rule_on
from ...judge.turn_end import TurnEnd
from ...shared.message import Message
from .turn import Turn, as_line

Phase = Literal["first", "later", "kept"]
"""Which limit of time a turn falls under; kept is a later turn of a process that kept running."""


@dataclass(frozen=True)
class Terms:
    """
    The platform's limits, and how far a bot may exceed them before a turn is broken off.

    A bot that is a little slow or large still goes through every step, and fails only at the one about time or memory.
    """

    limits: Limits = field(default_factory=Limits)
    patience: float = 2.0
    home: str | None = None
    """The folder that the bot is started in; None for this one."""

    @property
    def folder(self) -> Path | None:
        """That folder as a path."""
        return Path(self.home) if self.home else None

    def later(self, deadline: float) -> float:
        """Gets the time at which a turn is broken off that has begun now and should be over by *deadline*."""
        now = time.monotonic()
        return now + self.patience * (deadline - now)

    @property
    def memory_mib(self) -> float:
        """The memory at which a turn is broken off."""
        return self.patience * self.limits.memory_mib


class TurnNote(NamedTuple):
    """One turn of the bot under test."""

    place: str
    """Where it was, for people. For example, ``FightTheLandlord, lead, turn 1``."""
    phase: Phase
    answer: Answer
    turn: Turn


class Watched(BotProcess):
    """
    A :class:`BotProcess` that notes each of its turns in *notes*.

    *starts_anew* decides by the number of a turn (from 1) whether its process is ended before it. For example,
    ``lambda turn: turn == 3`` restarts the bot in mid-game. *said* is what the bot is taken to have answered first: its
    process is not asked for that. Without *with_data* it never gets back what it keeps from turn to turn.
    """

    def __init__(
        self,
        command: Sequence[str],
        mode: Mode,
        terms: Terms,
        notes: list[TurnNote],
        place: str,
        starts_anew: Callable[[int], bool],
        said: Sequence[Any] = (),
        with_data: bool = True,
    ) -> None:
        super().__init__(command, mode, terms.limits, cwd=terms.home, send_limits=False)
        self.match: JudgeGame | None = None
        """The match that it plays in, for the notes."""
        self.game, self.player = "", 0
        """Which game that is, and its place there."""
        self._terms = terms
        self._notes = notes
        self._place = place
        self._starts_anew = starts_anew
        self._said = said
        self._with_data = with_data
        self._lines: list[bytes] = []
        """All that its process was handed."""
        self._output = b""

    def turn(
        self, requests: Sequence[Any], responses: Sequence[Any], data: Any = None, globaldata: Any = None
    ) -> Answer:
        """Answers the last of *requests*; see :meth:`BotProcess.turn`."""
        turn_number = len(requests)
        if turn_number <= len(self._said):
            return Answer("OK", self._said[turn_number - 1])
        if self._starts_anew(turn_number):
            self.close()
        if not self._with_data:
            data = globaldata = None
        answer = super().turn(requests, responses, data, globaldata)
        if answer.fresh:
            self._lines = [as_line(self._envelope(requests, responses, data, globaldata, 0))]
        else:
            self._lines.append(as_line(requests[-1]))
        phase: Phase = "kept" if not answer.fresh else "first" if turn_number == 1 else "later"
        streams = b"".join(self._lines), self._output, answer.stderr
        label = Message("{place}, turn {turn}", place=self._place, turn=turn_number)
        turn = Turn(
            self.match, self.game, self.player, turn_number, self.mode, not answer.fresh, data, globaldata, *streams
        )
        self._notes.append(TurnNote(label, phase, answer, turn))
        return answer

    def _rules(self, deadline: float, turn_end: TurnEnd) -> Rules:
        rules = super()._rules(self._terms.later(deadline), turn_end)
        return replace(rules, memory_mib=self._terms.memory_mib)

    def _answer(self, live: LiveBot, exchange: Exchange, end: End, limit: float, seconds: float, fresh: bool) -> Answer:
        answer = super()._answer(live, exchange, end, limit, seconds, fresh)
        self._output = bytes(exchange.output)
        return answer


class RawTurn(NamedTuple):
    """What became of one line."""

    end: End
    asks_to_keep_running: bool
    """The marker line stands in the output."""
    answer: Answer
    turn: Turn


def raw_turn(command: Sequence[str], line: bytes, terms: Terms, turn_end: TurnEnd = TurnEnd.INPUT) -> RawTurn:
    """
    Starts the bot and hands it *line* as it is, in a turn that ends as told, by default with the input.

    :raises OSError: if the program cannot be started
    """
    limits = terms.limits
    start = time.monotonic()
    group = ProcessGroup(command, terms.folder, memory_mib=terms.memory_mib)
    try:
        live = LiveBot(group, MemoryMeter(group.pid, group.in_sandbox))
        deadline = terms.later(start + limits.first_turn)
        marker = turn_end is not TurnEnd.INPUT
        exchange = Exchange(live, Rules(deadline, terms.memory_mib, limits.output_bytes, marker, turn_end=turn_end))
        end = exchange.run(line)
        seconds = time.monotonic() - start - exchange.waited
        group.kill()
        exchange.drain_stderr()
        output, stderr = bytes(exchange.output), exchange.stderr.decode("utf-8", "replace")
        peak = live.meter.peak_mib
        ended = EndedTurn(
            Message("it"), end, group.exit_code, output, stderr, limits.first_turn, peak, limits, False, False
        )
        ruling = rule_on(ended)
    finally:
        group.close()
    asks = end is End.MARKER or MARKER.encode() in output
    answer = Answer(
        ruling.verdict, ruling.reply.response, seconds=seconds, peak_mib=peak, stderr=stderr, problem=ruling.problem
    )
    mode: Mode = "auto" if marker else "one_shot"
    return RawTurn(end, asks, answer, Turn(None, "", 0, 1, mode, False, None, None, line, output, stderr))
