"""The network that values bids: kernel and plain Python give the same numbers, and files are checked."""

import random
from pathlib import Path

import pytest

from ddzbot.cards import Hand, hand_of_ids, parse_hand
from ddzbot.kernel.bid_net import KernelBidNet
from ddzbot.kernel.bid_records import HEADS, LARGEST, NODES, BidWorth, node_of
from ddzbot.kernel.binding import Kernel
from ddzbot.net import bid_net
from ddzbot.net.bid_net import BidReference, features, parameters_of
from ddzbot.net.packed import WeightsError, read
from ddzbot.rules import BOTZONE2, ICGA
from tests.net.bid_models import packed_network, random_parameters
from tools.release.weights_file import enter, promote, write


def hands(number: int, seed: int = 1) -> list[Hand]:
    chance = random.Random(seed)
    return [hand_of_ids(chance.sample(range(54), 17)) for _ in range(number)]


def test_the_features_of_a_hand_are_its_cards_what_was_heard_and_its_fewest_moves() -> None:
    found = features(BOTZONE2, parse_hand("3344456789TJQKA2B"), (0, 1))
    assert found == [0, 1, 4, 5, 6, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 56, 57 + NODES.index((0, 1)), 67 + 4]


@pytest.mark.parametrize("bids", NODES)
def test_the_nodes_are_what_a_bidder_may_have_heard(bids: tuple[int, ...]) -> None:
    assert NODES[node_of(bids)] == bids


@pytest.mark.parametrize("bids", [(3,), (1, 1), (2, 1), (0, 0, 0), (1, 3)])
def test_after_other_bids_the_auction_is_over(bids: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="not in"):
        node_of(bids)


@pytest.mark.parametrize("rules", [BOTZONE2, ICGA], ids=lambda rules: rules.name)
@pytest.mark.parametrize("spread", [1, 1e6], ids=["usual", "saturating"])
def test_kernel_and_python_give_the_same_numbers(kernel: Kernel, rules, spread: float) -> None:  # type: ignore[no-untyped-def]
    parameters = random_parameters(3, spread)
    reference, native = BidReference(parameters), KernelBidNet(kernel, parameters)
    some = hands(40)
    for bids in NODES:
        expected = [reference.worth(rules, hand, bids) for hand in some]
        assert native.worths(rules, some, bids) == expected
    heads = {worth.heads for worth in expected}
    assert (len(heads) == len(some)) == (spread == 1)
    assert (max(max(found) for found in heads) == LARGEST) == (spread > 1)


def test_the_worth_of_a_hand_is_in_points() -> None:
    worth = BidWorth((0, -512, 1024, 2048, 256, 512, 768, -100, -200, 0, 1024, -1024, 1 << 24, -(1 << 24)))
    assert len(worth.heads) == HEADS
    assert worth.bids == (0.0, -0.5, 1.0, 2.0)


def test_a_file_is_read_with_and_without_the_kernel(tmp_path: Path, kernel: Kernel) -> None:
    parameters = random_parameters(5)
    path = write(tmp_path, "bid", packed_network(parameters))
    enter(path)
    promote(path, "botzone2")
    hand = hands(1)[0]
    expected = BidReference(parameters).worth(BOTZONE2, hand, (0,))
    for native in (kernel, None):
        loaded = bid_net.LOADER.load(native, "botzone2", folder=str(tmp_path))
        assert loaded.description == path.name
        assert loaded.net is not None
        assert loaded.net.worth(BOTZONE2, hand, (0,)) == expected
        assert bid_net.LOADER.load(native, "botzone2", str(path)).net is not None
    assert bid_net.LOADER.load(kernel, "icga", folder=str(tmp_path)).net is None


def test_a_file_of_another_kind_is_no_network(tmp_path: Path) -> None:
    parameters = random_parameters(5)
    floats = packed_network(parameters)
    bad = dict(
        floats.tensors,
        second_bias=floats.tensors["first_bias"]._replace(shape=(32,), data=memoryview(bytes(64)), dtype="int16"),
    )
    path = write(tmp_path, "bid", floats._replace(tensors=bad))
    with pytest.raises(WeightsError, match="second_bias cannot be int16"):
        parameters_of(read(str(path)))
    assert "second_bias cannot be int16" in bid_net.LOADER.load(None, "botzone2", str(path)).description
