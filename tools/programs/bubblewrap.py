"""
The command line of bubblewrap, and the one core, of a program in the sandbox: Linux has both.

A program that root starts runs under a number that no user has, for the kernel does not count the processes of root.

No control group is needed for this. The judge measures the sum of its memory twenty times a second
(:mod:`tools.judge.process_memory`), and on one core a program gets no further than some hundred MiB meanwhile. It does
not see memory of the kernel, such as what waits in sockets.
"""

import sys

assert sys.platform == "linux"

import contextlib
import errno
import functools
import os
import platform
import re
import secrets
import shutil
import socket
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..shared.message import English, Message
from .own_files import OWN, SYSTEM, Shown
from .sandbox_filter import call_filter

PROCESSES = 64
OPEN_FILES = 256
FILE_MIB = 64
"""For a file, and for all of each folder that can be written to."""
MEMORY_FACTOR = 4
"""A process ends by itself above so many times the limit, which the judge enforces at its next look."""
NOBODY_UID = 65534
TRIED_SECONDS = 10
_COUNTED_APART = (5, 14)
"""Since this Linux the processes in a sandbox are counted by themselves, not with all others of the user."""
_NUMBERS = ((0x60000000, 0x10000000), (61184, 4336))
"""Where numbers begin, and how many there are, that no user has; the second are systemd's for the same."""

_MIB = 1 << 20


def around(words: Sequence[str], seen: Shown, here: Path, memory_mib: float) -> tuple[list[str], tuple[int, ...]]:
    """
    Gets the command line that starts a program which sees only that, and the descriptors that it inherits.

    :raises OSError: if its files cannot be read in there.
    """
    outer, inner = _bubblewrap(seen, here), [*_limits(memory_mib), *words]
    file = _filter_file()
    filtered, files = (["--seccomp", str(file)], (file,)) if file else ([], ())
    return [*outer, *filtered, "--", *inner], files


def why_not() -> str:
    """Says why this machine has no sandbox; empty where it has one."""
    programs = {"bwrap": "bubblewrap", "setpriv": "setpriv (util-linux)", "prlimit": "prlimit (util-linux)"}
    for tool, program in programs.items():
        if shutil.which(tool) is None:
            return Message("{program} is not installed", program=program)
    passed: tuple[int, ...] = ()
    try:
        command, passed = around(["true"], Shown((), (), (), ()), Path("/"), 1)
        subprocess.run(command, capture_output=True, text=True, check=True, timeout=TRIED_SECONDS, pass_fds=passed)
    except subprocess.CalledProcessError as error:
        return English(f"bubblewrap cannot run here: {(error.stderr.strip().splitlines() or ['it says nothing'])[-1]}")
    except (OSError, subprocess.SubprocessError) as error:
        return English(f"bubblewrap cannot run here: {error}")
    finally:
        for file in passed:
            os.close(file)
    return ""


@contextlib.contextmanager
def on_one_core(wanted: bool) -> Iterator[None]:
    """Has what this thread starts in the block run on one core, that of no other judge while there are enough."""
    if not wanted:
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {_core(os.getpid())})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


@functools.lru_cache(maxsize=1)
def _core(process: int) -> int:
    """Picks the core of a judge's bots, which think in turn. An abstract name is free again when its process ends."""
    cores = sorted(os.sched_getaffinity(0))
    for core in cores:
        taken = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            taken.bind(f"\0ddzbot-core-{core}")
        except OSError:
            taken.close()
            continue
        taken.detach()
        return core
    return cores[process % len(cores)]


def _bubblewrap(seen: Shown, here: Path) -> list[str]:
    options = ["bwrap", "--die-with-parent", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    if _is_root():
        options += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    options += ["--dev", "/dev", "--proc", "/proc"]
    for small in OWN:
        options += ["--perms", "1777", "--size", str(FILE_MIB * _MIB), "--tmpfs", str(small)]
    for folder in SYSTEM:
        options += ["--ro-bind-try", str(folder), str(folder)]
    hidden = here not in SYSTEM and any(here.is_relative_to(folder) for folder in SYSTEM)
    if hidden:
        options += ["--perms", "0755", "--tmpfs", str(here)]
    for source, target in seen.binds:
        if source == target:
            _check_open(source)
        options += [*_above(target), "--ro-bind", str(source), str(target)]
    for destination, link in seen.links:
        options += [*_above(link), "--symlink", str(destination), str(link)]
    options += [*_above(here / "any"), "--remount-ro", "/dev", "--remount-ro", "/"]
    return [*options, *(["--remount-ro", str(here)] if hidden else []), "--chdir", str(here)]


def _above(place: Path) -> list[str]:
    """Makes the folders above a place: they are empty, and else would be closed to a stranger."""
    return [word for folder in list(reversed(place.parents))[1:] for word in ("--perms", "0755", "--dir", str(folder))]


def _filter_file() -> int:
    """Opens the filter of calls for one start; 0 where there is none."""
    if not call_filter():
        return 0
    file = os.memfd_create("ddzbot-filter")
    os.write(file, call_filter())
    os.lseek(file, 0, os.SEEK_SET)
    return file


def _is_root() -> bool:
    return os.geteuid() == 0


def _check_open(path: Path) -> None:
    mode = path.stat().st_mode
    needed = 0o005 if path.is_dir() else 0o004
    if _is_root() and mode & needed != needed:
        reason = f"programs of root run as user nobody in the sandbox, which may not read {path} (see --no-sandbox)"
        raise PermissionError(errno.EACCES, reason)


def _limits(memory_mib: float) -> list[str]:
    processes, prefix = PROCESSES, []
    if _is_root():
        uid = str(_own_number())
        prefix = ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--no-new-privs"]
    elif tuple(map(int, re.findall(r"\d+", platform.release())[:2])) < _COUNTED_APART:
        processes += int(Path("/proc/loadavg").read_text("ascii").split()[3].partition("/")[2])
    memory = round(MEMORY_FACTOR * memory_mib * _MIB)
    bounds = [f"--nproc={processes}", f"--nofile={OPEN_FILES}", f"--fsize={FILE_MIB * _MIB}", f"--data={memory}"]
    return [*prefix, "prlimit", *bounds, "--core=0", "--"]


def _own_number() -> int:
    """Gets the number of a user that owns nothing and runs nothing else: its processes are those of one program."""
    ranges = [
        tuple(map(int, mapping.split())) for mapping in Path("/proc/self/uid_map").read_text("ascii").splitlines()
    ]
    for lowest, count in _NUMBERS:
        if any(start <= lowest and lowest + count <= start + length for start, _, length in ranges):
            return lowest + secrets.randbelow(count)
    return NOBODY_UID
