"""
A plugin of pytest: a test with a fault may have no end, in C too, where no handler of Python runs.

It gets so many CPU seconds that a busy machine changes nothing. Then the lines where it is are written to stderr, and
the process dies.
"""

import faulthandler
import os
import signal
from collections.abc import Iterator

import pytest

MOST_SECONDS = 240.0
"""CPU seconds of a test; no good one needs a quarter of them."""

# Of now, before pytest takes the place of stderr.
_STDERR = os.dup(2)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Iterator[None]:
    """Gives a test its seconds."""
    faulthandler.register(signal.SIGPROF, file=_STDERR, chain=True)
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
