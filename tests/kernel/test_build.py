"""The build: which compiler, what a library depends on, and the variant that watches over memory."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from filelock import FileLock

from ddzbot.kernel.binding import Kernel
from tests.support import ROOT, require
from tools.release import build_kernel
from tools.shared import compiling
from tools.shared.targets import TARGETS, name_here

SANITIZED_TESTS = {
    "rules": [f"kernel/test_{name}.py" for name in ("moves", "picks", "games", "recorded_games", "env", "bad_input")],
    "networks": [
        *(f"kernel/test_{name}.py" for name in ("cnn", "fast_net", "selfplay", "rollout", "bid_values")),
        *("net/test_fast_features.py", "training/champion/test_games.py"),
    ],
    "splits and worlds": [
        *(f"kernel/test_{name}.py" for name in ("fewest", "mini_split", "bad_search_input")),
        *("belief/test_kernel_worlds.py", "belief/test_guesses.py", "test_less_split.py", "test_mini_split.py"),
    ],
    "search": ["search", "players/test_mctshs.py"],
}
"""The tests that run code of every source file; test_build.py itself would build again."""

NOT_SANITIZED = ("[reference]", "without_a_kernel", "every_python", "python_3_6", "limit_of_seconds", "plain_vectors")
"""
Parts of the names of tests in there that run no such code, run it in another interpreter, measure its speed, or compile
another kernel to compare with.
"""


def test_cc_names_the_compiler_with_its_options() -> None:
    assert compiling.find_compiler({"CC": "env -i cc"}) == ["env", "-i", "cc"]


def test_a_compiler_in_a_folder_is_found_from_any_other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "cc").write_text("#!/bin/sh\n")
    (tmp_path / "cc").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    assert compiling.find_compiler({"CC": "./cc -O1"}) == [str(tmp_path / "cc"), "-O1"]


def test_zig_compiles_where_nothing_else_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(compiling, "has_zig", lambda: True)
    assert compiling.find_compiler({}) == compiling.ZIG_AT_HOME


def test_what_the_compiler_says_is_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    require(shutil.which("cc"), "a C compiler")
    (tmp_path / "broken.c").write_text("int broken(void) { return }")
    monkeypatch.setattr(compiling, "SOURCES", tmp_path)
    monkeypatch.setattr(compiling, "BUILD", tmp_path / "build")
    done = CliRunner().invoke(build_kernel.main)
    assert done.exit_code == 1
    assert "cannot compile the kernel" in done.output
    assert "broken.c:1" in done.output
    assert not (tmp_path / "build").exists()


def test_a_place_that_cannot_be_written_is_no_want_of_a_compiler(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    require(shutil.which("cc"), "a C compiler")
    (tmp_path / "one.c").write_text("int one;")
    monkeypatch.setattr(compiling, "SOURCES", tmp_path)
    (tmp_path / "build").touch()
    monkeypatch.setattr(compiling, "BUILD", tmp_path / "build")
    for module in (build_kernel, compiling):
        monkeypatch.setattr(module, "has_zig", lambda: False)
    for words in ([], ["--install"], ["--install", "--release"]):
        done = CliRunner().invoke(build_kernel.main, words)
        assert done.exit_code == 1 and "zig" not in done.output
        assert "ddz_kernel.so: it cannot be written: " in done.output


def test_a_current_library_is_not_built_again(kernel: Kernel) -> None:
    require("DDZ_KERNEL" not in os.environ, "a kernel that was built here")
    before = os.stat(kernel.library.path).st_mtime_ns
    assert compiling.build() == Path(kernel.library.path)
    assert os.stat(kernel.library.path).st_mtime_ns == before


def test_the_kernel_under_test_was_built_from_these_sources(kernel: Kernel) -> None:
    sanitize = "sanitized" in kernel.library.path
    flags = [*compiling.FLAGS, *(compiling.SANITIZED if sanitize else compiling.FAST)]
    compiler = compiling.find_compiler(os.environ)
    assert kernel.library.build == compiling.source_hash([*compiler, *flags])


def test_a_change_of_sources_or_flags_changes_the_hash(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "one.c").write_text("int one;")
    monkeypatch.setattr(compiling, "SOURCES", tmp_path)
    hashes = {compiling.source_hash([]), compiling.source_hash(["-O3"])}
    (tmp_path / "one.c").write_text("int two;")
    assert len(hashes | {compiling.source_hash([])}) == 3


def test_the_library_needs_no_libm_no_memory_and_no_files(kernel: Kernel) -> None:
    require("sanitized" not in kernel.library.path, "a kernel without sanitizers")
    nm = require(shutil.which("nm"), "nm")
    listed = subprocess.run([nm, "-D", "--undefined-only", kernel.library.path], capture_output=True, text=True)
    wanted = {line.split()[1].split("@")[0] for line in listed.stdout.splitlines() if line.split()[0] == "U"}
    assert wanted <= {"memset", "memcpy", "memmove", "__stack_chk_fail"}


def test_the_library_exports_its_headers_and_nothing_else(kernel: Kernel) -> None:
    require("sanitized" not in kernel.library.path, "a kernel without sanitizers")
    nm = require(shutil.which("nm"), "nm")
    listed = subprocess.run([nm, "-D", "--defined-only", kernel.library.path], capture_output=True, text=True)
    headers = "".join(path.read_text("utf-8") for path in compiling.SOURCES.rglob("ddz_*.h"))
    names = {line.split()[-1] for line in listed.stdout.splitlines()}
    assert {name for name in names if not name.startswith("_")} == set(
        re.findall(r"^DDZ_API .*?(ddz_\w+)\(", headers, re.M)
    )


def test_sources_are_small_and_narrow() -> None:
    for path in compiling.SOURCES.rglob("*.[ch]"):
        lines = path.read_text("ascii").splitlines()
        assert len(lines) <= 400 and max(map(len, lines)) <= 120, path


OTHERS = {"arm-linux-gnueabihf": [], "powerpc64le-linux-gnu": [], "x86-linux-gnu": compiling.ON_I386}
"""Processors without a wheel: 32 bits, other vectors, and SSE2 with words of 32 bits."""


@pytest.mark.whole
@pytest.mark.parametrize("target", OTHERS)
def test_the_sources_compile_without_a_warning_for_other_processors(target: str, tmp_path: Path) -> None:
    require(compiling.has_zig(), "zig (extra zig)")
    flags = [*compiling.FLAGS, *OTHERS[target], *compiling.STRICT, "-O0", "-I", compiling.SOURCES]
    # Without linking, for which zig would first compile the C library of that processor.
    command = [*compiling.ZIG, "-target", target, *flags, '-DDDZ_SOURCE_HASH=""', "-c", *_sources()]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.whole
@pytest.mark.parametrize(
    ("target", "reason"), [("s390x-linux-gnu", "little-endian"), ("x86-linux-gnu", "aligned to 8 bytes")]
)
def test_a_processor_on_which_the_kernel_would_err_is_refused(target: str, reason: str, tmp_path: Path) -> None:
    require(compiling.has_zig(), "zig (extra zig)")
    flags = [*compiling.FLAGS, "-I.", '-DDDZ_SOURCE_HASH=""', "-c", "-o", str(tmp_path / "layout.o")]
    command = [*compiling.ZIG, "-target", target, *flags, "layout.c"]
    done = subprocess.run(command, cwd=compiling.SOURCES, capture_output=True, text=True)
    assert done.returncode == 1 and reason in done.stderr


@pytest.mark.whole
def test_the_compiler_warns_of_nothing_and_a_user_never_hears_of_it() -> None:
    compiler = require(shutil.which("cc"), "a C compiler")
    flags = [*compiling.FLAGS, *compiling.STRICT, *compiling.FAST, "-fsyntax-only", "-I.", '-DDDZ_SOURCE_HASH=""']
    done = subprocess.run([compiler, *flags, *_sources()], cwd=compiling.SOURCES, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert not {*compiling.STRICT} & {*compiling.FLAGS, *compiling.FAST}


def _sources() -> list[str]:
    return [str(path) for path in sorted(compiling.SOURCES.rglob("*.c"))]


def test_a_linux_without_glibc_is_none_that_a_wheel_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its pip takes the tag of its own system, and no manylinux."""

    def unknown(name: str) -> str:
        raise ValueError(f"unrecognized configuration name: {name}")

    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr("os.confstr", lambda name: "glibc 2.36")
    assert name_here() == "linux-x86_64" in TARGETS
    monkeypatch.setattr("os.confstr", unknown)
    assert name_here() == "linux-musl-x86_64" not in TARGETS


