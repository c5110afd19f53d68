"""Shards are the same from every worker, and an interrupt loses none that is whole."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner, Result

from tests.support import ROOT, started
from tools.training.command import main

pytestmark = [pytest.mark.whole, pytest.mark.usefixtures("with_kernel")]
QUICK = ["--rules", "mini", "--simulations", "60", "--visits", "5", "--shard", "4", "--quiet"]


def run(folder: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["make", "mcm", str(folder), *QUICK, *options])


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_two_processes_make_the_same_files_as_one(tmp_path: Path) -> None:
    one, two = run(tmp_path / "1", "--count", "16", "--jobs", "1"), run(tmp_path / "2", "--count", "16", "--jobs", "2")
    assert one.exit_code == two.exit_code == 0, two.output
    assert len(files_of(tmp_path / "1")) == 4
    assert files_of(tmp_path / "1") == files_of(tmp_path / "2")


def test_only_missing_shards_are_made(tmp_path: Path) -> None:
    run(tmp_path, "--count", "8", "--jobs", "1")
    before = files_of(tmp_path)
    lost, kept = sorted(tmp_path.iterdir())
    lost.unlink()
    (tmp_path / "games-0000000-0000003.npz.1.part").touch()
    stamp = kept.stat().st_mtime_ns
    result = run(tmp_path, "--count", "7", "--jobs", "1")
    assert result.exit_code == 0, result.output
    assert files_of(tmp_path) == before
    assert kept.stat().st_mtime_ns == stamp


def test_a_folder_of_other_games_is_refused_and_kept(tmp_path: Path) -> None:
    run(tmp_path, "--count", "4", "--jobs", "1")
    before = files_of(tmp_path)
    result = run(tmp_path, "--count", "8", "--jobs", "1", "--seed", "2")
    assert result.exit_code == 2
    assert "is of other games: seed is 1 there and 2 here" in " ".join(result.output.split())
    assert files_of(tmp_path) == before


def test_self_play_without_a_kernel_is_refused(tmp_path: Path, without_kernel: None) -> None:
    result = run(tmp_path, "--count", "4")
    assert result.exit_code == 2
    assert "self-play needs the kernel" in " ".join(result.output.split())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_stopped_run_resumes_where_it_was(number: signal.Signals, tmp_path: Path) -> None:
    folder, command = tmp_path / "killed", [sys.executable, "-m", "tools", "train", "make", "mcm"]
    with started(
        [*command, str(folder), *QUICK, "--count", "100000", "--jobs", "2"],
        cwd=ROOT,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        while not (folder / "games-0000000-0000003.npz").exists():
            assert process.poll() is None
            time.sleep(0.02)
        workers = psutil.Process(process.pid).children(recursive=True)
        if number == signal.SIGKILL:
            process.kill()
        else:
            os.killpg(process.pid, number)
        assert process.wait(60) == (-number if number == signal.SIGKILL else 130)
        # A killed process cannot end its workers; they must see it by themselves.
        assert workers and not psutil.wait_procs(workers, timeout=20)[1]
    assert run(folder, "--count", "12", "--jobs", "1").exit_code == 0
    run(tmp_path / "whole", "--count", "12", "--jobs", "1")
    expected = files_of(tmp_path / "whole")
    assert len(expected) == 3
    assert {name: data for name, data in files_of(folder).items() if name in expected} == expected
    assert not list(folder.glob("*.part"))
