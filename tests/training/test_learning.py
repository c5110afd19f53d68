"""A training that was interrupted ends with the same weights, and learns from what it should alone."""

import math
from pathlib import Path

import numpy as np
import pytest
import torch

from ddzbot.kernel.binding import Kernel
from tests.training.mcm.some_records import TinyNetwork, some_records
from tools.training.checkpoints import weights_hash
from tools.training.learning import Settings, learning_rate
from tools.training.loop import Training
from tools.training.mcm import learner as mcm
from tools.training.mcm.dataset import McmSamples
from tools.training.mcm.learner import McmLearner, values

pytestmark = pytest.mark.whole

HOW = Settings(epochs=2, batch=64, rate=1e-2, seed=3)


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcm, "McmModel", TinyNetwork)


@pytest.fixture(scope="module")
def records(kernel: Kernel, tmp_path_factory: pytest.TempPathFactory) -> McmSamples:
    """The records of 12 games; the 11th of them is in the test."""
    return some_records(tmp_path_factory.mktemp("shards"), kernel, games=12)


def training_of(folder: Path, records: McmSamples, how: Settings = HOW) -> Training:
    return Training(folder, McmLearner(records, how, 5))


def learned(records: McmSamples, how: Settings = HOW) -> McmLearner:
    learner = McmLearner(records, how, 5)
    while learner.done < learner.batches:
        learner.round()
    learner.close()
    return learner


def test_an_interrupted_training_ends_with_the_same_weights_and_log(records: McmSamples, tmp_path: Path) -> None:
    whole, broken = training_of(tmp_path / "whole", records), training_of(tmp_path / "broken", records)
    learner = whole.learner
    assert isinstance(learner, McmLearner)
    while learner.done < learner.batches:
        whole.round()
    # In an epoch, before its test, in it, and in the next epoch.
    for stop in (3, learner.epoch_steps, learner.epoch_steps + 2, learner.epoch_steps + 7, learner.batches):
        while broken.learner.done < stop:
            broken.round()
        broken.learner.close()
        broken.save()
        broken = training_of(tmp_path / "broken", records)
        assert broken.learner.done == stop
    assert isinstance(broken.learner, McmLearner)
    assert weights_hash(broken.learner.model) == weights_hash(learner.model)
    assert [{**row, "seconds": 0} for row in broken.rows] == [{**row, "seconds": 0} for row in whole.rows]
    learner.close()


def test_a_seed_fixes_the_weights(records: McmSamples) -> None:
    found = [weights_hash(learned(records, HOW._replace(epochs=1, seed=seed)).model) for seed in (3, 3, 4)]
    assert found[0] == found[1] != found[2]


def test_each_epoch_has_each_training_record_once_and_then_the_test(records: McmSamples) -> None:
    learner = McmLearner(records, HOW, 5)
    batches = list(learner._numbers())
    assert len(batches) == learner.batches
    half = learner.batches // 2
    for epoch in (batches[:half], batches[half:]):
        steps = learner.epoch_steps
        assert sorted(np.concatenate(epoch[:steps])) == sorted(records.training)
        assert np.concatenate(epoch[steps:]).tolist() == records.test.tolist()
    assert batches[0].tolist() != batches[half].tolist()


@pytest.mark.parametrize("bfloat16", [False, True])
def test_it_learns_and_the_log_has_the_test_loss_at_the_end_of_each_epoch(
    records: McmSamples, bfloat16: bool, tmp_path: Path
) -> None:
    training = training_of(tmp_path, records, HOW._replace(bfloat16=bfloat16, epochs=4))
    learner = training.learner
    assert isinstance(learner, McmLearner)
    while learner.done < learner.batches:
        training.round()
    tested = [row for row in training.rows if row["test_loss"] is not None]
    assert [row["epoch"] for row in tested] == ["1.0000", "2.0000", "3.0000", "4.0000"]
    found = values(learner.model, records, records.test, 7, torch.device("cpu"))
    assert tested[-1]["test_loss"] == pytest.approx(np.abs(found - records.payoff[records.test]).mean(), rel=1e-4)
    assert tested[-1]["records"] == 4 * len(records.training)
    assert training.rows[-1]["train_loss"] < 0.9 * training.rows[0]["train_loss"]


def test_predictions_do_not_depend_on_the_batch(records: McmSamples) -> None:
    model = McmLearner(records, HOW).model
    one, many = (values(model, records, records.test, size, torch.device("cpu")) for size in (1, 1000))
    np.testing.assert_allclose(one, many, rtol=1e-4, atol=1e-5)


def test_the_rate_rises_and_then_falls_to_a_hundredth() -> None:
    rates = [learning_rate(step, 1000, 0.5) for step in range(1000)]
    assert max(rates) == rates[20] == 0.5
    assert rates[:20] == sorted(rates[:20])
    assert rates[20:] == sorted(rates[20:], reverse=True)
    assert math.isclose(rates[-1], 0.005, rel_tol=0.01)


def test_a_training_without_records_is_refused(records: McmSamples) -> None:
    none = McmSamples(records.shard, np.ones(len(records.shard.seat), dtype=bool))
    with pytest.raises(ValueError, match=r"there is nothing to learn from: .* 0 for training"):
        McmLearner(none, HOW)
