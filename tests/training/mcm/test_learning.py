"""A training that was interrupted ends with the same weights, and learns from what it should alone."""

import math
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.training.mcm.some_records import TinyNetwork
from tools.training.mcm.dataset import Records
from tools.training.mcm.learning import Training, values
from tools.training.shared.checkpoints import weights_hash
from tools.training.shared.learning import Row, Settings, begin, learning_rate

SETTINGS = Settings(epochs=2, batch=64, rate=1e-2, seed=3)


@pytest.fixture
def records(few_records: Records) -> Records:
    return few_records


def training_of(records: Records, settings: Settings = SETTINGS) -> Training:
    begin(settings)
    return Training(TinyNetwork(), records, settings)


def without_times(rows: list[Row]) -> list[Row]:
    return [row._replace(seconds=0.0) for row in rows]


def run_until(training: Training, step: int) -> bool:
    return training.run(5, stopped=lambda: training.step >= step)


def test_an_interrupted_training_ends_with_the_same_weights_and_log(records: Records, tmp_path: Path) -> None:
    whole = training_of(records)
    assert whole.run(5)
    broken = training_of(records)
    for step in (3, whole.epoch_steps, whole.epoch_steps + 7):
        assert not run_until(broken, step)
        broken.save(tmp_path / "checkpoint")
        broken = training_of(records)
        broken.resume(tmp_path / "checkpoint")
        assert broken.step == step
    assert broken.run(5)
    assert weights_hash(broken.model) == weights_hash(whole.model)
    assert without_times(broken.rows) == without_times(whole.rows)


def test_a_seed_fixes_the_weights(records: Records) -> None:
    found = []
    for seed in (3, 3, 4):
        training = training_of(records, SETTINGS._replace(epochs=1, seed=seed))
        training.run(5)
        found.append(weights_hash(training.model))
    assert found[0] == found[1] != found[2]


def test_each_epoch_has_each_training_record_once(records: Records) -> None:
    training = training_of(records)
    batches = list(training._numbers())
    assert len(batches) == training.steps == 2 * training.epoch_steps
    epochs = [np.concatenate(batches[: training.epoch_steps]), np.concatenate(batches[training.epoch_steps :])]
    assert all(sorted(epoch) == sorted(records.training) for epoch in epochs)
    assert epochs[0].tolist() != epochs[1].tolist()


def test_learning_lowers_the_loss(records: Records) -> None:
    training = training_of(records, SETTINGS._replace(epochs=6))
    training.run(10**6)
    assert training.rows[-1].train_loss < 0.8 * training.rows[0].train_loss


@pytest.mark.parametrize("bfloat16", [False, True])
def test_the_log_has_the_test_loss_at_the_end_of_each_epoch(records: Records, bfloat16: bool) -> None:
    training = training_of(records, SETTINGS._replace(bfloat16=bfloat16))
    training.run(5)
    tested = [row for row in training.rows if row.test_loss is not None]
    assert [row.epoch for row in tested] == [1.0, 2.0]
    found = values(training.model, records, records.test, 7, torch.device("cpu"))
    assert tested[-1].test_loss == pytest.approx(np.abs(found - records.payoff[records.test]).mean(), rel=1e-5)
    assert tested[-1].records == 2 * len(records.training)


def test_predictions_do_not_depend_on_the_batch(records: Records) -> None:
    model = training_of(records).model
    one, many = (values(model, records, records.test, size, torch.device("cpu")) for size in (1, 1000))
    np.testing.assert_allclose(one, many, rtol=1e-4, atol=1e-5)


def test_the_rate_rises_and_then_falls_to_a_hundredth() -> None:
    rates = [learning_rate(step, 1000, 0.5) for step in range(1000)]
    assert max(rates) == rates[20] == 0.5
    assert rates[:20] == sorted(rates[:20])
    assert rates[20:] == sorted(rates[20:], reverse=True)
    assert math.isclose(rates[-1], 0.005, rel_tol=0.01)


def test_a_training_without_records_is_refused(records: Records) -> None:
    none = Records(records.shard, np.ones(len(records.shard.seat), dtype=bool))
    with pytest.raises(ValueError, match=r"there is nothing to learn from: .* 0 for training"):
        training_of(none)


def test_a_checkpoint_of_another_training_is_refused(records: Records, tmp_path: Path) -> None:
    training_of(records).save(tmp_path / "checkpoint")
    with pytest.raises(ValueError, match="is of another training: batch is 64 there and 32 here"):
        training_of(records, SETTINGS._replace(batch=32)).resume(tmp_path / "checkpoint")


@pytest.mark.parametrize("data", [b"", b"nonsense", b"PK\x03\x04"])
def test_a_damaged_checkpoint_is_refused_by_name(records: Records, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "checkpoint.pt").write_bytes(data)
    with pytest.raises(ValueError, match=r"checkpoint\.pt: it cannot be read"):
        training_of(records).resume(tmp_path / "checkpoint.pt")
