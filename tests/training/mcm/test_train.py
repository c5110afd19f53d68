"""The commands: a training that is killed and started again ends as one that was not, and is scored."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from ddzbot.kernel.binding import Kernel
from tests.support import ROOT, started
from tests.training.mcm.some_records import TinyNetwork, write_games
from tools.training.mcm import evaluate, train
from tools.training.mcm.dataset import load_records
from tools.training.mcm.learning import FORMAT
from tools.training.mcm.scores import by_mean, loss
from tools.training.shared.checkpoints import read_state

OPTIONS = ["--threads", "1", "--batch", "32", "--log-every", "5", "--quiet"]


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (train, evaluate):
        monkeypatch.setattr(module, "McmModel", TinyNetwork)


def weights_in(output: Path) -> list[object]:
    return [tensor.tolist() for tensor in read_state(output / "model.pt", FORMAT)["model"].values()]


@pytest.mark.usefixtures("tiny")
def test_a_training_leaves_model_log_and_figure(kernel: Kernel, tmp_path: Path) -> None:
    shards = write_games(tmp_path / "shards", kernel, 12)
    output = tmp_path / "out"
    result = CliRunner().invoke(train.main, [str(output), str(shards), *OPTIONS, "--epochs", "2", "--records", "500"])
    assert result.exit_code == 0, result.output
    rows = list(csv.DictReader((output / "loss.csv").read_text().splitlines()))
    assert [row["epoch"] for row in rows if row["test_loss"]] == ["1.0000", "2.0000"]
    assert rows[-1]["records"] == "1000"
    assert (output / "loss.png").read_bytes().startswith(b"\x89PNG")
    assert read_state(output / "model.pt", FORMAT)["about"]["records"] == 500
    assert not list(output.glob("*.part"))


@pytest.mark.usefixtures("tiny")
def test_a_network_is_scored_beside_the_baselines(kernel: Kernel, tmp_path: Path) -> None:
    shards = write_games(tmp_path / "shards", kernel, 24)
    output, file = tmp_path / "out", tmp_path / "scores.json"
    CliRunner().invoke(train.main, [str(output), str(shards), *OPTIONS, "--epochs", "1"])
    result = CliRunner().invoke(evaluate.main, [str(output), str(shards), "--threads", "1", "--json", str(file)])
    assert result.exit_code == 0, result.output
    scores, records = json.loads(file.read_text())["sides"], load_records([shards])
    last = read_state(output / "checkpoint.pt", FORMAT)["rows"][-1][5]
    assert scores["all"]["loss"]["network"] == pytest.approx(last, rel=1e-4)
    assert scores["all"]["loss"]["mean"] == pytest.approx(loss(by_mean(records, records.test), records, records.test))
    assert scores["landlord"]["records"] + scores["peasants"]["records"] == scores["all"]["records"]


@pytest.mark.usefixtures("tiny")
def test_shards_without_a_test_game_cannot_be_scored(kernel: Kernel, tmp_path: Path) -> None:
    shards = write_games(tmp_path / "shards", kernel, 4)
    output = tmp_path / "out"
    CliRunner().invoke(train.main, [str(output), str(shards), *OPTIONS, "--epochs", "1"])
    result = CliRunner().invoke(evaluate.main, [str(output), str(shards)])
    assert result.exit_code == 2
    assert "too few games for a test" in " ".join(result.output.split())


def interrupted(command: list[str], checkpoint: Path, number: signal.Signals) -> int:
    """Starts a training, sends it a signal once it has written a new checkpoint, and gets its exit status."""
    before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
    with started(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while not checkpoint.exists() or checkpoint.stat().st_mtime_ns == before:
            assert process.poll() is None
            time.sleep(0.01)
        os.kill(process.pid, number)
        return process.wait(60)


def test_a_stopped_training_goes_on_where_it_was(kernel: Kernel, tmp_path: Path) -> None:
    shards = write_games(tmp_path / "shards", kernel, 8)
    output, options = tmp_path / "killed", [str(shards), *OPTIONS, "--epochs", "2"]
    command = [sys.executable, "-m", "tools.training.mcm.train", str(output), *options, "--save-every", "0.1"]
    checkpoint = output / "checkpoint.pt"
    assert interrupted(command, checkpoint, signal.SIGTERM) == 130
    assert interrupted(command, checkpoint, signal.SIGKILL) == -signal.SIGKILL
    assert not (output / "model.pt").exists()
    for folder in (output, tmp_path / "whole"):
        assert CliRunner().invoke(train.main, [str(folder), *options]).exit_code == 0
    assert weights_in(output) == weights_in(tmp_path / "whole")
