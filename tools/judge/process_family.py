"""All that descends from a program, whatever group or session it is in: stopped and continued as one."""

import sys

assert sys.platform != "win32"

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import psutil

_ROUNDS = 100
_PAUSE = 0.001
"""How often, and after how many seconds, to look whether what was stopped stands still, and has no other children."""
_TICK = os.sysconf("SC_CLK_TCK")
_STANDS = ("T", "t", "Z", "X")
_RESTS = (*_STANDS, "S", "I")
_LISTS_CHILDREN = Path(f"/proc/self/task/{os.getpid()}/children").exists()


def stop_all(roots: Callable[[], Iterable[int]]) -> float:
    """Stops the processes with these ids and their descendants; gets the processor time that they had so far."""
    stopped: set[int] = set()
    for _ in range(_ROUNDS):
        family = family_of(roots())
        for pid in family - stopped:
            _send(pid, signal.SIGSTOP)
        states = {pid: _state(pid) for pid in family}
        if family <= stopped and all(state[0] in _STANDS for state in states.values()):
            return sum(seconds for _, seconds in states.values())
        if family <= stopped:
            time.sleep(_PAUSE)
        stopped |= family
    return busy_seconds(roots)


def continue_all(roots: Callable[[], Iterable[int]]) -> float:
    """Lets them all run again; gets the processor time that they had so far."""
    family = family_of(roots())
    busy = sum(_state(pid)[1] for pid in family)
    for pid in family:
        _send(pid, signal.SIGCONT)
    return busy


def busy_seconds(roots: Callable[[], Iterable[int]]) -> float:
    """Gets the processor time that they had so far, in seconds."""
    return sum(_state(pid)[1] for pid in family_of(roots()))


def busy_at_rest(roots: Callable[[], Iterable[int]]) -> float | None:
    """Gets the processor time that they had so far, in seconds; None while a thread of them is at work."""
    seconds = 0.0
    for pid in family_of(roots()):
        for thread in _threads_of(pid):
            state, busy = _state(thread)
            if state not in _RESTS:
                return None
            seconds += busy
        if not _LISTS_CHILDREN:  # nor the states of threads
            with contextlib.suppress(psutil.Error):
                seconds += sum(psutil.Process(pid).cpu_times()[:2])
    return seconds


def _threads_of(pid: int) -> list[str]:
    if not _LISTS_CHILDREN:
        return []
    with contextlib.suppress(OSError):
        return [f"{pid}/task/{thread}" for thread in os.listdir(f"/proc/{pid}/task")]
    return []


def family_of(roots: Iterable[int]) -> set[int]:
    """Gets the ids of processes and of all that descends from them."""
    pids: set[int] = set()
    left = list(roots)
    while left:
        pid = left.pop()
        if pid not in pids:
            pids.add(pid)
            left += children_of(pid)
    return pids


def children_of(pid: int) -> list[int]:
    """Lists the ids of the children of a process; none for one that is gone."""
    if not _LISTS_CHILDREN:
        with contextlib.suppress(psutil.Error):
            return [child.pid for child in psutil.Process(pid).children()]
        return []
    pids: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError):
                pids += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_bytes().split())
    return pids


def _state(pid: int | str) -> tuple[str, float]:
    """
    Gets the letter of a process's state and its processor time, that of children which are gone included.

    A thread is asked by the name of its folder, ``PID/task/ID``.
    """
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return "X", 0.0
    return fields[0].decode(), sum(map(int, fields[11:15])) / _TICK


def _send(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)
