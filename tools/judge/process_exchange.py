"""
One line in, one turn's output back: the input and output of a bot between two deadlines.

Nothing here blocks but one wait with a timeout, so a bot that neither reads nor writes cannot hang the judge.
"""

import codecs
import enum
import time
from collections.abc import Callable
from dataclasses import dataclass

from .process_answer import MARKER
from .process_group import Group
from .process_memory import MemoryMeter
from .turn_end import InputWatch, TurnEnd

STDERR_KEPT = 1 << 16
"""Bytes of standard error that are kept in a turn: the last ones, where the traceback stands."""


class End(enum.Enum):
    """Why a turn was over."""

    MARKER = "the bot printed its answer and the marker line"
    LINE = "the bot printed a line"
    EXIT = "the process ended"
    TIME = "the deadline passed"
    MEMORY = "too much memory"
    OUTPUT = "too much output"


@dataclass
class LiveBot:
    """A started bot: its processes, their memory, and output that came after the marker of its last turn."""

    group: Group
    meter: MemoryMeter
    early_output: bytes = b""


@dataclass(frozen=True)
class Rules:
    """The terms of one turn; *deadline* is a time of the monotonic clock."""

    deadline: float
    memory_mib: float
    output_bytes: int
    marker: bool
    """A marker line ends the turn; without it only the end of the process does."""
    first_line: bool = False
    """The first line ends the turn."""
    turn_end: TurnEnd = TurnEnd.INPUT
    """What is known of the program: its input ends behind the line, stays open, or ends when it waits for more."""


class Exchange:
    """Runs one turn of a live bot; afterwards ``output`` and ``stderr`` hold what it printed."""

    def __init__(self, bot: LiveBot, rules: Rules, log: Callable[[str], None] | None = None) -> None:
        self.output = bytearray(bot.early_output)
        self.stderr = bytearray()
        bot.early_output = b""
        self._bot = bot
        self._group = bot.group
        self._rules = rules
        self._log = log
        self._deadline = rules.deadline
        self._watch = InputWatch(bot.group) if rules.turn_end is TurnEnd.UNKNOWN else None
        self.input_ended = rules.turn_end is TurnEnd.INPUT
        """The bot has been handed the end of its input, so that its process cannot be asked again."""
        self.waited = 0.0
        """Seconds in which the bot waited for that, and we did not know; they are no time of its turn."""
        self._searched = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def run(self, line: bytes) -> End:
        """Hands *line* to the bot and waits until its turn is over, one way or another."""
        self._group.pipes.send(line, last=self.input_ended)
        while True:
            self._wait()
            end = self._end()
            if end is not None:
                return end
            if time.monotonic() >= self._deadline:
                return End.TIME

    def untouched(self) -> bool:
        """Checks if the bot took nothing of its line and printed nothing: it was dead before its turn began."""
        return not self.output and self._group.pipes.took_nothing()

    def shown(self, end: End) -> TurnEnd:
        """Gets what is known of the program after a turn with this end."""
        if end is End.MARKER:
            return TurnEnd.STAYS
        if end is End.TIME:
            # Whatever it was before: its file may be another one by now.
            return TurnEnd.UNKNOWN
        if self._rules.turn_end is TurnEnd.UNKNOWN and end is End.EXIT and self._group.exit_code == 0:
            return TurnEnd.INPUT if self.input_ended else TurnEnd.LINE
        return self._rules.turn_end

    def drain_stderr(self) -> None:
        """Takes what is left in the error pipe, for a bot that was killed."""
        self._take_stderr(self._group.pipes.rest()[1])

    def _wait(self) -> None:
        meter, watch = self._bot.meter, self._watch
        timeout = min(self._deadline, meter.due, watch.due if watch else meter.due) - time.monotonic()
        stdout, stderr = self._group.pipes.receive(max(timeout, 0.0))
        if stdout and not self.output:
            # The last chance to see the peak of a bot that answers and ends at once.
            meter.sample()
        self.output += stdout
        self._take_stderr(stderr)
        meter.sample_if_due()
        self._end_input_if_wanted()

    def _end_input_if_wanted(self) -> None:
        rested = self._watch.rested() if self._watch else None
        if rested is not None:
            self._group.pipes.end_input()
            self._watch, self.input_ended, self.waited = None, True, rested
            self._deadline += rested

    def _end(self) -> End | None:
        if self._group.ended():
            self._group.kill()
            self._bot.meter.include(self._group.peak_mib)
            stdout, stderr = self._group.pipes.rest()
            self.output += stdout
            self._take_stderr(stderr)
        if self._bot.meter.peak_mib > self._rules.memory_mib:
            return End.MEMORY
        if len(self.output) > self._rules.output_bytes:
            return End.OUTPUT
        if self._rules.first_line and (offset := self.output.find(b"\n")) >= 0:
            self._cut(offset, offset)
            return End.LINE
        if self._rules.marker and self._cut_at_marker():
            return End.MARKER
        return End.EXIT if self._group.exit_code is not None else None

    def _cut_at_marker(self) -> bool:
        """Ends the output before the first marker line; what follows it belongs to the next turn."""
        marker = MARKER.encode()
        while (offset := self.output.find(marker, self._searched)) >= 0:
            line_end = self.output.find(b"\n", offset)
            if line_end < 0:
                return False
            starts_line = offset == 0 or self.output[offset - 1 : offset] == b"\n"
            if starts_line and not self.output[offset + len(marker) : line_end].strip():
                self._cut(offset, line_end)
                return True
            self._searched = line_end
        self._searched = max(self._searched, len(self.output) - len(marker))
        return False

    def _cut(self, offset: int, line_end: int) -> None:
        self._bot.early_output = bytes(self.output[line_end + 1 :])
        del self.output[offset:]

    def _take_stderr(self, chunk: bytes) -> None:
        self.stderr += chunk
        del self.stderr[:-STDERR_KEPT]
        if chunk and self._log is not None:
            self._log(self._decoder.decode(chunk))
