"""
Programs of strangers in a sandbox: no network, a read-only system, processes, files and memory within bounds, one core.

bubblewrap makes it, where that is installed and the system lets it. The program sees the system's folders and its own
files (:mod:`.own_files`), each in a copy that no other seat has; it may write to a small /tmp that ends with it. It
cannot leave its core, lock files, or begin namespaces (:mod:`.sandbox_filter`). What root starts runs under a number
that no user has, for the kernel does not count the processes of root. What starts this project's own players stays
outside: it is ours, and may compile and cache.

No control group is needed for this. The judge measures the sum of its memory twenty times a second
(:mod:`tools.judge.process_memory`), and on one core a program gets no further than some hundred MiB meanwhile. It does
not see memory of the kernel, such as what waits in sockets.
"""

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
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from ..shared.commands import assigned
from ..shared.named_files import note_files
from ..shared.options import SANDBOX_VARIABLE
from ..shared.paths import ROOT
from ..shared.terminal import say
from . import PLAYERS, program_of
from .environment import OUTSIDE, environment
from .own_copies import Copy, release
from .own_files import OWN, SYSTEM, Shown, named_by, shown
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

_INSIDE = {"HOME": "/tmp", "LOGNAME": "bot"}
"""Where a program may write, and a name, which Python cannot find out where the user has no number."""
_MIB = 1 << 20


@dataclass(frozen=True)
class Started:
    """How to start a program, and what it holds until it is gone."""

    words: Sequence[str]
    env: Mapping[str, str]
    in_sandbox: bool
    files: tuple[int, ...] = ()
    """Descriptors that it inherits; :meth:`started` closes them."""
    copies: tuple[Copy, ...] = ()

    def started(self) -> None:
        """Says that the process has begun, or could not."""
        for file in self.files:
            os.close(file)

    def ended(self) -> None:
        """Says that it is gone, with all that it started."""
        for copy in self.copies:
            release(copy)


def confined(words: Sequence[str], cwd: Path | None, env: Mapping[str, str] | None, memory_mib: float) -> Started:
    """
    Puts a program into the sandbox, unless it is ours, or there is no sandbox, or no such program.

    It gets the variables *env*, or else those of ours that :func:`.environment.environment` lets through, and what its
    command line sets itself: ``env NAME=value``.

    :raises OSError: if its files cannot be read or copied.
    """
    here = (cwd or Path()).resolve()
    own, words = assigned(words)
    is_ours = _is_ours(words, here)
    variables = {**(environment(os.environ, is_ours) if env is None else env), **own}
    program = _program(words[0], here, variables.get("PATH"))
    if program is None or is_ours or os.environ.get(SANDBOX_VARIABLE) == "0" or why_open():
        return Started(words, variables, False)
    seen = shown(program, [*words[1:], *own.values()], here)
    try:
        inner = [*_limits(memory_mib), str(program), *words[1:]]
        outer = _bubblewrap(seen, here)
        filtered = _filter_file()
    except BaseException:
        Started((), {}, True, copies=seen.copies).ended()
        raise
    with_filter = ["--seccomp", str(filtered)] if filtered else []
    inside = {**{name: value for name, value in variables.items() if name not in OUTSIDE}, **_INSIDE, **own}
    files = (filtered,) if filtered else ()
    return Started([*outer, *with_filter, "--", *inner], inside, True, files, seen.copies)


@functools.lru_cache(maxsize=1)
def why_open() -> str:
    """Says why this machine has no sandbox; empty where it has one."""
    if sys.platform != "linux":
        return "bubblewrap needs Linux"
    for name in ("bwrap", "setpriv", "prlimit"):
        if shutil.which(name) is None:
            return f"{'bubblewrap' if name == 'bwrap' else f'{name} of util-linux'} is not installed"
    file = _filter_file()
    try:
        filtered = ["--seccomp", str(file)] if file else []
        words = [*_bubblewrap(Shown((), (), (), ()), Path("/")), *filtered, "--", *_limits(1), "true"]
        passed = (file,) if file else ()
        subprocess.run(words, capture_output=True, text=True, check=True, timeout=TRIED_SECONDS, pass_fds=passed)
    except subprocess.CalledProcessError as error:
        return f"bubblewrap cannot run here: {(error.stderr.strip().splitlines() or ['it says nothing'])[-1]}"
    except (OSError, subprocess.SubprocessError) as error:
        return f"bubblewrap cannot run here: {error}"
    finally:
        if file:
            os.close(file)
    return ""


