"""The champion's training on a cluster: the bits are the same, also after the loss of workers."""

import signal
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.cluster.dask_processes import Dask
from tests.support import ROOT
from tests.training.champion.test_shards import tiny, training
from tests.training.champion.test_train import equal, rounds
from tests.training.champion.tiny import ROUND, SETTINGS, slow_shards
from tools.cluster.dispatch import open_cluster
from tools.cluster.errors import ClusterError
from tools.training.champion import shards
from tools.training.champion.learner import Part
from tools.training.champion.shards import Sharded, needs_of
from tools.training.command import main
from tools.training.figures import LogLine
from tools.training.loop import Marks, run

pytestmark = pytest.mark.whole

__all__ = ["tiny"]


def on_cluster(one: Any, dask: Dask, number: int) -> Any:
    with open_cluster(dask.address, needs_of(one.learner.settings), lambda sentence: None) as cluster:
        one.learner.cluster = cluster
        return rounds(number, one)


def test_killed_workers_a_new_one_and_another_client_change_no_bit(
    two_workers: Dask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_it, learn = partial(monkeypatch.setattr, shards, "learn_shards"), shards.learn_shards
    with_it(slow_shards)
    victim, _ = two_workers.good_workers(2)
    first, looks = training(tmp_path), 0

    def stopped() -> bool:
        nonlocal looks
        looks += 1
        if looks == 10:  # a fifth of a second after the first shards went out
            victim.send_signal(signal.SIGKILL)
            two_workers.worker()
        return False

    first.learner.stopped = stopped
    on_cluster(first, two_workers, 1)
    assert victim.wait(20) == -signal.SIGKILL
    assert first.learner.helped > 0
    assert first.learner.traffic == "A round of 3 shards sends 17.3 MB to workers and gets 34.5 MB."
    first.save()
    second = on_cluster(training(tmp_path), two_workers, 1)
    with_it(learn)
    assert equal(second, rounds(2, training(tmp_path / "here")))


def test_a_lost_scheduler_ends_the_command_and_all_is_saved(
    own: Dask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own.workers(ROOT)
    noted = Sharded._noted

    def noted_and_kill(self: Sharded, part: Part) -> LogLine:
        own.scheduler.kill()
        return noted(self, part)

    monkeypatch.setattr(shards, "learn_shards", slow_shards)
    monkeypatch.setattr(Sharded, "_noted", noted_and_kill)
    one = training(tmp_path)
    with (
        open_cluster(own.address, needs_of(SETTINGS), lambda sentence: None) as cluster,
        pytest.raises(ClusterError, match="the connection to the scheduler is lost"),
    ):
        one.learner.cluster = cluster
        run(one, Marks(10**6), Marks(), 1e9, quiet=True)
    assert equal(training(tmp_path), one)
    assert one.learner.done == 3 * ROUND
    words = ["learn", "champion", str(tmp_path), "--rules", "mini", "--shards", "3", "--sets", "0"]
    done = CliRunner().invoke(main, [*words, "--cluster", own.address])
    assert (done.exit_code, "Error: cluster tcp://127.0.0.1:" in done.output) == (1, True)
