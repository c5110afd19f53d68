"""What the workers of test_processes do, in a module that imports no pytest: that takes longer than all of it."""

import ctypes
import os
import signal
import stat
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from tools.shared.work.orphans import GUARD

FATAL = 3


def tried(folder: Path, thing: int) -> int:
    """Notes that a process has begun a thing, and gets how often that is."""
    with (folder / str(thing)).open("a") as file:
        file.write(f"{os.getpid()}\n")
    return times(folder, thing)


def times(folder: Path, thing: int) -> int:
    file = folder / str(thing)
    return len(file.read_text().splitlines()) if file.exists() else 0


def square(folder: Path, deaths: int, thing: int) -> int:
    """Squares a thing; the fatal one ends its process so many times."""
    if tried(folder, thing) <= deaths and thing == FATAL:
        os.kill(os.getpid(), signal.SIGKILL)
    return thing * thing


def leave(code: int, _thing: int) -> None:
    # Open files are closed some time before the process has ended; the one to its parent is a socket.
    for file in range(3, 1000):
        with suppress(OSError):
            if stat.S_ISSOCK(os.fstat(file).st_mode):
                os.close(file)
    time.sleep(0.2)
    os._exit(code)


def begun(folder: Path) -> None:
    tried(folder, -1)


def start_and_wait(folder: Path, thing: int) -> int:
    """Runs a program that is watched as a bot is, and waits for it: a day, but for the first thing."""
    if thing:
        with GUARD.starting:
            program = subprocess.Popen(["sleep", "86400"], start_new_session=True)
            GUARD.watch(program.pid)
        (folder / str(thing)).write_text(f"{os.getpid()} {program.pid}")
        program.wait()
    return thing


def hang(_thing: int) -> None:
    """Lets no other thread run, as a call into C may."""
    ctypes.PyDLL(None).sleep(86400)
