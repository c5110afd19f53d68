"""The network for bids in the kernel: what it refuses, and that it writes nowhere else."""

from typing import Any

import pytest

from ddzbot.cards import parse_hand
from ddzbot.kernel.bid_net import KernelBidNet
from ddzbot.kernel.bid_records import HEADS, NODES
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.library import STATUS_NAMES, KernelError, Memory
from ddzbot.rules import BOTZONE2
from tests.net.bid_models import random_parameters

HAND = parse_hand("3344456789TJQKA2B")
FIELDS = 8


class Bench:
    """All memory of a good call; a test spoils one thing."""

    def __init__(self, kernel: Kernel) -> None:
        self.library, self.net = kernel.library, KernelBidNet(kernel, random_parameters())
        self.hands, self.nodes, self.heads = Memory(16), Memory(8), Memory(4 * (2 * HEADS + 2))
        self.hands.words()[0] = self.hands.words()[1] = HAND
        self.good: list[Any] = [self.net.address, kernel.splits(BOTZONE2), self.hands.address, self.nodes.address, 2]
        self.good.append(self.heads.address)

    def status(self, *arguments: Any) -> str:
        return STATUS_NAMES[self.library.status("ddz_bid_values", *arguments)]


@pytest.fixture
def bench(kernel: Kernel) -> Bench:
    return Bench(kernel)


def test_nothing_is_written_beyond_the_heads(bench: Bench) -> None:
    bench.heads.counts()[2 * HEADS] = 7
    assert bench.status(*bench.good) == "ok"
    written = bench.heads.counts().tolist()
    assert written[:HEADS] == written[HEADS : 2 * HEADS] != [0] * HEADS
    assert written[2 * HEADS :] == [7, 0]


@pytest.mark.parametrize("place", [0, 1, 2, 3, 5])
def test_every_pointer_is_checked(bench: Bench, place: int) -> None:
    crooked = () if place == 3 else (bench.good[place] + 2,)  # bytes may lie anywhere
    for spoiled in (0, *crooked):
        assert bench.status(*bench.good[:place], spoiled, *bench.good[place + 1 :]) == "bad pointer"


@pytest.mark.parametrize("field", range(FIELDS))
def test_every_tensor_is_checked(bench: Bench, field: int) -> None:
    words = bench.net._net.words()
    for spoiled in (0, words[field] + 1):
        kept, words[field] = words[field], spoiled
        assert bench.status(*bench.good) == "bad pointer"
        words[field] = kept


def test_nodes_hands_and_splits_that_cannot_be_are_refused(bench: Bench, kernel: Kernel) -> None:
    blank = Memory(kernel.library.sizes["ddz_splits"])
    assert bench.status(bench.good[0], blank.address, *bench.good[2:]) == "bad rules"
    bench.nodes.bytes[1] = len(NODES)
    assert bench.status(*bench.good) == "bad index"
    bench.nodes.bytes[1] = 0
    for hand in (5, 1 << 60, parse_hand("33334444555566667777A")):
        bench.hands.words()[1] = hand
        assert bench.status(*bench.good) == "bad cards"
        with pytest.raises(KernelError, match="bad cards"):
            bench.net.worth(BOTZONE2, hand, ())


def test_the_empty_hand_and_no_hand_are_valued(bench: Bench) -> None:
    assert bench.net.worths(BOTZONE2, [], ()) == []
    assert len(bench.net.worth(BOTZONE2, 0, ()).heads) == HEADS
