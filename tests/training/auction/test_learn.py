"""The training for bids: what a network learns, that it resumes where it was stopped, and its files."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from ddzbot.bidding import bid_by_hand, hand_points
from ddzbot.kernel.bid_net import KernelBidNet
from ddzbot.kernel.bid_records import BIDS, LANDLORD, NODES, ONE
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.fast_net import FastNet
from ddzbot.net.bid_net import LOADER, BidReference, parameters_of
from ddzbot.net.packed import read
from ddzbot.rules import BOTZONE2
from ddzbot.view import BidView
from tests.net.fast_models import random_seats
from tests.training.some_shards import write_shard
from tools.training.auction import command
from tools.training.auction.deals import Deals, Plan, play_deals, play_unit
from tools.training.auction.hands import hand_bids
from tools.training.auction.learner import AuctionLearner, DealArrays, Schedule, check
from tools.training.auction.network import AuctionNet
from tools.training.auction.pack import packed
from tools.training.auction.tree import best
from tools.training.command import main
from tools.training.loop import Training
from tools.training.making import Work

pytestmark = pytest.mark.whole

QUICK = Schedule(rounds=3, steps=4, batch=64)


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    """The steps are small: threads would only wait for each other."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def deals(kernel: Kernel) -> Deals:
    return play_deals(FastNet(kernel, random_seats()), BOTZONE2, 240, 3)


@pytest.fixture(scope="module")
def net(kernel: Kernel) -> KernelBidNet:
    torch.manual_seed(2)
    return KernelBidNet(kernel, AuctionNet().parameters_for_kernel())


def test_the_packed_network_says_what_torch_says(kernel: Kernel, deals: Deals, net: KernelBidNet) -> None:
    torch.manual_seed(2)
    hands, _, _ = DealArrays(kernel, BOTZONE2, deals).part(slice(0, 240))
    with torch.no_grad():
        wanted = AuctionNet()(hands).numpy()
    for node, heard in enumerate(NODES):
        worths = net.worths(BOTZONE2, list(map(int, deals["hands"][:, len(heard)])), heard)
        assert np.abs(np.array([worth.heads for worth in worths]) / ONE - wanted[:, node]).max() < 0.02
    assert wanted.std() > 0.05


def learner_of(table: DealArrays, schedule: Schedule = QUICK, seed: int = 5) -> AuctionLearner:
    return AuctionLearner(schedule, seed, table, table, {"rules": "botzone2"})


def test_it_learns_what_a_hand_pays(kernel: Kernel, deals: Deals) -> None:
    """A landlord with the big joker is paid 6 for each of the stake, any other one loses 4."""
    paid = deals.copy()
    paid["scores"] = np.where(paid["hands"] >> np.uint64(56) > 0, 600, -400) * paid["stake"][:, None]
    table = DealArrays(kernel, BOTZONE2, paid)
    learner = learner_of(table, Schedule(rounds=3, steps=40, batch=64, rate=0.01), 1)
    losses = [learner.learn() for _ in range(3)]
    assert losses[-1] < losses[0] / 2
    hands, _, _ = table.part(slice(0, 240))
    with torch.no_grad():
        heads = learner.averaged(hands)
    root = NODES.index(())
    has = torch.from_numpy((paid["hands"][:, 0] >> np.uint64(56) > 0).astype(np.bool_))
    assert heads[has, root, LANDLORD + 2].mean().item() == pytest.approx(6, abs=1)
    assert heads[~has, root, LANDLORD + 2].mean().item() == pytest.approx(-4, abs=1)
    bids = best(heads[..., :BIDS]).argmax(-1)[:, root]
    assert (bids[has] == 3).float().mean() > 0.9
    assert (bids[~has] < 3).float().mean() > 0.9


def test_a_stopped_training_resumes_with_the_same_results(kernel: Kernel, deals: Deals, tmp_path: Path) -> None:
    table = DealArrays(kernel, BOTZONE2, deals)
    whole, first = (Training(tmp_path / name, learner_of(table)) for name in ("whole", "stopped"))
    for one, rounds in ((whole, 2), (first, 1)):
        for _ in range(rounds):
            one.round()
    first.save()
    second = Training(tmp_path / "stopped", learner_of(table))
    second.round()
    assert second.learner.done == 2
    assert [{**row, "seconds": 0} for row in second.rows] == [{**row, "seconds": 0} for row in whole.rows]
    nets = [one.learner.averaged for one in (whole, second) if isinstance(one.learner, AuctionLearner)]
    for one, other in zip(*(net.parameters() for net in nets), strict=True):
        assert torch.equal(one, other)


def test_a_check_counts_bids_on_the_way(kernel: Kernel, deals: Deals) -> None:
    table = DealArrays(kernel, BOTZONE2, deals)
    learner = learner_of(table)
    same = check(learner.net, learner.net, table, part=100)
    assert same.changed == 0
    learner.learn()
    found = check(learner.averaged, learner.before, table, part=100)
    assert 0 < found.changed <= 1
    assert 1 <= found.stake <= 3
    assert [sum(row) for row in found.bids] == pytest.approx([1, 1, 1])


def test_the_commands_train_and_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "CHECKED", 64)
    for first in (0, 128):
        write_shard(tmp_path / "deals", Work(Plan(seed=3, games=128), play_unit), first)
    words = ["learn", "auction", str(tmp_path / "net"), str(tmp_path / "deals"), "--rounds", "2", "--steps", "2"]
    done = CliRunner().invoke(main, [*words, "--batch", "32"])
    assert done.exit_code == 0, done.output
    assert len((tmp_path / "net" / "log.csv").read_text().splitlines()) == 3
    other = CliRunner().invoke(main, [*words, "--batch", "32", "--seed", "2"])
    assert other.exit_code == 1 and "was begun with seed 1, not 2" in other.output
    weights = tmp_path / "weights"
    done = CliRunner().invoke(main, ["pack", str(tmp_path / "net"), "--folder", str(weights), "--promote"])
    assert done.exit_code == 0, done.output
    for rules in ("botzone2", "icga"):
        assert isinstance(LOADER.load(None, rules, folder=str(weights)).net, BidReference)
    file = next(weights.glob("bid-*.ddzw"))
    assert read(str(file)).description["data"]["deals"] == 256
    parameters_of(read(str(file)))


def test_a_training_of_an_earlier_version_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="an earlier version of the program began this training"):
        next(packed([{"rows": [{"rounds": 1, "changed": 2.0, "unbid": 3.0, "stake": 2.9}]}], ""))


def test_bids_by_the_hand_are_those_of_the_player(kernel: Kernel, deals: Deals) -> None:
    found = hand_bids(kernel, BOTZONE2, deals["hands"][:30])
    for hands, bids in zip(deals["hands"], found, strict=False):
        for hand, bid in zip(hands, bids, strict=True):
            view = BidView(BOTZONE2, int(hand), ())
            assert bid == bid_by_hand(view), hand_points(BOTZONE2, view.hand)
