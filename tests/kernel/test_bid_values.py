"""The network for bids in the kernel: what it refuses, and that it writes nowhere else."""

from typing import Any

import pytest

from ddzbot.cards import parse_hand
from ddzbot.kernel.bid_net import KernelBidNet
from ddzbot.kernel.bid_records import HEADS, NODES
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.codec import DEALS_OPTIONS, DEALT
from ddzbot.kernel.fast_net import FastNet
from ddzbot.kernel.library import KernelError, Memory
from ddzbot.rules import BOTZONE2
from tests.kernel.bench import Bench as Spoilt
from tests.net.bid_models import random_parameters
from tests.net.fast_models import random_seats

HAND = parse_hand("3344456789TJQKA2B")
FIELDS = 8


class Bench(Spoilt):
    """All memory of good calls; a test spoils one thing."""

    anywhere = (("ddz_bid_values", 3),)

    def __init__(self, kernel: Kernel) -> None:
        self.library, self.net = kernel.library, KernelBidNet(kernel, random_parameters())
        self.hands, self.nodes, self.heads = Memory(16), Memory(8), Memory(4 * (2 * HEADS + 2))
        self.hands.words()[0] = self.hands.words()[1] = HAND
        self.good: list[Any] = [self.net.address, kernel.splits(BOTZONE2), self.hands.address, self.nodes.address, 2]
        self.good.append(self.heads.address)
        self.player, self.out = FastNet(kernel, random_seats()), Memory(16)
        self.deals, self.memory = Memory(DEALT.size), Memory(kernel.library.sizes["ddz_deals_memory"])
        self.options = Memory.of(DEALS_OPTIONS.pack(7, BOTZONE2.deck, 1, 1, BOTZONE2.dealt, BOTZONE2.bottom_size))
        self.where = [self.player.address, kernel.compiled(BOTZONE2).address, kernel.splits(BOTZONE2)]

    def good_calls(self) -> dict[str, list[Any]]:
        where = [self.memory.address, *self.where, self.options.address, self.deals.address, 1]
        return {"ddz_auction_layout": [self.out.address, 4], "ddz_deals_play": where, "ddz_bid_values": self.good}

    def value(self, *arguments: Any) -> str:
        return self.status("ddz_bid_values", *arguments)


@pytest.fixture
def bench(kernel: Kernel) -> Bench:
    return Bench(kernel)


def test_nothing_is_written_beyond_the_heads(bench: Bench) -> None:
    bench.heads.counts()[2 * HEADS] = 7
    assert bench.value(*bench.good) == "ok"
    written = bench.heads.counts().tolist()
    assert written[:HEADS] == written[HEADS : 2 * HEADS] != [0] * HEADS
    assert written[2 * HEADS :] == [7, 0]


def test_every_pointer_is_checked(bench: Bench) -> None:
    bench.check_pointers()


@pytest.mark.parametrize("field", range(FIELDS))
def test_every_tensor_is_checked(bench: Bench, field: int) -> None:
    words = bench.net._net.words()
    for spoiled in (0, words[field] + 1):
        kept, words[field] = words[field], spoiled
        assert bench.value(*bench.good) == "bad pointer"
        words[field] = kept


def test_nodes_hands_and_splits_that_cannot_be_are_refused(bench: Bench, kernel: Kernel) -> None:
    blank = Memory(kernel.library.sizes["ddz_splits"])
    assert bench.value(bench.good[0], blank.address, *bench.good[2:]) == "bad rules"
    bench.nodes.bytes[1] = len(NODES)
    assert bench.value(*bench.good) == "bad index"
    bench.nodes.bytes[1] = 0
    for hand in (5, 1 << 60, parse_hand("33334444555566667777A")):
        bench.hands.words()[1] = hand
        assert bench.value(*bench.good) == "bad cards"
        with pytest.raises(KernelError, match="bad cards"):
            bench.net.worth(BOTZONE2, hand, ())


def test_the_empty_hand_and_no_hand_are_valued(bench: Bench) -> None:
    assert bench.net.worths(BOTZONE2, [], ()) == []
    assert len(bench.net.worth(BOTZONE2, 0, ()).heads) == HEADS
