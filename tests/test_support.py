import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import ROOT, cost_of, find_python

WANTING = """
import pytest
from tests.support import require

@pytest.fixture
def compiler():
    return require(None, "a C compiler")

def test_one():
    require(None, "CPython 2.0")

def test_two(compiler):
    pass

def test_three():
    assert require("gcc", "a C compiler") == "gcc"
"""
OF_X86_64 = """
from tests.support import platform, require_avx2

def test_one():
    platform.machine = lambda: "aarch64"
    require_avx2(False)
"""
SKIPPING = """
import pytest

def test_one():
    pytest.skip('in the test')

@pytest.mark.skip('by a mark')
def test_two():
    pass
"""


def run_pytest(folder: Path, source: str, *arguments: str, require_all: str = "") -> tuple[int, str]:
    (folder / "test_it.py").write_text(source)
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(
        [*command, "--rootdir", str(folder), "-c", os.devnull, str(folder)],
        cwd=ROOT,
        env={**os.environ, "DDZ_REQUIRE_ALL": require_all},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout


@pytest.mark.whole
@pytest.mark.parametrize("workers", ["0", "2"])
def test_what_was_not_tested_is_listed_and_counted(tmp_path: Path, workers: str) -> None:
    status, output = run_pytest(tmp_path, WANTING, "-n", workers)
    assert status == 0, output
    assert "NOT TESTED: CPython 2.0 (1)\n    test_it.py::test_one\n" in output
    assert "NOT TESTED: a C compiler (1)\n    test_it.py::test_two\n" in output
    assert "NOT TESTED, in all: 2\n" in output
    assert "1 passed, 2 not tested" in output


@pytest.mark.whole
def test_what_was_not_tested_fails_when_all_is_required_but_what_another_processor_has_is_not_missing(
    tmp_path: Path,
) -> None:
    (tmp_path / "test_other.py").write_text(OF_X86_64)
    status, output = run_pytest(tmp_path, WANTING, "-rs", require_all="1")
    assert status == 1
    assert "NOT TESTED: CPython 2.0, and DDZ_REQUIRE_ALL=1 asks for it" in output
    assert "1 failed, 1 passed, 1 skipped, 1 error" in output and "OF OTHER PROCESSORS: AVX2" in output


@pytest.mark.whole
def test_skipping_without_require_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "test_file.py").write_text("import pytest\n\npytest.skip('of a file', allow_module_level=True)\n")
    status, output = run_pytest(tmp_path, SKIPPING, "--continue-on-collection-errors")
    assert status == 1
    for reason in ("in the test", "by a mark", "of a file"):
        assert f"skipped ({reason}): only tests.support.require may leave a test out" in output


FILES = {
    "test_large.py": "import no_such_package\nimport pytest\n\npytestmark = pytest.mark.whole\n",
    "test_listed.py": "import no_such_package\nimport pytest\n\npytestmark = [\n    pytest.mark.whole,\n]\n",
}
SOME_WHOLE = """
import pytest

def test_every_day():
    pass

@pytest.mark.whole
def test_now_and_then():
    pass
"""


@pytest.mark.whole
def test_a_file_that_is_whole_is_not_even_imported_for_the_first_part(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    status, output = run_pytest(tmp_path, SOME_WHOLE, "-m", "not whole")
    assert status == 0 and "1 passed, 1 deselected" in output
    status, output = run_pytest(tmp_path, SOME_WHOLE, "-m", "whole")
    assert status == 2 and "2 errors" in output


@pytest.mark.parametrize(("seconds", "above"), [(9, ""), (99999, "ABOVE ")])
def test_a_run_says_what_it_took_and_aloud_if_that_is_above_the_budget(seconds: float, above: str) -> None:
    sentence, aloud = cost_of(seconds, of_make_test=True)
    assert aloud == bool(above)
    assert re.fullmatch(rf"{seconds} CPU seconds, {above}the budget of make test is [1-9]\d\d", sentence)


def test_the_budget_is_that_of_make_test_alone() -> None:
    assert cost_of(99999, of_make_test=False) == ("99999 CPU seconds", False)


def fake_python(path: Path, *, prints: str, status: int = 0) -> str:
    path.write_text(f"#!/bin/sh\necho {prints}\nexit {status}\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A machine on which no Python is found but those that the test puts into this folder."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("DDZ_PYTHONS", raising=False)
    find_python.cache_clear()
    yield tmp_path
    # Later tests look on the real machine again.
    find_python.cache_clear()


def test_a_named_python_is_found_whatever_its_file_is_called(only: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other, wanted = fake_python(only / "a", prints="cpython3.7"), fake_python(only / "b", prints="cpython3.6")
    monkeypatch.setenv("DDZ_PYTHONS", f"{other}:{only / 'missing'}:{wanted}")
    assert find_python("3.6") == wanted


def test_a_python_on_the_path_is_found(only: Path) -> None:
    wanted = fake_python(only / "python3.6", prints="cpython3.6")
    assert find_python("3.6") == wanted


def test_a_python_of_pyenv_is_found(only: Path) -> None:
    folder = only / ".pyenv" / "versions" / "3.6.15" / "bin"
    folder.mkdir(parents=True)
    wanted = fake_python(folder / "python", prints="cpython3.6")
    assert find_python("3.6") == wanted


@pytest.mark.parametrize(("prints", "status"), [("cpython3.6", 1), ("cpython3.7", 0), ("pypy3.6", 0)])
def test_a_program_that_is_not_that_python_is_passed_over(only: Path, prints: str, status: int) -> None:
    fake_python(only / "python3.6", prints=prints, status=status)
    assert find_python("3.6") is None
