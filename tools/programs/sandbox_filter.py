"""
The system calls that a program in the sandbox may not make, in the form that the kernel takes (classic BPF).

Refused is by what two seats could talk over files that both may read (locks, notices), by what memory escapes its
measure (files in memory, System V, rings), by what a program leaves its core, and new namespaces, in which all that
would begin anew. A refused call fails as on a kernel that lacks it. A program for another architecture than the
machine's, such as one of 32 bits, does not run.
"""

import errno
import functools
import platform
import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

_NEW_USER = 0x10000000
_LOCKS = (5, 6, 7, 36, 37, 38, 1024, 1026)
"""The commands of fcntl for locks, leases and notices."""
_X32 = 0x40000000


class _Machine(NamedTuple):
    architecture: int
    calls: Mapping[str, int]
    other_calls_from: int | None = None
    """Calls from this number on are of another architecture."""


_X86_64 = _Machine(
    0xC000003E,
    {
        "flock": 73,
        "fcntl": 72,
        "shmget": 29,
        "semget": 64,
        "msgget": 68,
        "inotify_init": 253,
        "inotify_init1": 294,
        "fanotify_init": 300,
        "sched_setaffinity": 203,
        "unshare": 272,
        "setns": 308,
        "clone": 56,
        "clone3": 435,
        "memfd_create": 319,
        "memfd_secret": 447,
        "keyctl": 250,
        "add_key": 248,
        "request_key": 249,
        "io_uring_setup": 425,
        "userfaultfd": 323,
        "bpf": 321,
        "perf_event_open": 298,
    },
    _X32,
)
_ARM64 = _Machine(
    0xC00000B7,
    {
        "flock": 32,
        "fcntl": 25,
        "shmget": 194,
        "semget": 190,
        "msgget": 186,
        "inotify_init1": 26,
        "fanotify_init": 262,
        "sched_setaffinity": 122,
        "unshare": 97,
        "setns": 268,
        "clone": 220,
        "clone3": 435,
        "memfd_create": 279,
        "memfd_secret": 447,
        "keyctl": 219,
        "add_key": 217,
        "request_key": 218,
        "io_uring_setup": 425,
        "userfaultfd": 282,
        "bpf": 280,
        "perf_event_open": 241,
    },
)
_MACHINES = {"x86_64": _X86_64, "aarch64": _ARM64}

_ERRORS = {"flock": errno.ENOLCK, "sched_setaffinity": errno.EPERM, "unshare": errno.EPERM, "setns": errno.EPERM}
"""The error of a refused call, where it is not ENOSYS."""

_LOAD, _EQUAL, _NOT_BELOW, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000
_NUMBER, _ARCHITECTURE = 0, 4
_FIRST, _SECOND = 16, 24
"""The offsets of a call's number, its architecture, and the lower halves of its arguments."""


@functools.lru_cache(maxsize=1)
def call_filter() -> bytes:
    """Gets the filter as bubblewrap takes it; empty for a machine whose calls are not known here."""
    machine = _MACHINES.get(platform.machine())
    return b"" if machine is None else b"".join(_filter(machine))


def _filter(machine: _Machine) -> Iterable[bytes]:
    yield _code(_LOAD, _ARCHITECTURE)
    yield from _unless(_EQUAL, machine.architecture, [_fail(errno.ENOSYS)])
    yield _code(_LOAD, _NUMBER)
    if machine.other_calls_from is not None:
        yield from _if(_NOT_BELOW, machine.other_calls_from, [_fail(errno.ENOSYS)])
    calls = dict(machine.calls)
    new_user = [*_if(_ANY_BIT, _NEW_USER, [_fail(errno.EPERM)]), _code(_RETURN, _ALLOW)]
    yield from _if(_EQUAL, calls.pop("clone"), [_code(_LOAD, _FIRST), *new_user])
    locks = [code for lock in _LOCKS for code in _if(_EQUAL, lock, [_fail(errno.ENOLCK)])]
    yield from _if(_EQUAL, calls.pop("fcntl"), [_code(_LOAD, _SECOND), *locks, _code(_RETURN, _ALLOW)])
    for name, number in calls.items():
        yield from _if(_EQUAL, number, [_fail(_ERRORS.get(name, errno.ENOSYS))])
    yield _code(_RETURN, _ALLOW)


def _code(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_so, if_not, value)


def _fail(number: int) -> bytes:
    return _code(_RETURN, _FAIL | number)


def _if(test: int, value: int, then: Sequence[bytes]) -> list[bytes]:
    return [_code(test, value, 0, len(then)), *then]


def _unless(test: int, value: int, then: Sequence[bytes]) -> list[bytes]:
    return [_code(test, value, len(then), 0), *then]
