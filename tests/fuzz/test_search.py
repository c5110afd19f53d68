"""Both ways of looking find a fault that was planted, and the command says what it left out."""

import itertools
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from tests.fuzz import __main__ as command
from tests.fuzz import search
from tests.fuzz.targets import Target

pytestmark = pytest.mark.whole


def planted(data: bytes) -> None:
    """Fails for a digit behind a zero byte, which only a change finds that another one has prepared."""
    if b"\x00" in data:
        tail = data.partition(b"\x00")[2]
        if tail[:1].isdigit():
            raise ZeroDivisionError("planted")


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at the clock takes five milliseconds, however fast the machine is."""
    looks = itertools.count()
    monkeypatch.setattr(search, "time", SimpleNamespace(monotonic=lambda: next(looks) / 200))


TARGET = Target("planted", lambda: [b"a 1 b 2", b"0 0"], planted, ("tests/fuzz/test_search.py",))


@pytest.mark.parametrize("share", [0.0, 1.0], ids=["by coverage", "by hypothesis"])
def test_a_planted_fault_is_found_and_kept(share: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = "_by_hypothesis" if share == 0.0 else "_by_coverage"
    monkeypatch.setattr(search, other, lambda *arguments: set())
    run = search.fuzz_target(TARGET, 8.0 if share == 0.0 else 24.0, 3, tmp_path)
    (found,) = run.found
    with pytest.raises(ZeroDivisionError):
        planted(found.read_bytes())
    assert found.with_suffix(".txt").read_text().startswith("ZeroDivisionError at ")
    assert run.executions > 1


def test_input_that_reaches_new_lines_joins_the_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_by_hypothesis", lambda *arguments: None)
    run = search.fuzz_target(TARGET, 2.0, 1, tmp_path)
    kept = [path.read_bytes() for path in (tmp_path / "corpus" / "planted").iterdir()]
    assert run.lines >= 3
    assert any(b"\x00" in data for data in kept)


def test_the_command_says_what_it_did_and_that_there_is_no_clang(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "find_clang", lambda: None)
    monkeypatch.setattr(command, "TARGETS", {"planted": TARGET._replace(check=len)})
    done = CliRunner().invoke(command.main, ["--minutes", "0.01", "--folder", str(tmp_path)])
    assert done.exit_code == 0
    assert "the kernel in C is NOT fuzzed" in done.output
    assert "planted" in done.output


def test_the_command_ends_with_1_if_something_was_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(data: bytes) -> None:
        raise ZeroDivisionError("always")

    monkeypatch.setattr(command, "find_clang", lambda: None)
    monkeypatch.setattr(command, "TARGETS", {"planted": TARGET._replace(check=fail)})
    done = CliRunner().invoke(command.main, ["--minutes", "0.01", "--folder", str(tmp_path)])
    assert done.exit_code == 1
    assert f"found: {tmp_path}" in done.output
