"""The trainings of DeepRocket: they learn what they should, are scored, packed and promoted."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from ddzbot.kernel.binding import Kernel
from ddzbot.net.current import current_network
from ddzbot.net.packed import read
from ddzbot.net.rocket_bidder import Bidder
from ddzbot.net.rocket_cnn import RocketNetworks
from ddzbot.rules import RULE_SETS
from tests.training.rocket.some_games import TINY
from tests.training.some_shards import write_shard
from tools.training.auction.deals import Plan, play_unit
from tools.training.checkpoints import weights_hash
from tools.training.command import main
from tools.training.learning import Settings
from tools.training.making import Work
from tools.training.rocket import models
from tools.training.rocket.dataset import load_samples
from tools.training.rocket.hands import Hands
from tools.training.rocket.learner import RocketLearner, among_legal
from tools.training.rocket.scores import accuracy_of, answers_of

pytestmark = pytest.mark.whole

HOW = Settings(epochs=12, batch=16, rate=1e-2, seed=3)


def learned(learner: RocketLearner) -> list[dict[str, float]]:
    rows = []
    while learner.done < learner.batches:
        rows.append(learner.round())
    learner.close()
    return [row for row in rows if row]


def test_learning_lowers_the_loss(shards: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(models.NETWORKS, "kicker", TINY["kicker"])
    rows = learned(RocketLearner("kicker", load_samples([shards]).kicker, HOW))
    assert rows[-1]["train_loss"] < 0.7 * rows[0]["train_loss"]


def test_the_loss_is_that_of_the_softmax_over_what_was_legal(shards: Path) -> None:
    learner = RocketLearner("kicker", load_samples([shards]).kicker, HOW)
    found = torch.tensor([[9.0, 1.0, 2.0, 0.0]])
    targets = torch.tensor([[0, 2, 1, 0]], dtype=torch.uint8)
    assert learner.loss(found, targets).item() == pytest.approx(np.log(1 + np.e))
    assert among_legal(found, targets)[0].argmax() == 2


def test_accuracy_counts_only_what_was_legal() -> None:
    logits = np.array([[5.0, 1.0, 0.0], [5.0, 1.0, 2.0]])
    allowed = np.array([[0, 1, 1], [1, 1, 1]])
    found = accuracy_of(logits, allowed, np.array([1, 2]))
    assert (found.records, found.accuracy, found.first_three) == (2, 0.5, 1.0)
    assert found.by_chance == pytest.approx((1 / 2 + 1 / 3) / 2)
    expected = [np.log(1 + np.exp(-1)), np.log(np.exp(3) + np.exp(-1) + 1)]
    assert found.loss == pytest.approx(np.mean(expected))


def test_the_bidder_learns_the_winner() -> None:
    """Hands win here if they have their first feature."""
    inputs = (np.random.default_rng(1).random((3000, 73)) < 0.3).astype(np.uint8)
    hands = Hands(inputs, inputs[:, 0].astype(np.float32), [])
    assert (len(hands.training), len(hands.test)) == (2700, 300)
    found = [RocketLearner("bidder", hands, Settings(2, 64, 1e-2, seed)) for seed in (1, 1, 2)]
    for learner in found:
        learned(learner)
    scores = answers_of(found[0].model, hands, 100)
    assert scores.accuracy > 0.95 > scores.by_majority
    first, again, other = (weights_hash(learner.model) for learner in found)
    assert first == again != other


def test_trained_networks_are_scored_packed_and_promoted(
    kernel: Kernel, shards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output, folder, scores, deals = (tmp_path / name for name in ("out", "weights", "scores.json", "deals"))
    monkeypatch.setattr("tools.training.kernel.native", lambda: kernel)
    write_shard(deals, Work(Plan(games=60), play_unit), 0)
    for network, source in (("policy", shards), ("kicker", shards), ("bidder", deals)):
        few = ["--first", "8", "--test", "8", "--epochs", "1", "--threads", "1", "--quiet"]
        words = ["learn", "rocket", str(output), str(source), "--network", network, *few]
        done = CliRunner().invoke(main, words)
        assert done.exit_code == 0, done.output
        assert (output / network / "log.csv").exists()
    words = [
        "score",
        "rocket",
        str(output),
        str(shards),
        "--auction-deals",
        str(deals),
        "--first",
        "8",
        "--out",
        str(scores),
    ]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    measured = json.loads(scores.read_text())
    for network in ("policy", "kicker"):
        assert measured[network]["accuracy"] <= measured[network]["accuracy_of_all"] <= 1
    assert (measured["policy"]["records"], measured["bidder"]["hands"]) == (8, 18)
    monkeypatch.setenv("DDZ_WEIGHTS", str(folder))
    words = ["pack", str(output), "--scores", str(scores), "--folder", str(folder), "--promote"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    (player,), (yesno,) = folder.glob("rocket-*.ddzw"), folder.glob("yesno-*.ddzw")
    packed = read(str(player), known=["rocket-2"])
    assert "seconds" not in packed.description["results"]["settings"]["policy"]  # or no file comes a second time
    assert packed.rules == "mini" and packed.description["results"]["scores"]["policy"] == measured["policy"]
    assert RocketNetworks(packed) and Bidder(read(str(yesno), known=["yesno-1"]))
    for rules in RULE_SETS.values():
        assert current_network("rocket-2", rules.name, str(folder)).network is not None
        assert (current_network("yesno-1", rules.name, str(folder)).network is not None) == rules.bidding
    (output / "kicker" / "checkpoint.pt").unlink()
    done = CliRunner().invoke(main, ["pack", str(output), "--folder", str(tmp_path / "none")])
    assert (done.exit_code, "there is no training of the kicker network" in done.output) == (1, True)
