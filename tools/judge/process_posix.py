"""
A program in a process group of its own, with three pipes, that can be stopped, resumed and wiped out.

This is :class:`.process_group.Group` on POSIX systems (sessions, SIGSTOP). On Linux an exit is noticed at once,
elsewhere with the next memory sample, and what left its session is found by its environment alone.

A program is gone only when all that it started is. On Linux this process is the "child subreaper" of its programs: a
process that loses its parent becomes our child, whatever it did to its session and environment. So what a dead program
left is found among our children, as those in another session than ours that are neither a program by right nor belong
to one. That is safe without a list of our other children (compilers, the processes of a pool): they begin in our
session, and no process can join a session that exists, so no process of a program ever gets into ours. A
supervisor for each program would know the parent of a stray, but cost a process a turn, and all strays die anyway.
Code that starts another program in a session of its own beside running bots has to register it here.
"""

import sys

assert sys.platform != "win32"

import contextlib
import ctypes
import os
import resource
import signal
import subprocess
import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from pathlib import Path

import psutil

from ..programs.sandbox import confine
from ..shared.work.orphans import GUARD
from .pipes_posix import Pipes
from .process_family import busy_at_rest, children_of, continue_all, stop_all
from .process_limits import Limits

if sys.platform == "linux":
    from ..programs.bubblewrap import on_one_core

RUN_VARIABLE = "DDZ_JUDGE_RUN"
"""Environment variable that every descendant of a bot inherits, unless it empties its environment."""

KILL_ROUNDS = 200
"""How often to look for children that fork while they are killed, or take their time to die."""

KILL_PAUSE = 0.005
"""Seconds between two such rounds; most bots need none."""

_by_right: dict[int, "ProcessGroup"] = {}
"""The programs of this process that run, by id, which is also that of their group and session."""

_lock = GUARD.starting
"""Held while a program starts: until it is noted as running by right, it looks like a stray."""

_PR_SET_CHILD_SUBREAPER = 36

MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024
_LAG = (1 << 20) // MAXRSS_UNIT
"""By so much the kernel's counters of a process with threads may lag."""


