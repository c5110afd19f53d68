"""
The start of the process, which a judge counts and which no clock of the process has seen.

Before the first line of ``bot.py`` the system has loaded the interpreter, and perhaps a shell that started it:
hundredths of a second on a free machine, and seconds where every program has a small share of a processor. It imports
little, since it comes before all else.
"""

# Not signal, which makes enumerations of its constants, a millisecond at each start.
import _signal  # type: ignore[import-not-found]
import os
import sys
import time

FIRST_TURN = 4.5
"""The plan of a first or one-shot turn, in seconds from the start of the process (:mod:`ddzbot.protocol.budget`)."""
LONGEST_START = 4.0
"""A process that is older when it takes its first step was not started for this turn; nothing is known of its start."""
_BOOT_CLOCK = 7
"""``time.CLOCK_BOOTTIME``, which Python 3.6 does not name."""
_START_TIME = 19
"""The place of the start, from 0, among the fields after the name in /proc/self/stat, in ticks since the boot."""
_AT_ONCE = 0.001
"""Seconds: 0 would be no alarm."""


class LateImportError(Exception):
    """Raised in the middle of an import that takes all of the turn."""


def process_start(noted: float) -> float:
    """
    Gets the monotonic time at which this process was started, by the system's record, to a hundredth of a second.

    *noted* is the monotonic time of its first step; the result where the system has no record, as outside Linux.
    """
    start = noted
    if sys.platform == "linux":
        try:
            with open("/proc/self/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
            age = time.clock_gettime(_BOOT_CLOCK) - int(fields[_START_TIME]) / os.sysconf("SC_CLK_TCK")
            start = time.monotonic() - age
        except (OSError, ValueError, IndexError, ArithmeticError, AttributeError):
            pass
    return start if noted - LONGEST_START <= start <= noted else noted


def guard_imports(start: float) -> None:
    """
    Has an import raise :exc:`LateImportError` when a first turn's time is over, until :func:`imports_are_done`.

    It does nothing where the arguments set a limit, which nothing has read by then, or the system has no such alarm.
    """
    if hasattr(_signal, "setitimer") and not any("limit" in argument for argument in sys.argv[1:]):
        _signal.signal(_signal.SIGALRM, _raise_late)
        _signal.setitimer(_signal.ITIMER_REAL, max(_AT_ONCE, start + FIRST_TURN - time.monotonic()))


def imports_are_done() -> None:
    """Ends :func:`guard_imports`."""
    if hasattr(_signal, "setitimer"):
        _signal.setitimer(_signal.ITIMER_REAL, 0)


def _raise_late(*_signal: object) -> None:
    raise LateImportError("loading took the whole turn")
