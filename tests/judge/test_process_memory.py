"""What a process used is known after it has given it back, that of a child in the sandbox too."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.support import require
from tools.judge.process_memory import MemoryMeter

PEAK_MIB = 150
USES = f"""
import sys
used = b"x" * ({PEAK_MIB} << 20)
del used
print(flush=True)
sys.stdin.read()
"""
STARTS = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {USES!r}])"


FORKS = f"""
import os, sys
used = b"x" * ({PEAK_MIB} << 20)
for _ in range(3):
    if os.fork() == 0:
        sys.stdin.read()
        os._exit(0)
print(flush=True)
sys.stdin.read()
"""


@contextmanager
def measured(code: str, in_sandbox: bool) -> Iterator[MemoryMeter]:
    """Takes one sample of a program that has said a line, and of its family."""
    require(sys.platform == "linux", "the high water of a process and its share of pages, which Linux keeps")
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe) as process:
        assert process.stdin and process.stdout
        process.stdout.readline()
        meter = MemoryMeter(process.pid, in_sandbox)
        meter._family_due = 0.0
        meter.sample()
        yield meter
        process.stdin.close()


@pytest.mark.parametrize(
    ("code", "in_sandbox", "is_seen"),
    [(USES, False, True), (STARTS, True, True), (STARTS, False, False)],
    ids=["of itself", "of a child in the sandbox", "of a child elsewhere"],
)
def test_a_peak_between_two_samples(code: str, in_sandbox: bool, is_seen: bool) -> None:
    with measured(code, in_sandbox) as meter:
        assert (meter.peak_mib >= PEAK_MIB) == is_seen


def test_processes_that_share_their_memory_pay_for_it_once() -> None:
    with measured(FORKS, False) as meter:
        assert PEAK_MIB <= meter.peak_mib < 2 * PEAK_MIB
        assert len(meter._family) == 4


def test_a_peak_that_was_measured_elsewhere_counts_if_it_is_higher() -> None:
    meter = MemoryMeter(os.getpid())
    for mib, peak in ((5.0, 5.0), (3.0, 5.0), (7.0, 7.0)):
        meter.include(mib)
        assert meter.peak_mib == peak
