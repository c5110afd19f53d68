"""
How a program's turn ends, and with it the input that it gets: one fact about a program, which its first process shows.

Some programs read a line, answer and end. Many published ones read their input to its end, and answer only then. Some
ask to stay for the next turn. No program says beforehand which it is, so the input of its first process stays open
until that has ended, has asked to stay, or waits for more: it has taken all of its line, and none of its threads has
worked for a while. Then its input ends, and the while is not counted as its time. Whoever asks the program again in
this process, in whatever command, goes by what was found; a worker of a match finds it out for itself.
"""

import enum
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .process_group import Group


class TurnEnd(enum.Enum):
    """How the turn of a program ends."""

    UNKNOWN = "none of its processes has shown it yet"
    INPUT = "it reads its input to the end, and ends"
    LINE = "it reads a line, and ends"
    STAYS = "it reads a line, and stays for the next turn"


_found: dict[tuple[tuple[str, ...], Path | None], TurnEnd] = {}
"""What the programs of this process have shown, by command line and working directory."""


def turn_end_of(command: Sequence[str], cwd: Path | None = None) -> TurnEnd:
    """Gets what is known of the program that this command line starts in this folder."""
    return _found.get((tuple(command), cwd), TurnEnd.UNKNOWN)


def note_turn_end(command: Sequence[str], cwd: Path | None, turn_end: TurnEnd) -> None:
    """Keeps what a turn of the program has shown."""
    _found[tuple(command), cwd] = turn_end


class InputWatch:
    """Watches a program that nobody knows for the moment in which it waits for more input."""

    PERIOD = 0.04
    """Seconds between two looks."""

    LOOKS = 6
    """So many in a row have to find it at rest: a program that thinks never rests so long, however busy the machine."""

    MOST_BUSY = 0.025
    """Seconds of processor time that it may use meanwhile: runtimes such as Java's have threads that look around."""

    def __init__(self, group: "Group") -> None:
        self._group = group
        self._looks = 0
        self._since = self._busy = 0.0
        self.due = time.monotonic() + self.PERIOD
        """When to look next, on the monotonic clock."""

    def rested(self) -> float | None:
        """Looks, if it is time to. Gets for how many seconds the program has waited; None for one that does not."""
        now = time.monotonic()
        if now < self.due:
            return None
        self.due = now + self.PERIOD
        busy = self._group.busy_at_rest() if self._group.pipes.took_all() else None
        if busy is None or (self._looks and busy - self._busy > self.MOST_BUSY):
            self._looks = 0
            return None
        if not self._looks:
            self._since, self._busy = now, busy
        self._looks += 1
        return now - self._since if self._looks >= self.LOOKS else None
