"""The small state of a training resumes where the training was, but for rounding."""

import gzip
import pickle
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner

from ddzbot.kernel.binding import Kernel
from ddzbot.rules import rule_set
from tools.shared.bounds import MOST_STATE
from tools.training.champion import learner, state
from tools.training.champion.learner import ChampionLearner, Schedule
from tools.training.loop import Training

pytestmark = pytest.mark.whole


@pytest.fixture
def trained(tmp_path: Path, kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> Training:
    """A training of two tiny rounds, saved."""
    monkeypatch.setattr(learner, "UNIT_GAMES", 8)
    monkeypatch.setattr(learner, "ROUND_UNITS", 2)
    monkeypatch.setattr(learner, "Schedule", partial(Schedule, batch=16))
    training = Training(tmp_path / "here", ChampionLearner(kernel, rule_set("mini"), 1))
    for _ in range(2):
        training.round()
    training.save()
    return training


def test_a_training_resumes_elsewhere(trained: Training, tmp_path: Path, kernel: Kernel) -> None:
    small, there = tmp_path / "state.pt.gz", tmp_path / "there"
    for arguments in (["pack", str(trained.folder), str(small)], ["unpack", str(small), str(there)]):
        done = CliRunner().invoke(state.state, arguments)
        assert done.exit_code == 0, done.output
    other = Training(there, ChampionLearner(kernel, rule_set("mini"), 1))
    assert other.learner.done == trained.learner.done == 32
    for one, two in _pairs(trained, other, "net"):
        torch.testing.assert_close(one, two, rtol=1e-3, atol=1e-6)
    for one, two in _pairs(trained, other, "averaged"):
        torch.testing.assert_close(one, two, rtol=1e-3, atol=1e-6)
    other.round()
    assert other.learner.done == 48


def _pairs(one: Training, other: Training, net: str) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    return zip(*(getattr(each.learner, net).parameters() for each in (one, other)), strict=True)


def test_squares_and_steps_are_kept_and_means_begin_anew(trained: Training) -> None:
    before = torch.load(trained.checkpoint, weights_only=True)
    after = state.expand(state.compact(before))
    pairs = zip(before["learner"]["optimizers"], after["learner"]["optimizers"], strict=True)
    for old, new in ((one["state"][0], two["state"][0]) for one, two in pairs):
        torch.testing.assert_close(old["exp_avg_sq"], new["exp_avg_sq"], rtol=1e-2, atol=0.0)
        assert old["step"] == new["step"] > 0
        assert not new["exp_avg"].any() and old["exp_avg"].any()


def test_a_training_is_not_overwritten(trained: Training, tmp_path: Path) -> None:
    small = tmp_path / "state.pt.gz"
    CliRunner().invoke(state.state, ["pack", str(trained.folder), str(small)])
    done = CliRunner().invoke(state.state, ["unpack", str(small), str(trained.folder)])
    assert done.exit_code == 1
    assert "has a training already; name another folder" in done.output


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no state",
        b"\x1f\x8b\x08\x00cut",
        gzip.compress(b"no pickle"),
        gzip.compress(pickle.dumps([])),
        gzip.compress(pickle.dumps({"games": "many"})),
        gzip.compress(pickle.dumps(print)),
        gzip.compress(b"\0" * (MOST_STATE + 1)),
        gzip.compress(b"cut")[:-9] + b"\0" * 9,
    ],
    ids=lambda content: repr(content[-12:]),
)
def test_what_is_no_state_gets_one_sentence(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "state.pt.gz"
    file.write_bytes(content)
    done = CliRunner().invoke(state.state, ["unpack", str(file), str(tmp_path / "there")])
    assert done.exit_code == 1
    assert f"{file}: this is not a state of a training" in done.output
    assert done.output.count("\n") == 1
    assert isinstance(done.exception, SystemExit)


@pytest.mark.parametrize("content", [b"", b"no pickle", pickle.dumps([]), pickle.dumps({"learner": {}})])
def test_what_is_no_training_gets_one_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "checkpoint.pt").write_bytes(content)
    done = CliRunner().invoke(state.state, ["pack", str(tmp_path), str(tmp_path / "state.pt.gz")])
    assert (done.exit_code, done.output.count("\n")) == (1, 1)
    assert f"{tmp_path}: this is not a training" in done.output


def test_a_state_that_is_too_large_is_refused(
    trained: Training, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "_MOST_BYTES", 1000)
    done = CliRunner().invoke(state.state, ["pack", str(trained.folder), str(tmp_path / "state.pt.gz")])
    assert done.exit_code == 1
    assert "are more than the 1,000 that are allowed" in done.output
    assert not (tmp_path / "state.pt.gz").exists()
