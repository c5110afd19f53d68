"""What several test files need: the project's folder, other interpreters, and a way to say NOT TESTED."""

import asyncio
import functools
import os
import platform
import shlex
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import pytest
from filelock import FileLock

from tools.shared import compiling

ROOT = Path(__file__).resolve().parent.parent
"""The folder that holds bot.py, ddzbot and tools."""

NOT_TESTED = "NOT TESTED: "
"""How the reason of every test begins that this machine cannot run; conftest.py counts them by it."""

OF_OTHERS = "OF OTHER PROCESSORS: "
"""How the reason of a test begins that is about what this processor cannot have."""

Thing = TypeVar("Thing")


PYTHONS = ("3.6", "3.7", "3.8", "3.9", "3.10", "3.11", "3.12", "3.13")
"""Each CPython that runs the bot."""

EVERY_PYTHON = (PYTHONS[0], *(pytest.param(version, marks=pytest.mark.whole) for version in PYTHONS[1:-1]), PYTHONS[-1])
"""The same as a parameter; those between the oldest and the newest are of the rest."""


def require(thing: Thing | None, what: str) -> Thing:
    """
    Returns *thing*; without it the running test is reported as NOT TESTED.

    For example ``python = require(find_python("3.6"), "CPython 3.6")``. False and empty things count as missing
    too. With ``DDZ_REQUIRE_ALL=1`` in the environment a missing thing is a failure.
    """
    return thing or _not_tested(what)


def _not_tested(what: str) -> NoReturn:
    if os.environ.get("DDZ_REQUIRE_ALL") == "1":
        pytest.fail(f"{NOT_TESTED}{what}, and DDZ_REQUIRE_ALL=1 asks for it", pytrace=False)
    pytest.skip(NOT_TESTED + what)


def require_avx2(found: bool) -> None:
    """Requires AVX2 where a processor may have it; on others, as on arm64, what is about it is none of their tests."""
    if not found and platform.machine() not in ("x86_64", "AMD64"):
        pytest.skip(OF_OTHERS + "AVX2")
    require(found, "AVX2")


def command_line(*words: object) -> str:
    """Writes a command as a shell reads it, whatever stands in the paths, for example ``python '/my bots/a.py'``."""
    return shlex.join(map(str, words))


@contextmanager
def started(words: Sequence[str], **options: Any) -> Iterator["subprocess.Popen[Any]"]:
    """
    Runs a program for the block, with what :class:`subprocess.Popen` takes, and kills it then if it still runs.

    Popen alone would wait for it without end where a test fails.
    """
    with subprocess.Popen(words, **options) as process:
        try:
            yield process
        finally:
            process.kill()


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Has the first worker that asks fill a folder for all workers; it bears the name when it is whole."""
    base = factory.getbasetemp()
    folder = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / name
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            unfinished = folder.with_name(f"{name}-unfinished")
            unfinished.mkdir(exist_ok=True)
            make(unfinished)
            unfinished.rename(folder)
    return folder


def cost_of(seconds: float, of_make_test: bool) -> tuple[str, bool]:
    """Says what a run took, `make test` beside its budget in CONTRIBUTING.md, and tells whether that is exceeded."""
    if not of_make_test:
        return f"{seconds:.0f} CPU seconds", False
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    budget = int(page.partition("`make test` may take ")[2].partition(" CPU seconds")[0])
    above = seconds > budget
    return f"{seconds:.0f} CPU seconds, {'ABOVE ' * above}the budget of make test is {budget}", above


def eventually(condition: Callable[[], bool], seconds: float = 250.0) -> bool:
    """Waits for what others do in their own time; returns whether it came."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


async def settled(condition: Callable[[], bool]) -> None:
    """Waits, beside the other tasks of an event loop, for what they do; the bound of the test is its own."""
    while not condition():
        await asyncio.sleep(0.001)


@functools.cache
def find_python(version: str) -> str | None:
    """
    Finds a CPython of that *version*, or None: ``find_python("3.6")`` may be ``/usr/bin/python3.6``.

    It looks at ``$DDZ_PYTHONS`` (interpreters with colons between them), then along PATH, then at what pyenv
    installed. A program counts when it runs and names that version itself: pyenv puts a ``python3.6`` on PATH
    that only complains.
    """
    return next((python for python in _candidates(version) if _version_of(python) == version), None)


def _candidates(version: str) -> Iterator[str]:
    yield from filter(None, os.environ.get("DDZ_PYTHONS", "").split(":"))
    for folder in os.get_exec_path():
        yield os.path.join(folder, f"python{version}")
    yield from map(str, sorted(Path.home().glob(f".pyenv/versions/{version}*/bin/python")))


def _version_of(python: str) -> str | None:
    program = "import sys; print(sys.implementation.name + '%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run([python, "-I", "-S", "-c", program], capture_output=True, text=True)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip().removeprefix("cpython") if done.returncode == 0 else None


def kernel_path() -> str | None:
    """Finds the C kernel that DDZ_KERNEL names, or builds it; None when that takes a compiler and there is none."""
    if os.environ.get("DDZ_KERNEL"):
        return os.environ["DDZ_KERNEL"]
    try:
        compiling.find_compiler(os.environ)
    except compiling.BuildError:
        return None
    return str(compiling.build())