@pytest.fixture(scope="module")
def sanitized() -> Path:
    """The kernel that watches over memory; the first worker that asks compiles it."""
    require("DDZ_KERNEL" not in os.environ, "a kernel that was built here")
    with FileLock(compiling.BUILD / "sanitized.lock"):
        return compiling.build(sanitize=True)


@pytest.mark.whole
@pytest.mark.timeout(900)
@pytest.mark.parametrize("part", SANITIZED_TESTS)
def test_all_tests_of_compiled_code_pass_under_the_sanitizers(part: str, kernel: Kernel, sanitized: Path) -> None:
    runtime = require(_runtime(), "the address sanitizer of the compiler")
    environment = {
        **os.environ,
        "LD_PRELOAD": runtime,
        "ASAN_OPTIONS": "detect_leaks=0",
        "DDZ_KERNEL": str(sanitized),
        "DDZ_KERNEL_PAIRS": "100",
        "DDZ_ENDGAMES": "8",
        "DDZ_SPLIT_HANDS": "60",
    }
    # From the folder: pytest takes no brackets in a path.
    tests = [f"tests/{name}" for name in SANITIZED_TESTS[part]]
    only = ["-k", " and ".join(f"not {name}" for name in NOT_SANITIZED)]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", *only, *tests]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "runtime error" not in done.stderr


def _runtime() -> str | None:
    """Finds the library that a process must load first when it runs sanitized code."""
    compiler = compiling.find_compiler(os.environ)
    found = subprocess.run([*compiler, "-print-file-name=libasan.so"], capture_output=True, text=True).stdout.strip()
    return found if os.path.isabs(found) else None
