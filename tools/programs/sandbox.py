"""
Programs of strangers in a sandbox: no network, a read-only system, processes, files and memory within bounds, one core.

bubblewrap makes it, where that is installed and the system lets it. The program sees the system's folders and its own
files (:mod:`.own_files`), each in a copy that no other seat has; it may write to a small /tmp that ends with it. It
cannot leave its core, lock files, or begin namespaces (:mod:`.sandbox_filter`). A command of this project's own players
stays outside: it may compile and cache.
"""

import functools
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from ddzbot.kernel.system import here as this_system

from ..shared.commands import assigned
from ..shared.language import tr
from ..shared.message import Message
from ..shared.named_files import note_files
from ..shared.options import SANDBOX_VARIABLE
from ..shared.paths import ROOT
from ..shared.terminal import say
from . import PLAYERS, program_of
from .environment import OUTSIDE, environment
from .own_copies import Copy, release
from .own_files import named_by, visible_files
from .sandbox_filter import call_filter

if sys.platform == "linux":
    from . import bubblewrap

TRIED_SECONDS = 10
_INSIDE = {"HOME": "/tmp", "LOGNAME": "bot"}
"""The program's home and user name, which Python cannot find out for an id without a user."""


@dataclass(frozen=True)
class Started:
    """The start of a program, with the resources that are held until it ends."""

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


def confine(words: Sequence[str], cwd: Path | None, env: Mapping[str, str] | None, memory_mib: float) -> Started:
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
    may_confine = program is not None and not is_ours and os.environ.get(SANDBOX_VARIABLE) != "0"
    if sys.platform == "linux" and program is not None and may_confine and not why_open():
        seen = visible_files(program, [*words[1:], *own.values()], here)
        try:
            outer, files = bubblewrap.around([str(program), *words[1:]], seen, here, memory_mib)
        except BaseException:
            Started((), {}, True, copies=seen.copies).ended()
            raise
        inside = {key: value for key, value in variables.items() if key not in OUTSIDE}
        return Started(outer, {**inside, **_INSIDE, **own}, True, files, seen.copies)
    return Started(words, variables, False)


@functools.lru_cache(maxsize=1)
def why_open() -> str:
    """Says why this machine has no sandbox; empty where it has one."""
    if sys.platform == "linux":
        return bubblewrap.why_not()
    else:
        return Message("bubblewrap needs Linux, and this is {system}", system=this_system().partition(" ")[0])


def warn_of_open_programs(programs: Iterable[Sequence[str]]) -> None:
    """
    Says once, on standard error, what one expects to be closed to these programs, and is not.

    That is all if one of them is a stranger's and runs without a sandbox that was asked for. From here on none of them
    sees the files of another one.
    """
    here = Path().resolve()
    strangers = [(own, words) for own, words in map(assigned, programs) if not _is_ours(words, here)]
    started: list[tuple[Path, list[str]]] = []
    if os.environ.get(SANDBOX_VARIABLE) == "0" or not strangers:
        return
    if why_open():
        key = "Programs run without a sandbox, and the system does not limit their memory: {reason}."
        say(tr(key, reason=why_open()), err=True)
        return
    if not call_filter():
        key = "The sandbox closes less here: calls of the kernel on {machine} are unknown."
        say(tr(key, machine=platform.machine()), err=True)
    note_files(_files_of_the_command())
    for own, words in strangers:
        program = _program(words[0], here, os.environ.get("PATH"))
        if program is not None:
            named = [*words[1:], *own.values()]
            note_files(named_by(program, named, here))
            started.append((program, named))
    for folder, reason in sorted(
        {omission for program, named in started for omission in _left_out(program, named, here)}
    ):
        key = "Of {folder} a program sees only what its command line names: {reason}."
        say(tr(key, folder=folder, reason=reason), err=True)


def _files_of_the_command() -> Iterator[Path]:
    """Yields what the running command was given as files, which it alone may see."""
    context = click.get_current_context(silent=True)
    while context is not None:
        for value in context.params.values():
            yield from (path for path in (value if isinstance(value, tuple) else (value,)) if isinstance(path, Path))
        context = context.parent


def _left_out(program: Path, words: Sequence[str], here: Path) -> tuple[tuple[Path, str], ...]:
    try:
        seen = visible_files(program, words, here)
    except OSError:
        return ()  # its first turn says so
    Started((), {}, True, copies=seen.copies).ended()
    return seen.left_out


def _is_ours(words: Sequence[str], here: Path) -> bool:
    starts = ([sys.executable, *program_of(player)] for player in ("champion", *PLAYERS))
    if any(list(words[: len(start)]) == start for start in starts):
        return True
    is_python = len(words) > 1 and Path(words[0]).name.startswith("python")
    return is_python and (here / words[1]).resolve() == ROOT / "bot.py"


def _program(word: str, here: Path, path: str | None) -> Path | None:
    executable = shutil.which(str(here / word)) if "/" in word else shutil.which(word, path=path)
    if executable is None:
        return None
    program = _behind_shim(executable, here)
    # The last part of the name stays: a Python knows its environment by it.
    return program.parent.resolve() / program.name


@functools.lru_cache
def _behind_shim(executable: str, here: Path) -> Path:
    """Gets the Python that a script of pyenv or asdf starts in this folder; its own files lie in the user's home."""
    program = Path(executable)
    if program.parent.name != "shims" or not program.name.startswith("python"):
        return program
    command = [executable, "-c", "import sys; print(sys.executable)"]
    try:
        asked = subprocess.run(command, cwd=here, capture_output=True, text=True, check=True, timeout=TRIED_SECONDS)
    except (OSError, subprocess.SubprocessError):
        return program
    return Path(asked.stdout.strip())
