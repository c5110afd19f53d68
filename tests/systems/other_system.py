"""
Runs a command as another system has it: ``OTHER_SYSTEM=darwin python -m tests.systems.other_system judge ...``.

What that system lacks is taken away before any module of ours is imported, here and in each process that a command
starts by multiprocessing, which imports this module too. Libraries are imported before: they know their own system.
"""

import asyncio
import errno
import importlib
import multiprocessing.connection
import os
import pathlib
import pkgutil
import subprocess
import sys
from collections.abc import Callable
from typing import Any
from unittest.mock import MagicMock

VARIABLE = "OTHER_SYSTEM"

LIBRARIES = (
    "aiohttp.web",
    "asyncio",
    "click",
    "ctypes.util",
    "filelock",
    "jinja2",
    "msgspec",
    "multiprocessing.resource_tracker",
    "numpy",
    "orjson",
    "psutil",
    "rich.console",
    "scipy.optimize",
    "scipy.stats",
    "selectors",
    "shutil",
    "signal",
    "socket",
    "tempfile",
    "threading",
    "uuid",
)
LINUX_ALONE = ("memfd_create", "pidfd_open", "sched_getaffinity", "sched_setaffinity")
"""What the module os has on Linux and not on macOS."""
BEFORE_313 = ("waitid", "P_PID", "WEXITED", "WNOWAIT")
"""What it does not have there either before Python 3.13."""
POSIX_ALONE = (
    "fork",
    "geteuid",
    "getpgid",
    "getsid",
    "getuid",
    "kill",
    "killpg",
    "mkfifo",
    "nice",
    "set_blocking",
    "setsid",
    "sysconf",
    "uname",
    "wait4",
    "WNOHANG",
)
"""What it does not have on Windows either; os.kill is another one there."""
POSIX_SIGNALS = ("SIGALRM", "SIGCONT", "SIGHUP", "SIGKILL", "SIGSTOP", "SIG_BLOCK", "SIG_SETMASK", "SIG_UNBLOCK")
POSIX_MODULES = ("_posixsubprocess", "fcntl", "grp", "pwd", "resource", "syslog", "termios", "tty")
ROOMS = ("arena", "judge", "records", "shared", "study", "tables.live", "tables.play", "tables.serve", "tables.table")
OF_OTHERS = {"darwin": ("_windows",), "win32": ("_posix", ".process_family")}
WINDOWS_MODULES = ("_winapi", "asyncio.windows_utils", "msvcrt", "winreg")


def pretend(system: str) -> None:
    """Takes away what *system*, ``darwin`` or ``win32``, lacks, and puts in what it has of its own."""
    for library in LIBRARIES:
        importlib.import_module(library)
    take_away(os, LINUX_ALONE)
    if system == "win32" or sys.version_info < (3, 13):
        take_away(os, BEFORE_313)
    hide_files_of_linux()
    if system == "win32":
        become_windows()
    else:
        count_memory_in_bytes()
    sys.platform = system


def take_away(module: Any, names: tuple[str, ...]) -> None:
    """Removes those of the names that a module has."""
    for attribute in names:
        if hasattr(module, attribute):
            delattr(module, attribute)


def hide_files_of_linux() -> None:
    """No code of ours finds anything in ``/proc``; psutil, which has another way on each system, still does."""

    def hidden(method: Callable[..., Any]) -> Callable[..., Any]:
        def asked(path: pathlib.Path, *arguments: Any, **named: Any) -> Any:
            if str(path).startswith("/proc"):
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
            return method(path, *arguments, **named)

        return asked

    for reader in ("read_bytes", "read_text", "stat"):
        setattr(pathlib.Path, reader, hidden(getattr(pathlib.Path, reader)))
    import psutil

    def refused(process: psutil.Process) -> None:
        raise psutil.AccessDenied(process.pid)

    psutil.Process.memory_full_info = refused


def count_memory_in_bytes() -> None:
    """The most memory that a process had is a number of bytes on macOS, of KiB on Linux."""
    import resource

    def in_bytes(usage: resource.struct_rusage) -> resource.struct_rusage:
        return resource.struct_rusage((*usage[:2], usage.ru_maxrss * 1024, *usage[3:]))

    getrusage, wait4 = resource.getrusage, os.wait4

    def waited(pid: int, options: int) -> tuple[int, int, resource.struct_rusage]:
        ended, status, usage = wait4(pid, options)
        return ended, status, in_bytes(usage)

    resource.getrusage = lambda who: in_bytes(getrusage(who))
    os.wait4 = waited


def become_windows() -> None:
    """Modules can be imported that only Windows has; what they do cannot be asked."""
    import ctypes
    import signal

    take_away(os, POSIX_ALONE)
    take_away(signal, (*POSIX_SIGNALS, "pthread_sigmask"))
    for name in POSIX_MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    for name in WINDOWS_MODULES:
        sys.modules[name] = MagicMock()
    asyncio.windows_utils = sys.modules["asyncio.windows_utils"]
    ctypes.WinDLL = MagicMock()
    multiprocessing.connection.PipeConnection = MagicMock()
    for name in ("CREATE_NO_WINDOW", "CREATE_NEW_PROCESS_GROUP"):
        setattr(subprocess, name, 0)


if os.environ.get(VARIABLE):
    pretend(os.environ[VARIABLE])


def import_all() -> None:
    """Imports all modules of the commands that play and look, but those that are of another system."""
    for room_name in ROOMS:
        room = importlib.import_module(f"tools.{room_name}")
        for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            if not module.name.endswith((*OF_OTHERS[sys.platform], "__main__")):
                importlib.import_module(module.name)


def main() -> None:
    """Calls a command; with ``all`` the help of each, after all is imported, and says how many there are."""
    from tools.command import groups
    from tools.command import main as command

    if sys.argv[1:] != ["all"]:
        command()
    import_all()
    names = [command_name for modules in groups().values() for command_name in modules]
    for command_name in names:
        try:
            command([command_name, "--help"])
        except SystemExit as end:
            assert not end.code, command_name
    print(len(names), sys.platform, "commands")


if __name__ == "__main__":
    main()
