"""
Programs of strangers in a sandbox: no network, a read-only system, processes, files and memory within bounds, one core.

bubblewrap makes it, where that is installed and the system lets it. The program sees the system's folders, the folder
it is started in and those of the files that its command line names; it may write to a small /tmp that ends with it.
What root starts runs as nobody, for the kernel does not count the processes of root. What starts this project's own
players stays outside: it is ours, and may compile and cache.
"""

import contextlib
import errno
import functools
import os
import platform
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..shared.commands import assigned
from ..shared.options import SANDBOX_VARIABLE
from ..shared.terminal import say
from . import PLAYERS, program_of
from .environment import OUTSIDE, environment

__all__ = ["Started", "confined", "on_one_core", "warn_of_open_programs", "why_open"]

SYSTEM = tuple(map(Path, ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/nix")))
PROCESSES = 64
FILE_MIB = 64
"""For a file, and for all of each folder that can be written to."""
MEMORY_FACTOR = 4
"""A process ends by itself above so many times the limit, which the judge enforces at its next look."""
NOBODY = 65534
TRIED_SECONDS = 10
_COUNTED_APART = (5, 14)
"""Since this Linux the processes in a sandbox are counted by themselves, not with all others of the user."""

_INSIDE = {"HOME": "/tmp"}
_MIB = 1 << 20


class Started(NamedTuple):
    """How to start a program."""

    words: Sequence[str]
    env: Mapping[str, str]
    in_sandbox: bool


def confined(words: Sequence[str], cwd: Path | None, env: Mapping[str, str] | None, memory_mib: float) -> Started:
    """
    Puts a program into the sandbox, unless it is ours, or there is no sandbox, or no such program.

    It gets the variables *env*, or else those of ours that :func:`.environment.environment` lets through, and what its
    command line sets itself: ``env NAME=value``.

    :raises PermissionError: if root runs it, and nobody else may read its files.
    """
    here = (cwd or Path()).resolve()
    own, words = assigned(words)
    is_ours = _is_ours(words)
    variables = {**(environment(os.environ, is_ours) if env is None else env), **own}
    program = _program(words[0], here, variables.get("PATH"))
    if program is None or is_ours or os.environ.get(SANDBOX_VARIABLE) == "0" or why_open():
        return Started(words, variables, False)
    inside = {**{name: value for name, value in variables.items() if name not in OUTSIDE}, **_INSIDE, **own}
    inner = [*_limits(memory_mib), str(program), *words[1:]]
    outer = _bubblewrap(_folders(program, [*words[1:], *own.values()], here), here)
    return Started([*outer, *inner], inside, True)


@functools.lru_cache(maxsize=1)
def why_open() -> str:
    """Says why this machine has no sandbox; empty where it has one."""
    if sys.platform != "linux":
        return "bubblewrap needs Linux"
    for name in ("bwrap", *("setpriv", "unshare", "prlimit")):
        if shutil.which(name) is None:
            return f"{'bubblewrap' if name == 'bwrap' else f'{name} of util-linux'} is not installed"
    try:
        words = [*_bubblewrap([], Path("/")), *_limits(1), "true"]
        subprocess.run(words, capture_output=True, text=True, check=True, timeout=TRIED_SECONDS)
    except subprocess.CalledProcessError as error:
        return f"bubblewrap cannot run here: {(error.stderr.strip().splitlines() or ['it says nothing'])[-1]}"
    except (OSError, subprocess.SubprocessError) as error:
        return f"bubblewrap cannot run here: {error}"
    return ""


def warn_of_open_programs(programs: Iterable[Sequence[str]]) -> None:
    """Says once, on standard error, if one of these is a stranger's and runs without a sandbox that was asked for."""
    strangers = [words for _, words in map(assigned, programs) if not _is_ours(words)]
    if os.environ.get(SANDBOX_VARIABLE) != "0" and strangers and why_open():
        say(f"Programs run without a sandbox: {why_open()}.", err=True)


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
    """Picks the core of a judge's bots, who think in turn. An abstract name is free again when its process ends."""
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


def _is_ours(words: Sequence[str]) -> bool:
    starts = ([sys.executable, *program_of(player)] for player in ("champion", *PLAYERS))
    return any(list(words[: len(start)]) == start for start in starts)


def _program(word: str, here: Path, path: str | None) -> Path | None:
    found = shutil.which(str(here / word)) if "/" in word else shutil.which(word, path=path)
    if found is None:
        return None
    program = _behind_shim(found, here)
    # The last part of the name stays: a Python knows its environment by it.
    return program.parent.resolve() / program.name


@functools.lru_cache
def _behind_shim(found: str, here: Path) -> Path:
    """Gets the Python that a script of pyenv or asdf starts in this folder; its own files lie in the user's home."""
    program = Path(found)
    if program.parent.name != "shims" or not program.name.startswith("python"):
        return program
    words = [found, "-c", "import sys; print(sys.executable)"]
    try:
        asked = subprocess.run(words, cwd=here, capture_output=True, text=True, check=True, timeout=TRIED_SECONDS)
    except (OSError, subprocess.SubprocessError):
        return program
    return Path(asked.stdout.strip())


def _folders(program: Path, words: Iterable[str], here: Path) -> list[Path]:
    """Lists what a program must see besides the system, none within another."""
    wanted = {here, _home_of(program), _home_of(program.resolve())}
    for word in words:
        with contextlib.suppress(OSError):
            named = here / word.rpartition("=")[2]
            if named.exists():
                wanted.add(named.resolve() if named.is_dir() else named.resolve().parent)
                wanted.add(named.parent.resolve())
    shown: list[Path] = []
    for folder in sorted(wanted - {Path("/")}):
        if not any(folder.is_relative_to(other) for other in (*SYSTEM, *shown)):
            shown.append(folder)
    return shown


def _home_of(program: Path) -> Path:
    """Gets the folder of a program; that of an interpreter has libraries beside the folder ``bin``."""
    folder = program.parent
    return folder.parent if folder.name == "bin" and (folder.parent / "lib").is_dir() else folder


def _bubblewrap(folders: Iterable[Path], here: Path) -> list[str]:
    words = ["bwrap", "--die-with-parent", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    if _is_root():
        words += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    words += ["--dev", "/dev", "--proc", "/proc"]
    for small in ("/dev/shm", "/tmp"):
        words += ["--perms", "1777", "--size", str(FILE_MIB * _MIB), "--tmpfs", small]
    for folder in SYSTEM:
        words += ["--ro-bind-try", str(folder), str(folder)]
    for folder in folders:
        _check_open(folder)
        # Those above it are empty, and would be closed to nobody.
        for above in list(reversed(folder.parents))[1:]:
            words += ["--perms", "0755", "--dir", str(above)]
        words += ["--ro-bind", str(folder), str(folder)]
    return [*words, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", str(here), "--"]


def _is_root() -> bool:
    return os.geteuid() == 0


def _check_open(folder: Path) -> None:
    if _is_root() and folder.stat().st_mode & 0o005 != 0o005:
        reason = f"what root starts runs as nobody in the sandbox, who may not read {folder} (see --no-sandbox)"
        raise PermissionError(errno.EACCES, reason)


def _limits(memory_mib: float) -> list[str]:
    processes = PROCESSES
    if tuple(map(int, re.findall(r"\d+", platform.release())[:2])) < _COUNTED_APART:
        processes += int(Path("/proc/loadavg").read_text("ascii").split()[3].partition("/")[2])
    memory = round(MEMORY_FACTOR * memory_mib * _MIB)
    # In a namespace of its own nobody has no other processes.
    other = [
        "setpriv",
        f"--reuid={NOBODY}",
        f"--regid={NOBODY}",
        "--clear-groups",
        "--no-new-privs",
        "unshare",
        "--map-current-user",  # else make may start nothing
    ]
    bounds = [f"--nproc={processes}", f"--fsize={FILE_MIB * _MIB}", f"--data={memory}", "--core=0"]
    return [*(other if _is_root() else []), "prlimit", *bounds, "--"]
