"""Rounds in shards: what a shard learns, what becomes of all of them, and a training that resumes."""

from pathlib import Path
from typing import Any

import pytest
import torch
from click.testing import CliRunner

from tests.training.champion.test_train import equal, rounds
from tests.training.champion.tiny import ROUND, SETTINGS, TINY
from tools.training.champion import learner, shards
from tools.training.champion.learner import ChampionLearner
from tools.training.champion.pack import packed_net, read_net
from tools.training.champion.shards import Sharded, learner_of, mean
from tools.training.command import main
from tools.training.loop import Training

pytestmark = pytest.mark.whole


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in TINY.items():
        monkeypatch.setattr(learner, name, value)
        monkeypatch.setattr(shards, name, value, raising=False)


def training(folder: Path, **other: Any) -> Any:
    return Training(folder, learner_of({**SETTINGS, **other}, 1, Sharded))


def test_a_round_is_the_mean_of_what_undivided_rounds_would_learn(tmp_path: Path) -> None:
    divided = rounds(1, training(tmp_path)).learner
    alone = [learner_of(SETTINGS, 1) for _ in range(3)]
    for shard, one in enumerate(alone):
        one.part(shard * ROUND)
    assert divided.done == 3 * ROUND
    for found in ("net", "averaged"):
        nets = zip(*(getattr(one, found).parameters() for one in alone), strict=True)
        for whole, parts in zip(getattr(divided, found).parameters(), nets, strict=True):
            assert torch.equal(whole, (parts[0] + parts[1] + parts[2]) / 3)
            assert not torch.equal(parts[0], parts[1])
    moments = [one.state()["optimizers"][0]["state"][0]["exp_avg_sq"] for one in (divided, *alone)]
    assert torch.equal(moments[0], (moments[1] + moments[2] + moments[3]) / 3)


def test_one_shard_is_an_undivided_round(tmp_path: Path) -> None:
    whole = Training(tmp_path, learner_of({**SETTINGS, "shards": 1}, 1, ChampionLearner))
    assert equal(rounds(2, training(tmp_path, shards=1)), rounds(2, whole))  # type: ignore[type-var]


def test_an_interrupted_training_ends_as_one_that_was_not(tmp_path: Path) -> None:
    league = {"rivals": ["quick"], "share": 1.0}
    rounds(1, training(tmp_path, **league)).save()
    resumed, whole = rounds(1, training(tmp_path, **league)), rounds(2, training(tmp_path / "whole", **league))
    assert equal(resumed, whole)
    assert 0 < whole.learner.league.beaten["quick"] < 0.5


def test_a_round_that_is_stopped_has_not_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped, fresh = (training(tmp_path) for _ in range(2))
    parts: list[int] = []
    whole = ChampionLearner.part

    def part(one: ChampionLearner, game: int) -> learner.Part:
        parts.append(game)
        return whole(one, game)

    monkeypatch.setattr(ChampionLearner, "part", part)
    stopped.learner.stopped = lambda: len(parts) == 2
    stopped.round()
    assert (stopped.learner.done, stopped.rows, parts) == (0, [], [0, ROUND])
    assert equal(stopped, fresh)


def test_numbers_that_are_the_same_in_all_remain_so() -> None:
    assert mean([{"lr": 0.1, "betas": [0.9, 0.999], "name": "Adam"}] * 3)["lr"] == 0.1
    assert mean([{"beaten": 0.25}, {"beaten": 0.75}]) == {"beaten": 0.5}


def test_the_rate_is_higher_by_the_square_root_of_the_shards(tmp_path: Path) -> None:
    assert [learner_of({**SETTINGS, "shards": shards}, 1).rate for shards in (1, 4, 16)] == [0.001, 0.002, 0.004]
    one, three = (rounds(3, training(tmp_path, shards=shards)).rows[-1] for shards in (1, 3))
    assert one["rate"] == three["rate"] < "0.001"


def test_the_command_says_in_a_packed_network_how_many_shards_there_were(tmp_path: Path) -> None:
    words = ["learn", "champion", str(tmp_path), "--rules", "mini", "--count", "1", "--sets", "0", "--quiet"]
    done = CliRunner().invoke(main, [*words, "--shards", "2"])
    assert done.exit_code == 0, done.output
    assert " --shards 2" in packed_net(*read_net(tmp_path / "checkpoint.pt"), {}).description["command"]
    assert "was begun with shards 2, not 1" in CliRunner().invoke(main, words).output


def test_one_shard_is_nothing_for_a_cluster(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["learn", "champion", str(tmp_path), "--cluster", "tcp://127.0.0.1:1"])
    assert done.exit_code == 2
    assert "--cluster: a round of one shard keeps one worker busy" in done.output