class ProcessGroup:
    """As of :class:`.process_group.Group`; :meth:`kill` may be called at any time and more than once."""

    def __init__(
        self,
        command: Sequence[str],
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        memory_mib: float = Limits().memory_mib,
    ) -> None:
        self._run = uuid.uuid4().hex
        self._busy: float | None = None
        """Its processor time when it was stopped; None while it is not."""
        self.peak_mib = 0.0
        self.pipes = Pipes()
        try:
            self._started = confine(command, cwd, env, memory_mib)
            self.in_sandbox = self._started.in_sandbox
            self._start(cwd)
        except BaseException:
            self.pipes.close()
            raise
        self.pipes.begin(_open_exit_fd(self.pid))

    def _start(self, cwd: Path | None) -> None:
        with _lock, contextlib.ExitStack() as stack:
            if sys.platform == "linux":
                stack.enter_context(on_one_core(self.in_sandbox))
            self._adopted = _adopt_orphans()
            self._popen = self._open(cwd)
            _by_right[self.pid] = self
            # Until its program was loaded the child had our memory, and the kernel counts that as a peak of its own.
            self._judge_peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss + _LAG
            GUARD.watch(self.pid, f"{RUN_VARIABLE}={self._run}")

    def _open(self, cwd: Path | None) -> "subprocess.Popen[bytes]":
        started = self._started
        stdin, stdout, stderr = self.pipes.theirs
        try:
            return subprocess.Popen(
                list(started.words),
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                bufsize=0,
                cwd=cwd,
                env={**started.env, RUN_VARIABLE: self._run},
                start_new_session=True,
                pass_fds=started.files,
            )
        except BaseException:
            started.ended()
            raise
        finally:
            started.started()

    @property
    def pid(self) -> int:
        """The id of the program and of its group."""
        return self._popen.pid

    @property
    def exit_code(self) -> int | None:
        """The exit code once the group was wiped out; -9 for one that died of signal 9."""
        return self._popen.returncode

    def ended(self) -> bool:
        """As of the interface, without reaping it: its id cannot go to a stranger before the group is killed."""
        if self.exit_code is not None:
            return True
        if sys.platform == "linux":
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        else:  # Python knows no such call on macOS before 3.13
            return bool(psutil.Process(self.pid).status() == psutil.STATUS_ZOMBIE)

    def busy_at_rest(self) -> float | None:
        """As of the interface."""
        return busy_at_rest(self._roots)

    def stop(self) -> None:
        """Stops the program and all that it started, so that thinking in another seat's time is impossible."""
        if self.exit_code is None:
            self._busy = stop_all(self._roots)

    def resume(self) -> float:
        """Lets it all run again. Gets the seconds of processor time that it found while it was stopped, 0 for most."""
        before, self._busy = self._busy, None
        if self.exit_code is not None or before is None:
            return 0.0
        return max(continue_all(self._roots) - before, 0.0)

    def kill(self) -> int:
        """Kills the group and every child that left it; what is in the pipes can still be read. Gets the exit code."""
        if self.exit_code is None:
            self._signal(signal.SIGKILL)
            self._reap()
            GUARD.forget(self.pid)
            # Not the program that another thread may have started with the same id meanwhile.
            if _by_right.get(self.pid) is self:
                del _by_right[self.pid]
            _kill_all(_strays if self._adopted else lambda: _processes_of_runs({self._run}))
            self._started.ended()
        assert self.exit_code is not None
        return self.exit_code

    def close(self) -> None:
        """As of the interface."""
        self.kill()
        self.pipes.close()

    def _reap(self) -> None:
        """Waits for the program to be gone and keeps what the kernel has noted about it."""
        _, status, usage = os.wait4(self.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        # The sandbox reports it as a shell does.
        self._popen.returncode = 128 - code if self.in_sandbox and code > 128 else code
        # Before its own program was loaded, the child was a copy of the judge, and that counts as its peak as well.
        # Only what lies above the judge's own peak is surely the bot's.
        if usage.ru_maxrss > self._judge_peak:
            self.peak_mib = usage.ru_maxrss * MAXRSS_UNIT / (1 << 20)

    def _roots(self) -> list[int]:
        """Lists the program, and what it has left behind to us: all else descends from these."""
        # In the sandbox nothing gets out of its namespace.
        left = [] if self.in_sandbox or not self._adopted else _children_left()
        return [self.pid, *(process.pid for process in _processes_of_runs({self._run}, left))]

    def _signal(self, number: signal.Signals) -> None:
        if self.exit_code is not None:
            return
        # Only zombies may be left; macOS answers "not permitted" then.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)


def _open_exit_fd(pid: int) -> int | None:
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # an old kernel, or a Python made for one
            return os.pidfd_open(pid)
    return None


def _adopt_orphans() -> bool:
    """Makes the orphans of our programs our children; False where the system does not do that."""
    if sys.platform == "linux":
        return bool(ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, *map(ctypes.c_ulong, (1, 0, 0, 0))) == 0)
    else:
        return False


def _kill_all(found: Callable[[], list[psutil.Process]]) -> None:
    """Kills what is found until there is nothing any more: a dying process leaves children, and some start others."""
    for _ in range(KILL_ROUNDS):
        # No wait without end: a forgotten bot may be collected, and killed, in the very call that starts another one.
        if not _lock.acquire(timeout=KILL_PAUSE):
            continue
        try:
            processes = found()
            for process in processes:
                _kill(process)
        finally:
            _lock.release()
        if not processes:
            return
        time.sleep(KILL_PAUSE)


def _kill(process: psutil.Process) -> None:
    with contextlib.suppress(psutil.Error):
        process.kill()
    # One that is not our child has another parent to reap it.
    with contextlib.suppress(ChildProcessError):
        os.waitpid(process.pid, os.WNOHANG)


def _strays() -> list[psutil.Process]:
    """Lists our children that a program started and that belong to none which runs by right."""
    left = _children_left()
    spared = _processes_of_runs({group._run for group in _by_right.values()}, left) if left and _by_right else []
    return [child for child in left if child not in spared]


def _children_left() -> list[psutil.Process]:
    """Lists our children in another session than ours that are no program."""
    others = {0, os.getsid(0), GUARD.pid, *_by_right}
    children = []
    for pid in children_of(os.getpid()):
        with contextlib.suppress(psutil.Error):
            if _session_of(pid) not in others:
                children.append(psutil.Process(pid))
    return children


def _session_of(pid: int) -> int:
    """Gets the session of a process; 0 for one that is gone."""
    try:
        return os.getsid(pid)
    except ProcessLookupError:
        return 0


def _processes_of_runs(runs: Set[str], among: Iterable[psutil.Process] | None = None) -> list[psutil.Process]:
    """Lists the processes, of all or *among* some, that carry one of *runs* in their environment."""
    processes = []
    for process in psutil.process_iter() if among is None else among:
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get(RUN_VARIABLE) in runs:
                processes.append(process)
    return processes
