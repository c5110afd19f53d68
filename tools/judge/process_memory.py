"""
How much memory a bot and its children use.

Memory is measured by sampling and not limited by ``RLIMIT_AS``, for two reasons. Address space is not memory in
use: numpy's thread stacks and malloc arenas reserve hundreds of MiB that are never touched, so a cap near 256 MiB
would fail good bots. And a bot that hits such a cap dies of its own MemoryError, which looks like a crash (RE)
and not like the platform's MLE. The risk of sampling is small: the kernel keeps the high-water mark of
a process itself, so a peak between two samples is seen by the next one, and in one period a process can touch
some hundred MiB before it is killed.

Only a process that ends before the next sample can hide a peak, and it has less than a period for that. Samples are
denser at the start of a process, one more is taken when the first byte of an answer arrives, and the kernel's last
word on a process that ended is heard as well, where it is about the bot (see :class:`.process_group.ProcessGroup`).
"""

import re
import sys
import time
from pathlib import Path

import psutil

PERIOD = 0.05
"""Seconds between two samples; one costs well under a millisecond."""

FIRST_PERIOD = 0.005
"""Seconds to the first sample; the gaps then double up to the period, so that quick bots are measured too."""

FAMILY_PERIOD = 0.25
"""Seconds between two searches for new children, which look at every process of the machine (some ms)."""

MIB = 1 << 20


class MemoryMeter:
    """Samples one process and its descendants; ``peak_mib`` is the most they used together so far."""

    def __init__(self, pid: int, in_sandbox: bool = False) -> None:
        self.peak_mib = 0.0
        self.due = time.monotonic() + FIRST_PERIOD
        """When the next sample should be taken, on the monotonic clock."""
        self._period = FIRST_PERIOD
        self._root = psutil.Process(pid)
        self._family = [self._root]
        # In a sandbox the bot itself is a child, and the first one is not worth measuring.
        self._in_sandbox = in_sandbox
        self._family_period = FIRST_PERIOD if in_sandbox else FAMILY_PERIOD
        self._family_due = time.monotonic() + (FIRST_PERIOD if in_sandbox else PERIOD)

    def sample(self) -> None:
        """Takes one sample now; a process that has ended counts nothing."""
        now = time.monotonic()
        if now >= self._family_due:
            self._family = _family(self._root)
            self._family_due = now + self._family_period
            self._family_period = min(2 * self._family_period, FAMILY_PERIOD)
        measured = self._family if self._in_sandbox else [self._root]
        high_water = max(high_water_mib(process.pid) for process in measured)
        self.peak_mib = max(self.peak_mib, high_water, _sum_mib(self._family))
        self._period = min(2 * self._period, PERIOD)
        self.due = now + self._period

    def sample_if_due(self) -> None:
        """Takes a sample if the last one is a period ago."""
        if time.monotonic() >= self.due:
            self.sample()

    def include(self, mib: float) -> None:
        """Counts a peak that was measured elsewhere."""
        self.peak_mib = max(self.peak_mib, mib)


def _family(root: psutil.Process) -> list[psutil.Process]:
    try:
        return [root, *root.children(recursive=True)]
    except psutil.Error:
        return [root]


def _sum_mib(family: list[psutil.Process]) -> float:
    """
    Sums the memory of the processes in *family*.

    Several processes share pages after a fork: each is then charged its proportional share (PSS), or a bot
    with three workers would pay for the same interpreter four times. Only Linux knows it.
    """
    return sum(_used_bytes(process, shared=len(family) > 1 and sys.platform == "linux") for process in family) / MIB


def _used_bytes(process: psutil.Process, shared: bool) -> int:
    try:
        if shared:
            return int(process.memory_full_info().pss)
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0


def high_water_mib(pid: int) -> float:
    """Gets the peak resident size that the kernel noted since the program was loaded (0 where it keeps none)."""
    if sys.platform == "win32":
        try:
            return int(psutil.Process(pid).memory_info().peak_wset) / MIB
        except psutil.Error:
            return 0.0
    else:
        try:
            status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return 0.0
        peak = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
        return int(peak.group(1)) * 1024 / MIB if peak else 0.0
