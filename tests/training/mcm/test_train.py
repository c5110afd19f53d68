"""The commands: a network is trained and scored beside the baselines."""

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ddzbot.kernel.binding import Kernel
from tests.training.mcm.some_records import TinyNetwork, write_games
from tools.training.checkpoints import read_checkpoint
from tools.training.command import main
from tools.training.mcm import command, learner
from tools.training.mcm.dataset import load_samples
from tools.training.mcm.scores import by_mean, loss

pytestmark = pytest.mark.whole

OPTIONS = ["--threads", "1", "--batch", "32", "--log-every", "5", "--quiet", "--epochs", "2"]


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (learner, command):
        monkeypatch.setattr(module, "McmModel", TinyNetwork)


def test_a_network_is_trained_and_scored_beside_the_baselines(kernel: Kernel, tmp_path: Path) -> None:
    shards = write_games(tmp_path / "shards", kernel, 24)
    output, file = tmp_path / "out", tmp_path / "scores.json"
    words = ["learn", "mcm", str(output), str(shards), *OPTIONS, "--first", "500"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    rows = list(csv.DictReader((output / "log.csv").read_text().splitlines()))
    assert [row["epoch"] for row in rows if row["test_loss"]] == ["1.0000", "2.0000"]
    assert rows[-1]["records"] == "1000"
    assert read_checkpoint(output / "checkpoint.pt")["records"] == 500
    done = CliRunner().invoke(main, ["score", "mcm", str(output), str(shards), "--threads", "1", "--out", str(file)])
    assert done.exit_code == 0, done.output
    scores, records = json.loads(file.read_text())["sides"], load_samples([shards])
    assert scores["all"]["loss"]["network"] == pytest.approx(float(rows[-1]["test_loss"]), rel=1e-4)
    assert scores["all"]["loss"]["mean"] == pytest.approx(loss(by_mean(records, records.test), records, records.test))
    assert scores["landlord"]["records"] + scores["peasants"]["records"] == scores["all"]["records"]
    other = CliRunner().invoke(main, [*words, "--rate", "0.5"])
    assert other.exit_code == 1 and "was begun with rate 0.001, not 0.5: give the same" in other.output


def test_shards_without_a_test_game_cannot_be_scored(kernel: Kernel, tmp_path: Path) -> None:
    shards, output = write_games(tmp_path / "shards", kernel, 4), tmp_path / "out"
    assert CliRunner().invoke(main, ["learn", "mcm", str(output), str(shards), *OPTIONS]).exit_code == 0
    done = CliRunner().invoke(main, ["score", "mcm", str(output), str(shards)])
    assert done.exit_code == 2
    assert "too few games for a test" in " ".join(done.output.split())