def warn_of_open_programs(programs: Iterable[Sequence[str]]) -> None:
    """
    Says once, on standard error, what one expects to be closed to these programs, and is not.

    That is all if one of them is a stranger's and runs without a sandbox that was asked for. From here on none of them
    sees the files of another one.
    """
    here = Path().resolve()
    strangers = [(own, words) for own, words in map(assigned, programs) if not _is_ours(words, here)]
    found: list[tuple[Path, list[str]]] = []
    if os.environ.get(SANDBOX_VARIABLE) == "0" or not strangers:
        return
    if why_open():
        say(f"Programs run without a sandbox: {why_open()}.", err=True)
        return
    if not call_filter():
        say(f"The sandbox closes less here: calls of the kernel on {platform.machine()} are unknown.", err=True)
    note_files(_files_of_the_command())
    for own, words in strangers:
        program = _program(words[0], here, os.environ.get("PATH"))
        if program is not None:
            named = [*words[1:], *own.values()]
            note_files(named_by(program, named, here))
            found.append((program, named))
    for folder, reason in sorted({one for program, named in found for one in _left_out(program, named, here)}):
        say(f"Of {folder} a program sees only what its command line names: {reason}.", err=True)


def _files_of_the_command() -> Iterator[Path]:
    """Yields what the running command was given as files, which it alone may see."""
    context = click.get_current_context(silent=True)
    while context is not None:
        for value in context.params.values():
            yield from (one for one in (value if isinstance(value, tuple) else (value,)) if isinstance(one, Path))
        context = context.parent


def _left_out(program: Path, words: Sequence[str], here: Path) -> tuple[tuple[Path, str], ...]:
    try:
        seen = shown(program, words, here)
    except OSError:
        return ()  # its first turn says so
    Started((), {}, True, copies=seen.copies).ended()
    return seen.left_out


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


def _is_ours(words: Sequence[str], here: Path) -> bool:
    starts = ([sys.executable, *program_of(player)] for player in ("champion", *PLAYERS))
    if any(list(words[: len(start)]) == start for start in starts):
        return True
    is_python = len(words) > 1 and Path(words[0]).name.startswith("python")
    return is_python and (here / words[1]).resolve() == ROOT / "bot.py"


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


def _bubblewrap(seen: Shown, here: Path) -> list[str]:
    words = ["bwrap", "--die-with-parent", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    if _is_root():
        words += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    words += ["--dev", "/dev", "--proc", "/proc"]
    for small in OWN:
        words += ["--perms", "1777", "--size", str(FILE_MIB * _MIB), "--tmpfs", str(small)]
    for folder in SYSTEM:
        words += ["--ro-bind-try", str(folder), str(folder)]
    hidden = here not in SYSTEM and any(here.is_relative_to(folder) for folder in SYSTEM)
    if hidden:
        words += ["--perms", "0755", "--tmpfs", str(here)]
    for source, place in seen.binds:
        if source == place:
            _check_open(source)
        words += [*_above(place), "--ro-bind", str(source), str(place)]
    for target, link in seen.links:
        words += [*_above(link), "--symlink", str(target), str(link)]
    words += [*_above(here / "any"), "--remount-ro", "/dev", "--remount-ro", "/"]
    return [*words, *(["--remount-ro", str(here)] if hidden else []), "--chdir", str(here)]


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
    wanted = 0o005 if path.is_dir() else 0o004
    if _is_root() and mode & wanted != wanted:
        reason = f"programs of root run as user nobody in the sandbox, which may not read {path} (see --no-sandbox)"
        raise PermissionError(errno.EACCES, reason)


def _limits(memory_mib: float) -> list[str]:
    processes, other = PROCESSES, []
    if _is_root():
        number = str(_own_number())
        other = ["setpriv", f"--reuid={number}", f"--regid={number}", "--clear-groups", "--no-new-privs"]
    elif tuple(map(int, re.findall(r"\d+", platform.release())[:2])) < _COUNTED_APART:
        processes += int(Path("/proc/loadavg").read_text("ascii").split()[3].partition("/")[2])
    memory = round(MEMORY_FACTOR * memory_mib * _MIB)
    bounds = [f"--nproc={processes}", f"--nofile={OPEN_FILES}", f"--fsize={FILE_MIB * _MIB}", f"--data={memory}"]
    return [*other, "prlimit", *bounds, "--core=0", "--"]


def _own_number() -> int:
    """Gets the number of a user that owns nothing and runs nothing else: its processes are those of one program."""
    ranges = [tuple(map(int, line.split())) for line in Path("/proc/self/uid_map").read_text("ascii").splitlines()]
    for first, count in _NUMBERS:
        if any(start <= first and first + count <= start + length for start, _, length in ranges):
            return first + secrets.randbelow(count)
    return NOBODY_UID
