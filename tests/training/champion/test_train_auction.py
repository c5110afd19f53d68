"""Trainings whose games begin with an auction."""

from pathlib import Path

import pytest
import torch
from click.testing import CliRunner

from ddzbot.kernel.bid_net import KernelBidNet
from ddzbot.kernel.binding import Kernel
from ddzbot.rules import BOTZONE2
from tests.net.bid_models import random_parameters
from tools.training.champion import train
from tools.training.champion.train import Training


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "UNIT_GAMES", 128)
    monkeypatch.setattr(train, "ROUND_UNITS", 4)


def test_games_with_an_auction_are_other_games(kernel: Kernel, tmp_path: Path) -> None:
    bids = KernelBidNet(kernel, random_parameters(1))
    trained = []
    for name, network in (("with", bids), ("again", bids), ("without", None)):
        one = Training(tmp_path / name, BOTZONE2, kernel, 1, 1, "score", network)
        one.round()
        trained.append(next(one.learner.net.parameters()).detach().clone())
    assert torch.equal(trained[0], trained[1])
    assert not torch.equal(trained[0], trained[2])


def test_a_training_goes_on_only_as_it_began(kernel: Kernel, tmp_path: Path) -> None:
    bids = KernelBidNet(kernel, random_parameters(1))
    begun = Training(tmp_path, BOTZONE2, kernel, 1, 1, "score", bids)
    begun.round()
    begun.save()
    assert Training(tmp_path, BOTZONE2, kernel, 1, 1, "score", bids).games == begun.games
    with pytest.raises(Exception, match="was begun with --auction: give the same"):
        Training(tmp_path, BOTZONE2, kernel, 1, 1, "score")


def test_rules_without_an_auction_are_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(train.main, [str(tmp_path), "--rules", "botzone", "--auction"])
    assert (done.exit_code, "--auction: no network: none reigns for bid-1 under botzone" in done.output) == (1, True)
