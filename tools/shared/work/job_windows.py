"""
A job object of Windows: some processes and all that they start, which end with it at the latest.

No process of it can leave it, and it is gone, and so are they, when the process that made it ends, however that came.
"""

import sys

assert sys.platform == "win32"

import ctypes
import subprocess
from ctypes import wintypes
from typing import Any

_ACCOUNTING, _PROCESSES, _EXTENDED_LIMITS = 1, 3, 9
_KILL_ON_CLOSE = 0x2000
_TICKS = 10_000_000
"""A second."""
_MIB = 1 << 20
_MOST_PROCESSES = 4096

_KERNEL32 = ctypes.WinDLL("kernel32", use_last_error=True)
_HANDLE, _POINTER, _NUMBER = wintypes.HANDLE, wintypes.LPVOID, wintypes.DWORD


def _call(name: str, result: Any, *arguments: Any) -> Any:
    function = getattr(_KERNEL32, name)
    function.restype, function.argtypes = result, arguments
    return function


_CREATE = _call("CreateJobObjectW", _HANDLE, _POINTER, wintypes.LPCWSTR)
_SET = _call("SetInformationJobObject", wintypes.BOOL, _HANDLE, ctypes.c_int, _POINTER, _NUMBER)
_QUERY = _call("QueryInformationJobObject", wintypes.BOOL, _HANDLE, ctypes.c_int, _POINTER, _NUMBER, _POINTER)
_ASSIGN = _call("AssignProcessToJobObject", wintypes.BOOL, _HANDLE, _HANDLE)
_TERMINATE = _call("TerminateJobObject", wintypes.BOOL, _HANDLE, wintypes.UINT)
_CLOSE = _call("CloseHandle", wintypes.BOOL, _HANDLE)
_MEMORY = _call("K32GetProcessMemoryInfo", wintypes.BOOL, _HANDLE, _POINTER, _NUMBER)


class _Limits(ctypes.Structure):
    _fields_ = [
        ("times", ctypes.c_int64 * 2),
        ("flags", _NUMBER),
        ("working_sets", ctypes.c_size_t * 2),
        ("processes", _NUMBER),
        ("affinity", ctypes.c_size_t),
        ("classes", _NUMBER * 2),
        ("transfers", ctypes.c_uint64 * 6),
        ("memory", ctypes.c_size_t * 4),
    ]


class _Accounts(ctypes.Structure):
    _fields_ = [
        ("ticks", ctypes.c_int64 * 4),
        ("faults", _NUMBER),
        ("ever", _NUMBER),
        ("now", _NUMBER),
        ("ended", _NUMBER),
    ]


class _Processes(ctypes.Structure):
    _fields_ = [("assigned", _NUMBER), ("listed", _NUMBER), ("ids", ctypes.c_size_t * _MOST_PROCESSES)]


class _Memory(ctypes.Structure):
    _fields_ = [
        ("size", _NUMBER),
        ("faults", _NUMBER),
        ("peak_working_set", ctypes.c_size_t),
        ("other", ctypes.c_size_t * 7),
    ]


class Job:
    """
    A job without processes.

    :raises OSError: if the system does not give one.
    """

    def __init__(self) -> None:
        self._handle = _CREATE(None, None)
        limits = _Limits(flags=_KILL_ON_CLOSE)
        _check(self._handle)
        _check(_SET(self._handle, _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits)))

    def add(self, program: "subprocess.Popen[bytes]") -> None:
        """
        Takes a program that has just begun into it, or else ends it.

        :raises OSError: if the system does not take it.
        """
        try:
            _check(_ASSIGN(self._handle, handle_of(program)))
        except BaseException:
            program.kill()
            program.wait()
            raise

    def processes(self) -> list[int]:
        """Lists the ids of the processes that run."""
        listing = self._asked(_PROCESSES, _Processes())
        return list(listing.ids[: listing.listed])

    def running(self) -> int:
        """Counts the processes that run."""
        return int(self._asked(_ACCOUNTING, _Accounts()).now)

    def seconds(self) -> float:
        """Gets the processor time of all that were ever in it."""
        user, kernel, *_ = self._asked(_ACCOUNTING, _Accounts()).ticks
        return float(user + kernel) / _TICKS

    def end(self) -> None:
        """Ends all that run, with exit code 1."""
        _check(_TERMINATE(self._handle, 1))

    def close(self) -> None:
        """Lets go of it, which ends all that run; a second call does nothing."""
        if self._handle:
            _CLOSE(self._handle)
            self._handle = None

    def _asked(self, what: int, answer: Any) -> Any:
        _check(_QUERY(self._handle, what, ctypes.byref(answer), ctypes.sizeof(answer), None))
        return answer


def handle_of(program: "subprocess.Popen[bytes]") -> int:
    """Gets the handle of a program that this process has started."""
    return int(program._handle)  # type: ignore[attr-defined]


def peak_mib(program: "subprocess.Popen[bytes]") -> float:
    """Gets the most memory that a program ever used, in MiB, after its end, too; 0 if the system does not tell."""
    memory = _Memory(ctypes.sizeof(_Memory))
    is_told = _MEMORY(handle_of(program), ctypes.byref(memory), ctypes.sizeof(memory))
    return int(memory.peak_working_set) / _MIB if is_told else 0.0


def _check(result: Any) -> None:
    if not result:
        raise ctypes.WinError(ctypes.get_last_error())
