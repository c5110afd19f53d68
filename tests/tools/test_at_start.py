"""Commands that play have the kernel compiled where none loads and a compiler is there, and continue where none is."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.library import FILE_NAME
from tests.support import ROOT, require
from tools.shared.compiling import WITHOUT_KERNEL

POSITION = "botzone 0 99TTQKKA 345 -@0 334455,-,-,8,9,A,2,-,-,6777,-,4JJJ,-,-,88"
COMMANDS = {
    "tools.tables.play": ["--bot", "rule", "--seed", "5", "--limit", "50p"],
    "tools.arena.match": ["rule", "random", "--rules", "mini", "--sets", "1", "--jobs", "1", "--quiet"],
    "tools.study.analyse": ["--human", "--limit", "50p", POSITION],
    "tools.tables.serve": ["--port", "0", "--workers", "1"],
}
FIRST = ("tools.arena.match",)
"""That of every commit."""
PROGRAM = """
import runpy, sys
sys.modules["ziglang"] = None
if not sys.argv[0]:
    from tools.shared.compiling import kernel_at_start
    sys.exit(kernel_at_start())
if "tools.tables.serve" in sys.argv[0]:
    import asyncio
    asyncio.run = lambda served: served.close()
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""


class Checkout:
    """A checkout without a kernel, and a PATH on which nothing is but what a test puts there."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "checkout"
        self.path = folder / "path"
        self.log = folder / "log"
        left_out = shutil.ignore_patterns("*.so")
        for name in ("ddzbot", "tools", "weights"):
            shutil.copytree(ROOT / name, self.root / name, ignore=left_out)

    def clear(self) -> None:
        """Takes away what a test has put or made there."""
        shutil.rmtree(self.path, ignore_errors=True)
        self.path.mkdir()
        shutil.rmtree(self.root / "build", ignore_errors=True)
        self.log.unlink(missing_ok=True)

    def compiler(self, works: bool, result: str) -> None:
        path = self.path / "cc"
        failing = "" if works else "echo 'stdint.h: no such file' >&2; exit 1\n"
        making = f'while [ "$1" != -o ]; do shift; done\n/bin/cp {shlex.quote(result)} "$2"\n'
        path.write_text(f'#!/bin/sh\necho "$*" >> {shlex.quote(str(self.log))}\n{failing}{making}')
        path.chmod(0o755)

    def run(self, command: str = "", *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Runs one of the commands, or only what they all do at their start."""
        unset = {"CC", "DDZ_KERNEL", "DDZ_NO_KERNEL", "PYTHONDONTWRITEBYTECODE"}
        environment = {name: value for name, value in os.environ.items() if name not in unset}
        environment.update({"PATH": str(self.path), **more})
        program = PROGRAM.replace("import runpy, sys\n", f"import runpy, sys\nsys.argv[:1] = [{command!r}]\n", 1)
        return subprocess.run(
            [sys.executable, "-c", program, *words, *COMMANDS.get(command, [])[2 * bool(words) :]],
            cwd=self.root,
            env=environment,
            capture_output=True,
            text=True,
        )


@pytest.fixture(scope="module")
def one_for_all(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """One copy: the first command in there compiles the modules for all."""
    return Checkout(tmp_path_factory.mktemp("start"))


@pytest.fixture
def checkout(one_for_all: Checkout) -> Checkout:
    one_for_all.clear()
    return one_for_all


@pytest.mark.parametrize(
    "command", [pytest.param(name, marks=[] if name in FIRST else pytest.mark.whole) for name in COMMANDS]
)
def test_a_command_that_plays_compiles_the_kernel(checkout: Checkout, command: str, kernel: Kernel) -> None:
    require("sanitized" not in kernel.library.path, "a kernel without sanitizers")
    checkout.compiler(works=True, result=kernel.library.path)
    players = ("champion", "mcm", "--sets", "1", "--limit", "20p", "--strict")
    done = checkout.run(command, *players * (command == "tools.arena.match"))
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("Compiling the kernel, ") == 1
    assert WITHOUT_KERNEL not in done.stderr
    assert (checkout.root / "build" / FILE_NAME).exists()
    if command == "tools.arena.match":
        # The players of the same process have it, and the second time there is one.
        assert "fallbacks 0" in done.stdout
        before = checkout.log.read_text()
        assert "Compiling" not in checkout.run().stderr
        assert checkout.log.read_text() == before


def test_without_a_compiler_one_line_says_what_is_lost(checkout: Checkout) -> None:
    done = checkout.run("tools.arena.match")
    assert done.returncode == 0, done.stderr
    said = [line for line in done.stderr.splitlines() if WITHOUT_KERNEL in line]
    assert said == [f"There is no C compiler: install gcc or clang, or name one in CC. {WITHOUT_KERNEL}"]
    assert not (checkout.root / "build" / FILE_NAME).exists()


def test_a_compiler_that_fails_is_told_in_one_line(checkout: Checkout) -> None:
    checkout.compiler(works=False, result="")
    done = checkout.run()
    assert done.returncode == 0
    said = rf"cc cannot compile the kernel; .+ -m tools\.make kernel prints why\. {re.escape(WITHOUT_KERNEL)}"
    assert re.fullmatch(said, done.stderr.splitlines()[1])


def test_what_a_compiler_makes_must_load(checkout: Checkout) -> None:
    checkout.compiler(works=True, result=str(ROOT / "LICENSE"))
    done = checkout.run()
    assert done.returncode == 0
    assert done.stderr.splitlines()[1].startswith("The kernel does not load (")
    assert done.stderr.splitlines()[1].endswith(WITHOUT_KERNEL)


def test_a_user_that_wants_no_kernel_is_told_nothing(checkout: Checkout, kernel: Kernel) -> None:
    checkout.compiler(works=True, result=kernel.library.path)
    done = checkout.run(DDZ_NO_KERNEL="1")
    assert (done.returncode, done.stderr) == (0, "")
    assert not checkout.log.exists()
