"""
A program in a process group of its own, with three pipes, that can be stopped, resumed and wiped out.

POSIX only (sessions, SIGSTOP); on Linux an exit is noticed at once, elsewhere with the next memory sample.
"""

import contextlib
import fcntl
import os
import resource
import signal
import struct
import subprocess
import sys
import termios
import time
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path

import psutil

from ..shared.orphans import Guard

__all__ = ["ProcessGroup"]

RUN_VARIABLE = "DDZ_JUDGE_RUN"
"""Environment variable that every descendant of a bot inherits; children that left the group are found by it."""

KILL_ROUNDS = 200
"""How often to look for children that fork while they are killed, or take their time to die."""

KILL_PAUSE = 0.005
"""Seconds between two such rounds; most bots need none."""


_GUARD = Guard()
"""Kills the bots of a judge that was killed."""

MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024
_LAG = (1 << 20) // MAXRSS_UNIT
"""By so much the kernel's counters of a process with threads may lag."""


class ProcessGroup:
    """
    One running program and all that it starts.

    The three descriptors never block. :meth:`kill` may be called at any time and more than once.

    :raises OSError: if the program cannot be started
    """

    def __init__(self, command: Sequence[str], cwd: Path | None = None, env: Mapping[str, str] | None = None) -> None:
        self._run = uuid.uuid4().hex
        self.peak_mib = 0.0
        """The most that one process of the bot ever used, in MiB, once it was killed; 0 if the kernel cannot tell."""
        self._popen = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=cwd,
            env={**(os.environ if env is None else env), RUN_VARIABLE: self._run},
            start_new_session=True,
        )
        # Until its program was loaded the child had our memory, and the kernel counts that as a peak of its own.
        self._judge_peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss + _LAG
        _GUARD.watch(self.pid)
        assert self._popen.stdin and self._popen.stdout and self._popen.stderr
        self._pipes = (self._popen.stdin, self._popen.stdout, self._popen.stderr)
        self.stdin, self.stdout, self.stderr = (pipe.fileno() for pipe in self._pipes)
        for pipe in self._pipes:
            os.set_blocking(pipe.fileno(), False)
        self.exit_fd = _open_exit_fd(self.pid)
        """A descriptor that turns readable when the program ends; None where the system has none."""

    @property
    def pid(self) -> int:
        """The id of the program and of its group."""
        return self._popen.pid

    @property
    def exit_code(self) -> int | None:
        """The exit code once the group was wiped out; -9 for one that died of signal 9."""
        return self._popen.returncode

    def ended(self) -> bool:
        """Checks if the program has ended (its children may live on), without reaping it."""
        if self.exit_code is not None:
            return True
        # WNOWAIT leaves the zombie: its id cannot be given to a stranger before the group is killed.
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def stop(self) -> None:
        """Stops every process of the group, so that thinking in another seat's time is impossible."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Lets a stopped group run again."""
        self._signal(signal.SIGCONT)

    def close_stdin(self) -> None:
        """Ends the program's input."""
        self._pipes[0].close()

    def unread_bytes(self) -> int:
        """Counts the bytes in the input pipe that the program has not taken."""
        if self._pipes[0].closed:
            return 0
        packed = fcntl.ioctl(self.stdin, termios.FIONREAD, struct.pack("i", 0))
        return int(struct.unpack("i", packed)[0])

    def kill(self) -> int:
        """Kills the group and every child that left it; what is in the pipes can still be read. Gets the exit code."""
        if self.exit_code is None:
            self._signal(signal.SIGKILL)
            self._reap()
            _GUARD.forget(self.pid)
            _kill_strays(self._run)
        assert self.exit_code is not None
        return self.exit_code

    def close(self) -> None:
        """Kills everything and closes the pipes."""
        self.kill()
        for pipe in self._pipes:
            pipe.close()
        if self.exit_fd is not None:
            os.close(self.exit_fd)
            self.exit_fd = None

    def _reap(self) -> None:
        """Waits for the program to be gone and keeps what the kernel has noted about it."""
        _, status, usage = os.wait4(self.pid, 0)
        self._popen.returncode = os.waitstatus_to_exitcode(status)
        # Before its own program was loaded, the child was a copy of the judge, and that counts as its peak as well.
        # Only what lies above the judge's own peak is surely the bot's.
        if usage.ru_maxrss > self._judge_peak:
            self.peak_mib = usage.ru_maxrss * MAXRSS_UNIT / (1 << 20)

    def _signal(self, number: signal.Signals) -> None:
        if self.exit_code is not None:
            return
        # Only zombies may be left; macOS says "not permitted" then.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)


def _open_exit_fd(pid: int) -> int | None:
    pidfd_open = getattr(os, "pidfd_open", None)
    if pidfd_open is None:
        return None
    try:
        return int(pidfd_open(pid))
    except OSError:
        return None


def _kill_strays(run: str) -> None:
    """Kills the processes that carry *run* in their environment: children in a session of their own."""
    for _ in range(KILL_ROUNDS):
        strays = [process for pid in psutil.pids() if (process := _process_of_run(pid, run)) is not None]
        if not strays:
            return
        for stray in strays:
            with contextlib.suppress(psutil.Error):
                stray.kill()
        time.sleep(KILL_PAUSE)


def _process_of_run(pid: int, run: str) -> psutil.Process | None:
    try:
        process = psutil.Process(pid)
        return process if process.environ().get(RUN_VARIABLE) == run else None
    except (psutil.Error, OSError):
        return None
