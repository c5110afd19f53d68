"""The trainings of DeepRocket: interrupted they end with the same bits, they learn, are scored, packed and crowned."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.fast_net import FastNet
from ddzbot.net.packed import read
from ddzbot.net.reigning import reigning
from ddzbot.net.rocket_bidder import Bidder
from ddzbot.net.rocket_cnn import RocketNetworks
from ddzbot.rules import BOTZONE2, RULE_SETS
from tests.net.fast_models import random_seats
from tests.training.rocket.some_games import TINY
from tools.training.auction.deals import DEALT_TYPE, UNIT_DEALS, play_deals
from tools.training.rocket import bidder, evaluate, export, models, train
from tools.training.rocket.bidder import Hands, learned, scores_of, split
from tools.training.rocket.dataset import Questions, load_records
from tools.training.rocket.evaluate import accuracy_of
from tools.training.rocket.learning import FORMAT, Training, among_legal
from tools.training.shared.checkpoints import read_state, save_in_one_step, weights_hash, weights_of
from tools.training.shared.learning import Settings, begin

OPTIONS = ["--network", "kicker", "--threads", "1", "--batch", "16", "--log-every", "5", "--quiet"]
SETTINGS = Settings(epochs=2, batch=16, rate=1e-2, seed=3)


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (train, evaluate):
        monkeypatch.setattr(module, "NETWORKS", {**models.NETWORKS, **TINY})


@pytest.fixture
def questions(shards: Path) -> Questions:
    return load_records([shards]).kicker


def training_of(questions: Questions, settings: Settings = SETTINGS) -> Training:
    begin(settings)
    return Training(TINY["kicker"](), questions, settings)


def run_until(training: Training, step: int) -> bool:
    return training.run(3, stopped=lambda: training.step >= step)


def test_an_interrupted_training_ends_with_the_same_bits(questions: Questions, tmp_path: Path) -> None:
    whole = training_of(questions)
    assert whole.run(3)
    broken = training_of(questions)
    for step in (2, whole.epoch_steps + 1):
        assert not run_until(broken, step)
        broken.save(tmp_path / "checkpoint")
        broken = training_of(questions)
        broken.resume(tmp_path / "checkpoint")
    assert broken.run(3)
    assert weights_hash(broken.model) == weights_hash(whole.model)
    assert [row[:6] for row in broken.rows] == [row[:6] for row in whole.rows]


def test_learning_lowers_the_loss(questions: Questions) -> None:
    training = training_of(questions, SETTINGS._replace(epochs=12))
    training.run(10**6)
    assert training.rows[-1].train_loss < 0.7 * training.rows[0].train_loss


def test_the_loss_is_that_of_the_softmax_over_what_was_legal(questions: Questions) -> None:
    training = training_of(questions)
    found = torch.tensor([[9.0, 1.0, 2.0, 0.0]])
    targets = torch.tensor([[0, 2, 1, 0]], dtype=torch.uint8)
    assert training.loss(found, targets).item() == pytest.approx(np.log(1 + np.e))
    assert among_legal(found, targets)[0].argmax() == 2


def test_accuracy_counts_only_what_was_legal() -> None:
    logits = np.array([[5.0, 1.0, 0.0], [5.0, 1.0, 2.0]])
    allowed = np.array([[0, 1, 1], [1, 1, 1]])
    found = accuracy_of(logits, allowed, np.array([1, 2]))
    assert (found.records, found.accuracy, found.first_three) == (2, 0.5, 1.0)
    assert found.by_chance == pytest.approx((1 / 2 + 1 / 3) / 2)
    expected = [np.log(1 + np.exp(-1)), np.log(np.exp(3) + np.exp(-1) + 1)]
    assert found.loss == pytest.approx(np.mean(expected))


@pytest.mark.usefixtures("tiny")
def test_the_command_leaves_model_log_and_figure(shards: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(train.main, [str(tmp_path), str(shards), *OPTIONS, "--records", "32", "--epochs", "2"])
    assert result.exit_code == 0, result.output
    folder = tmp_path / "kicker"
    rows = list(csv.DictReader((folder / "loss.csv").read_text().splitlines()))
    assert [row["epoch"] for row in rows if row["test_loss"]] == ["1.0000", "2.0000"]
    assert (folder / "loss.png").read_bytes().startswith(b"\x89PNG")
    assert read_state(folder / "model.pt", FORMAT)["about"]["records"] == 32


def some_hands(count: int) -> Hands:
    """Hands that win if they have their first feature."""
    chance = torch.Generator().manual_seed(1)
    inputs = (torch.rand(count, 73, generator=chance) < 0.3).to(torch.uint8)
    return Hands(inputs, inputs[:, 0].float())


def test_the_bidder_learns_who_wins() -> None:
    training, test = split(some_hands(3000))
    assert (len(training.won), len(test.won)) == (2700, 300)
    first, again, other = (learned(training, 2, 64, 1e-2, seed) for seed in (1, 1, 2))
    scores = scores_of(first, test)
    assert scores.accuracy > 0.95 > scores.by_majority
    assert weights_hash(first) == weights_hash(again) != weights_hash(other)


def write_deals(folder: Path, kernel: Kernel) -> Path:
    """A folder of deals as tools.training.auction.generate leaves it, of random games."""
    folder.mkdir()
    (folder / "deals.json").write_text(json.dumps({"rules": "botzone2", "seed": 1, "weights": "", "unit": UNIT_DEALS}))
    deals = play_deals(FastNet(kernel, random_seats()), BOTZONE2, 60, 1)
    assert deals.dtype == DEALT_TYPE
    (folder / "unit-000000.bin").write_bytes(deals.tobytes())
    return folder


def test_trained_networks_are_scored_packed_and_crowned(
    kernel: Kernel, shards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output, folder, scores = tmp_path / "out", tmp_path / "weights", tmp_path / "scores.json"
    heads = load_records([shards]).policy.heads
    for network in ("policy", "kicker"):
        (output / network).mkdir(parents=True)
        about = {"format": FORMAT, "records": 5, "data": "d", "games": list(heads), "epochs": 1}
        model = models.NETWORKS[network]()
        save_in_one_step(output / network / "model.pt", {"about": about, "model": weights_of(model)})
    deals = write_deals(tmp_path / "deals", kernel)
    arguments = [str(output), str(deals), "--epochs", "1"]
    assert CliRunner().invoke(bidder.main, arguments).exit_code == 0
    command = [str(output), str(shards), "--most", "8", "--json", str(scores)]
    result = CliRunner().invoke(evaluate.main, command)
    assert result.exit_code == 0, result.output
    told = json.loads(scores.read_text())
    assert told["policy"]["accuracy"] <= told["policy"]["accuracy_of_all"] <= 1
    assert (told["policy"]["records"], told["bidder"]["hands"]) == (8, 18)
    monkeypatch.setenv("DDZ_WEIGHTS", str(folder))
    result = CliRunner().invoke(export.main, [str(output), "--scores", str(scores), "--folder", str(folder), "--crown"])
    assert result.exit_code == 0, result.output
    (player,), (yesno,) = folder.glob("rocket-*.ddzw"), folder.glob("yesno-*.ddzw")
    packed = read(str(player), known=["rocket-1"])
    assert packed.rules == "mini" and packed.description["results"]["scores"]["policy"] == told["policy"]
    assert RocketNetworks(packed) and Bidder(read(str(yesno), known=["yesno-1"]))
    for rules in RULE_SETS.values():
        assert reigning("rocket-1", rules.name, str(folder)).network is not None
        assert (reigning("yesno-1", rules.name, str(folder)).network is not None) == rules.bidding
