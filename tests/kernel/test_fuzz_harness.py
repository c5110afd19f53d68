"""The harness that fuzzes the kernel: with the sanitizers it stands its first inputs, and all that was found once."""

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.fuzz.kernel import HARNESS, KEPT, PARTS, PROGRAM, WATCH, build_fuzzer, first_inputs, replay
from tests.support import made_once, require
from tools.shared.compiling import BuildError, find_compiler

pytestmark = pytest.mark.whole


def compiler() -> list[str] | None:
    """Finds a compiler that has the sanitizers; zig has not."""
    try:
        found = find_compiler({})
    except BuildError:
        return None
    return found if "ziglang" not in found and shutil.which(found[0]) else None


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The harness with the kernel, which takes 8 s to compile, and 18 s if that is to optimize."""
    found = require(compiler(), "gcc or clang")
    return made_once(tmp_path_factory, "harness", lambda folder: build_fuzzer(folder, found, [*WATCH, "-O0"])) / PROGRAM


def test_what_was_found_once_is_not_found_again(program: Path) -> None:
    kept = sorted(KEPT.iterdir())
    assert kept
    done = replay(program, kept)
    assert (done.returncode, done.stderr.splitlines()) == (0, list(map(str, kept)))


def test_every_part_stands_its_first_inputs(program: Path, tmp_path: Path) -> None:
    inputs = first_inputs()
    assert {data[0] for data in inputs} == set(range(PARTS))
    paths = []
    for number, data in enumerate(inputs[::4]):
        paths.append(tmp_path / str(number))
        paths[-1].write_bytes(data)
    done = replay(program, paths)
    assert done.returncode == 0, done.stderr[-3000:]


def test_the_harness_calls_every_part() -> None:
    main = (HARNESS / "main.c").read_text()
    listed = main.partition("PARTS[])(input *) = {")[2].partition("}")[0]
    assert len(listed.split(",")) == PARTS


def test_a_fault_ends_the_program(program: Path, tmp_path: Path) -> None:
    command = [*require(compiler(), "gcc or clang"), *WATCH, "-o", str(tmp_path / "faulty"), str(tmp_path / "faulty.c")]
    (tmp_path / "faulty.c").write_text(
        "#include <stdlib.h>\nint main(int n, char **p) { char *m = malloc(n); return m[n + (p == 0)]; }\n"
    )
    subprocess.run(command, check=True)
    done = replay(tmp_path / "faulty", [])
    assert done.returncode != 0, shlex.join(command)
    assert "heap-buffer-overflow" in done.stderr
