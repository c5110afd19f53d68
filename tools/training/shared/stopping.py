"""Turns Ctrl-C and a polite kill into a wish, so that a command can end with everything saved."""

import signal
import threading
from collections.abc import Callable

INTERRUPTED = 130
"""The exit status of a command that was stopped."""


def stop_on_signals() -> Callable[[], bool]:
    """From now on SIGINT and SIGTERM only make the function that this returns say True."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    return stop.is_set
