"""The training for bids: what a network learns, that it goes on where it was stopped, and what its files say."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from ddzbot.bidding import bid_by_hand, bid_by_points, hand_points
from ddzbot.kernel.bid_net import KernelBidNet
from ddzbot.kernel.bid_records import BIDS, LANDLORD, NODES, ONE
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.fast_net import FastNet
from ddzbot.net.bid_net import BidTwin, parameters_of, reigning_bid_net
from ddzbot.net.packed import read
from ddzbot.rules import BOTZONE2
from ddzbot.view import BidView
from tests.net.fast_models import random_seats
from tools.training.auction import bidders, learn
from tools.training.auction.bidders import Bidder, by_hand, by_points, duel, heads_of, landlord_points, played
from tools.training.auction.deals import DealFolder, Deals, play_deals
from tools.training.auction.export import main as export
from tools.training.auction.learner import Learner, Schedule, Table, check
from tools.training.auction.network import AuctionNet
from tools.training.auction.tree import POSITIONS, best, made

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
    hands, _, _ = Table(kernel, BOTZONE2, deals).part(slice(0, 240))
    with torch.no_grad():
        wanted = AuctionNet()(hands).numpy()
    found = heads_of(net, BOTZONE2, deals) / ONE
    assert np.abs(found - wanted).max() < 0.02
    assert wanted.std() > 0.05


def test_it_learns_what_a_hand_pays(kernel: Kernel, deals: Deals) -> None:
    """A landlord with the big joker is paid 6 for each of the stake, any other one loses 4."""
    paid = deals.copy()
    paid["scores"] = np.where(paid["hands"] >> np.uint64(56) > 0, 600, -400) * paid["stake"][:, None]
    table, learner = Table(kernel, BOTZONE2, paid), Learner(Schedule(rounds=3, steps=40, batch=64, rate=0.01), 1)
    losses = [learner.learn(table) for _ in range(3)]
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


def test_a_training_that_was_stopped_goes_on_as_if_it_was_not(kernel: Kernel, deals: Deals) -> None:
    table, whole, first, second = Table(kernel, BOTZONE2, deals), *(Learner(QUICK, 5) for _ in range(3))
    for _ in range(2):
        whole.learn(table)
    first.learn(table)
    second.load_state(first.state())
    second.learn(table)
    assert second.round == 2
    for one, other in zip(whole.averaged.parameters(), second.averaged.parameters(), strict=True):
        assert torch.equal(one, other)


def test_a_check_counts_bids_on_the_way(kernel: Kernel, deals: Deals) -> None:
    table, learner = Table(kernel, BOTZONE2, deals), Learner(QUICK, 5)
    same = check(learner.net, learner.net, table, part=100)
    assert same.changed == 0
    learner.learn(table)
    found = check(learner.averaged, learner.before, table, part=100)
    assert 0 < found.changed <= 1
    assert 1 <= found.stake <= 3
    assert [sum(row) for row in found.bids] == pytest.approx([1, 1, 1])


def test_the_commands_train_and_pack(tmp_path: Path, kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.training.auction.deals.UNIT_DEALS", 64)
    monkeypatch.setattr(learn, "CHECKED", 64)
    made = DealFolder(tmp_path / "deals", "botzone2", 3, "net")
    for unit in made.missing(256):
        made.play(FastNet(kernel, random_seats()), BOTZONE2, unit)
    words = [str(tmp_path / "net"), "--from", str(tmp_path / "deals"), "--rounds", "2", "--steps", "2", "--batch", "32"]
    done = CliRunner().invoke(learn.main, words)
    assert done.exit_code == 0, done.output
    assert len((tmp_path / "net" / "rounds.csv").read_text().splitlines()) == 3
    again = CliRunner().invoke(learn.main, words)
    assert again.exit_code == 0 and "round 1 " not in again.output
    other = CliRunner().invoke(learn.main, [*words, "--seed", "2"])
    assert other.exit_code == 1 and "was begun with" in other.output
    weights = tmp_path / "weights"
    done = CliRunner().invoke(export, [str(tmp_path / "net"), "--folder", str(weights), "--crown"])
    assert done.exit_code == 0, done.output
    for rules in ("botzone2", "icga"):
        assert isinstance(reigning_bid_net(None, rules, str(weights)).net, BidTwin)
    file = next(weights.glob("bid-*.ddzw"))
    assert read(str(file)).description["data"]["deals"] == 256
    parameters_of(read(str(file)))


# Bidders over played deals.


def always(bid: int) -> Bidder:
    """Makes the same bid wherever it is legal."""
    return lambda deals: made(torch.full((len(deals), len(NODES)), bid))


def test_bids_by_the_hand_are_those_of_the_player(deals: Deals, net: KernelBidNet) -> None:
    some = deals[:30]
    made = by_hand(net, BOTZONE2)(some).argmax(-1)
    for at, one in enumerate(some):
        for node, heard in enumerate(NODES):
            view = BidView(BOTZONE2, int(one["hands"][len(heard)]), heard)
            assert made[at, node] == bid_by_hand(view), hand_points(BOTZONE2, view.hand)


def test_bids_by_points_are_those_of_the_network(deals: Deals, net: KernelBidNet) -> None:
    some = deals[:20]
    made = by_points(net, BOTZONE2)(some).argmax(-1)
    for at, one in enumerate(some):
        for node, heard in enumerate(NODES):
            hand = int(one["hands"][POSITIONS[node]])
            assert made[at, node] == bid_by_points(BidView(BOTZONE2, hand, heard), net)


def test_a_bidder_against_itself_is_paid_nothing_more(deals: Deals, net: KernelBidNet) -> None:
    found = duel(deals, by_points(net, BOTZONE2), by_points(net, BOTZONE2))
    assert found.points == pytest.approx(0, abs=1e-6)
    first, second = always(3), always(0)
    one, other = duel(deals, first, second), duel(deals, second, first)
    assert one.points == pytest.approx(-other.points) and one.points != 0
    assert one.sets == 240


def test_always_and_never_are_paid_by_the_games_of_the_first_to_speak(deals: Deals) -> None:
    landlord, stake = played(always(3)(deals))
    assert (landlord == 0).all() and (stake == 3).all()
    landlord, stake = played(always(0)(deals))
    assert (landlord == 0).all() and (stake == 1).all()
    points = landlord_points(deals)
    # A bids 3 in its places, B nothing: the six seatings have the first A as landlord; with A in front thrice.
    totals = 0.0
    for seating in bidders.WITH_BIDDING:
        leader = seating.index("A")
        for position, letter in enumerate(seating):
            paid = 3 * points[:, leader] * (1 if position == leader else -0.5)
            totals += float(paid.mean()) * (1 if letter == "A" else -1)
    assert duel(deals, always(3), always(0)).points == pytest.approx(totals / 9, abs=1e-4)
