"""
A kernel on every machine: with a compiler, with zig, or none at all, in a checkout of its own.

pip, zig and compilers only pretend, so that no network is needed: what they make is a copy of the kernel under test.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.checksum import with_checksum
from ddzbot.kernel.library import FILE_NAME
from tests.support import ROOT, require
from tools.shared.compiling import WITHOUT_KERNEL
from tools.shared.install import needed, packages

COMMAND = """
import runpy, sys
if not {has_zig}:
    sys.modules["ziglang"] = None
runpy.run_module("tools.make", run_name="__main__", alter_sys=True)
"""

PIP = """
import pathlib, sys
with open({log!r}, "a") as log:
    log.write("pip " + sys.argv[-1] + "\\n")
print("a progress bar")
if not {works}:
    sys.exit("WARNING: retrying\\nERROR: No matching distribution found for ziglang")
"""

COMPILER = """#!/bin/sh
printf '%s\\n' "{name} $*" >> "{log}"
{works} || {{ echo "stdint.h: no such file" >&2; exit 1; }}
while [ "$1" != -o ]; do shift; done
exec {cp} "{result}" "$2"
"""
ONCE = "zig can do it, and is installed once (100 MB to load, 410 MB on the disk)."
ZIG = """
import os, sys
os.execv("{compiler}", ["zig", *sys.argv[1:]])
"""


class Place:
    """A checkout, and a PATH on which nothing is but what a test puts there."""

    def __init__(self, folder: Path, library: str) -> None:
        self.root = folder / "checkout"
        self.made = self.root / "build" / FILE_NAME
        self._library = library
        self._log = folder / "log"
        self._path = folder / "path"
        self._packages = folder / "packages"
        self._path.mkdir()
        for name in ("pip", "ziglang"):
            (self._packages / name).mkdir(parents=True)
            (self._packages / name / "__init__.py").touch()
        # What Python has compiled comes along.
        shutil.copytree(ROOT / "ddzbot", self.root / "ddzbot", ignore=shutil.ignore_patterns("*.so"))
        shutil.copytree(ROOT / "tools" / "shared", self.root / "tools" / "shared")
        shutil.copy(ROOT / "pyproject.toml", self.root)
        for name in ("__init__", "make", "programs/__init__", "release/__init__", "release/build_kernel"):
            copied = self.root / "tools" / f"{name}.py"
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / "tools" / f"{name}.py", copied)
        self.pip()
        self.zig()

    @property
    def log(self) -> list[str]:
        """What pip and compilers were asked for."""
        return self._log.read_text().splitlines() if self._log.exists() else []

    def pip(self, works: bool = True) -> None:
        (self._packages / "pip" / "__main__.py").write_text(PIP.format(log=str(self._log), works=works))

    def zig(self, works: bool = True) -> None:
        compiler = self._packages / "zig"
        self._write_compiler(compiler, works, self._library)
        (self._packages / "ziglang" / "__main__.py").write_text(ZIG.format(compiler=compiler))

    def compiler(self, name: str, works: bool = True, result: str | None = None) -> None:
        self._write_compiler(self._path / name, works, result or self._library)

    def _write_compiler(self, path: Path, works: bool, result: str) -> None:
        words = {"name": path.name, "log": self._log, "works": str(works).lower(), "result": result}
        path.write_text(COMPILER.format(cp=shutil.which("cp"), **words))
        path.chmod(0o755)

    def run(self, *arguments: str, has_zig: bool = False, **more: str) -> subprocess.CompletedProcess[str]:
        unset = {"CC", "DDZ_KERNEL", "DDZ_NO_KERNEL"}
        environment = {name: value for name, value in os.environ.items() if name not in unset}
        environment.update({"PATH": str(self._path), "PYTHONPATH": str(self._packages), **more})
        command = [sys.executable, "-c", COMMAND.format(has_zig=has_zig), "kernel", *arguments]
        return subprocess.run(command, cwd=self.root, env=environment, capture_output=True, text=True)


@pytest.fixture
def place(tmp_path: Path, kernel: Kernel) -> Place:
    require("sanitized" not in kernel.library.path, "a kernel without sanitizers")
    return Place(tmp_path, kernel.library.path)


def play(place: Place, **more: str) -> list[str]:
    """Gets the message for a user who wants a kernel and plays without one."""
    done = place.run("--install", "--optional", has_zig=False, **more)
    assert done.returncode == 0, done.stderr
    return done.stderr.splitlines()


def test_a_compiler_compiles_each_file_and_then_links(place: Place) -> None:
    place.compiler("gcc")
    (said,) = play(place)
    sources = sorted(path.name for path in (place.root / "ddzbot" / "kernel" / "src").rglob("*.c"))
    assert said == f"Compiling the kernel, {len(sources)} files of C, with gcc ..."
    *compiled, linked = (line.split() for line in place.log)
    assert sorted(Path(words[words.index("-c") + 1]).name for words in compiled) == sources
    assert all("-O3" in words and "-shared" not in words for words in compiled)
    # clang refuses what only a compilation needs when it links.
    assert linked[:2] == ["gcc", "-shared"] and not {"-O3", "-std=c11"} & {*linked}
    assert [word[-2:] for word in linked[2:-2]] == [".o"] * len(sources)
    assert place.made.exists()


@pytest.mark.whole
def test_nothing_is_said_or_done_for_a_kernel_that_is_current(place: Place) -> None:
    place.compiler("cc", result=sys.executable)
    place.run("--install")
    wanted = next(word for word in place.log[0].split() if word.startswith("-DDDZ_SOURCE_HASH"))
    content = with_checksum(wanted.encode())
    place.made.write_bytes(content)
    before = place.log
    assert place.run("--install").stdout == f"build/{FILE_NAME}: {len(content)} bytes\n"
    assert place.log == before


def test_without_a_compiler_zig_is_installed_and_compiles(place: Place) -> None:
    done = place.run("--install", "--optional")
    assert done.returncode == 0
    assert done.stderr.splitlines()[0] == f"There is no C compiler: {ONCE}"
    assert done.stderr.splitlines()[1].endswith(" files of C, with zig ...")
    assert done.stdout.splitlines()[0].startswith(f"Installing {', '.join(packages(needed('zig')))} (extra zig).")
    assert done.stdout.splitlines()[1] == "a progress bar"
    pip, zig = place.log
    assert pip.startswith("pip ziglang>=")
    assert zig.startswith("zig cc -mcpu=baseline ") and " -shared " in zig
    assert place.made.exists()


@pytest.mark.whole
def test_a_compiler_that_fails_gives_way_to_zig(place: Place) -> None:
    place.compiler("cc", works=False)
    assert f"cc cannot compile the kernel: {ONCE}" in play(place)
    assert [line.split()[0] for line in place.log][-2:] == ["pip", "zig"]
    assert place.made.exists()


@pytest.mark.whole
def test_without_a_compiler_and_zig_one_line_says_what_that_costs(place: Place) -> None:
    place.pip(works=False)
    assert play(place)[-2:] == [
        "There is no C compiler, and zig cannot be installed (No matching distribution found for ziglang).",
        WITHOUT_KERNEL,
    ]
    assert not place.made.exists()
    done = place.run("--install")
    assert done.returncode == 1
    assert "zig cannot be installed" in done.stderr and WITHOUT_KERNEL not in done.stderr


@pytest.mark.whole
def test_a_compiler_that_was_named_has_no_substitute(place: Place) -> None:
    said = play(place, CC="nocc")
    assert said == ["CC=nocc: there is no nocc; name another compiler, or unset CC", WITHOUT_KERNEL]
    assert place.log == []
    assert place.run("--install", CC="nocc").returncode == 1


def test_a_zig_that_fails_ends_it(place: Place) -> None:
    place.zig(works=False)
    said = play(place)
    assert said[-3:] == ["zig cannot compile the kernel:", "stdint.h: no such file", WITHOUT_KERNEL]
    assert not (place.root / "build").exists()


@pytest.mark.whole
def test_without_a_compiler_a_kernel_that_loads_will_do(place: Place, kernel: Kernel) -> None:
    place.made.parent.mkdir()
    shutil.copy(kernel.library.path, place.made)
    assert play(place) == []
    assert place.log == []
    assert place.run("--install").stdout.endswith(f"{FILE_NAME}\n")


def test_a_user_who_wants_no_kernel_gets_none(place: Place) -> None:
    place.compiler("cc")
    assert play(place, DDZ_NO_KERNEL="1") == []
    assert place.log == []


def test_a_kernel_that_does_not_load_is_not_passed_over(place: Place) -> None:
    place.compiler("cc", result=str(ROOT / "LICENSE"))
    said = play(place)
    assert said[1].startswith("The kernel does not load (")
    assert said[-1] == WITHOUT_KERNEL


@pytest.mark.whole
@pytest.mark.parametrize(
    ("variant", "reason"), [("wasm", "No compiler here makes WebAssembly"), ("release", "cc comp")]
)
def test_zig_is_installed_for_what_no_other_compiler_makes(place: Place, variant: str, reason: str) -> None:
    place.compiler("cc", result=sys.executable)  # which needs more than a kernel may
    done = place.run(f"--{variant}", "--install")
    assert done.returncode == 0, done.stderr
    assert next(line for line in place.log if not line.startswith("cc ")).startswith("pip ziglang")
    (said,) = (line for line in done.stderr.splitlines() if line.endswith(ONCE))
    assert said.startswith(reason)


def test_no_other_compiler_is_installed_where_the_one_that_is_there_will_do(place: Place) -> None:
    place.compiler("cc")
    done = place.run("--release", "--install")
    assert done.returncode == 0, done.stderr
    assert {line.split()[0] for line in place.log} == {"cc"}
    assert "-march=x86-64" in place.log[0]


def test_without_install_nothing_is_installed(place: Place) -> None:
    done = place.run()
    assert done.returncode == 1
    assert done.stderr.startswith("Error: There is no C compiler: install gcc or clang")
    assert place.log == []
