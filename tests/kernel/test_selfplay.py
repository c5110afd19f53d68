"""Self-play and the rows of the first layer in the kernel: what they refuse, and that they write nowhere else."""

from array import array
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ddzbot.kernel.bid_net import KernelBidNet
from ddzbot.kernel.bid_records import HIDDEN as BID_HIDDEN
from ddzbot.kernel.bid_records import INNER as BID_INNER
from ddzbot.kernel.bid_records import ONE as BID_ONE
from ddzbot.kernel.bid_records import WEIGHT_ONE as BID_WEIGHT_ONE
from ddzbot.kernel.bid_records import BidParameters
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.codec import RIVAL, SAMPLES, SELFPLAY_OPTIONS, SELFPLAY_TOTALS
from ddzbot.kernel.fast_net import AVX2, BEST_CODE, PORTABLE, FastNet, codes_of
from ddzbot.kernel.fast_records import FEATURES
from ddzbot.kernel.library import Memory
from ddzbot.kernel.training import Rival
from ddzbot.net.fast_features import GROUPS
from ddzbot.rules import BOTZONE, BOTZONE2
from tests.kernel.bench import Bench as Spoilt
from tests.net.bid_models import random_parameters
from tests.net.fast_models import random_seats
from tests.training.champion.some_samples import features_of
from tools.training.champion.games import Exploration, play_unit

pytestmark = pytest.mark.whole

STAKE_3 = next(group.first for group in GROUPS if group.meaning.startswith("the stake")) + 2
ROOM, FEATURES_ROOM = 60, 60 * 120
GUARD = 0xA5
SEED, DECK, GAMES, RANDOM_MOVES, NEAR, KEPT, BY_SCORE, TRACE, SEAT_0, SEAT_1, SEAT_2, BOTTOM = range(12)
OPEN, RIVALS, RANDOM_BIDS, RIVAL_NEAR = range(12, 16)


class Bench(Spoilt):
    """All memory of the calls here."""

    optional = (("ddz_selfplay", 2), ("ddz_selfplay", 5))

    def __init__(self, kernel: Kernel) -> None:
        self.library, self.net = kernel.library, FastNet(kernel, random_seats())
        self.work = np.zeros(self.library.sizes["ddz_selfplay_memory"] // 8 + 1, np.uint64)
        self.options, self.totals = Memory(SELFPLAY_OPTIONS.size), Memory(SELFPLAY_TOTALS.size)
        self.fields = list(Exploration(kept=1.0).play(2, 7).packed(BOTZONE))
        self.features, self.ends, self.results = (
            [np.full(2 * size, GUARD, kind) for _ in range(3)]
            for size, kind in ((FEATURES_ROOM, np.uint16), (ROOM, np.uint32), (2 * ROOM, np.float32))
        )
        self.samples = Memory(3 * SAMPLES.size)
        for seat in range(3):
            where = [part[seat].ctypes.data for part in (self.features, self.ends, self.results)]
            SAMPLES.pack_into(self.samples.bytes, seat * SAMPLES.size, *where, FEATURES_ROOM, ROOM, 0, 0)
        self.rival = Memory.of(RIVAL.pack(self.net.address, 0))
        self.bids = KernelBidNet(kernel, random_parameters())
        self.where = [self.net.address, self.rival.address, kernel.compiled(BOTZONE).address, kernel.splits(BOTZONE)]
        self.which, self.code = (np.arange(2, dtype=np.uint32), AVX2 if AVX2 in codes_of(kernel.library) else PORTABLE)
        self.weights, self.sums = np.ones((FEATURES, 256), np.float32), np.zeros((2, 256), np.float32)
        self.out = Memory(16)

    def good_calls(self) -> dict[str, list[Any]]:
        SELFPLAY_OPTIONS.pack_into(self.options.bytes, 0, *self.fields)
        named = [self.features[0].ctypes.data, self.ends[0].ctypes.data, self.which.ctypes.data, 2]
        weights, sums = self.weights.ctypes.data, self.sums.ctypes.data
        out = [self.options.address, self.samples.address, self.totals.address]
        return {
            "ddz_selfplay_layout": [self.out.address, 4],
            "ddz_selfplay": [self.work.ctypes.data, *self.where, self.bids.address, *out],
            "ddz_rows_sum": [*named, weights, weights, sums, 256, self.code],
            "ddz_rows_spread": [*named, sums, weights, 256, 0, 256, self.code],
        }

    def play(self) -> str:
        return self.status("ddz_selfplay", *self.good_calls()["ddz_selfplay"])

    def kept(self, seat: int) -> tuple[int, int]:
        """How many features and samples were written."""
        fields = SAMPLES.unpack_from(self.samples.bytes, seat * SAMPLES.size)
        return fields[5], fields[6]


@pytest.fixture
def bench(kernel: Kernel) -> Bench:
    bench = Bench(kernel)
    bench.features[0][:4], bench.ends[0][:2] = (1, 7, 0, 767), (2, 4)
    return bench


def test_every_pointer_is_checked(bench: Bench) -> None:
    bench.check_pointers()


@pytest.mark.parametrize("place", range(9))
def test_every_array_of_samples_is_checked(bench: Bench, place: int) -> None:
    offset = place // 3 * SAMPLES.size + place % 3 * 8
    address = bench.samples.bytes[offset : offset + 8].cast("Q")
    for spoiled in (0, address[0] + 1):
        address[0] = spoiled
        assert bench.play() == "bad pointer"


def test_memory_that_was_never_filled_is_no_network_and_no_rules(bench: Bench) -> None:
    good, blank = bench.good_calls()["ddz_selfplay"], Memory(1 << 20)
    for place in (1, 3, 4):
        assert bench.status("ddz_selfplay", *good[:place], blank.address, *good[place + 1 :]) == "bad rules"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (DECK, 5),
        (DECK, 1 << 60),
        (DECK, BOTZONE.deck - 1),
        (RANDOM_MOVES, 65537),
        (NEAR, 1000001),
        (KEPT, 257),
        (BY_SCORE, 2),
        (TRACE, 1001),
        (SEAT_0, 21),
        (SEAT_1, 0),
        (SEAT_2, 18),
        (BOTTOM, 20),
        (RANDOM_BIDS, 65537),
        (RIVALS, 8),
        (RIVAL_NEAR, 1000001),
    ],
)
def test_options_out_of_range_are_refused(bench: Bench, field: int, value: int) -> None:
    bench.fields[field] = value
    assert bench.play() == "bad index"


def test_more_samples_than_there_is_room_for_are_refused(bench: Bench) -> None:
    SAMPLES.pack_into(bench.samples.bytes, 0, *SAMPLES.unpack_from(bench.samples.bytes)[:5], 0, ROOM + 1)
    assert bench.play() == "bad pointer"


def test_a_short_layout_is_refused(bench: Bench) -> None:
    assert bench.status("ddz_selfplay_layout", bench.out.address, 3) == "short buffer"


def test_nothing_is_written_beyond_the_room(bench: Bench) -> None:
    bench.fields[GAMES] = 20
    assert bench.play() == "ok"
    totals = SELFPLAY_TOTALS.unpack(bench.totals.bytes)
    assert totals[6] > 0
    assert totals[6] + sum(bench.kept(seat)[1] for seat in range(3)) == totals[3]
    for seat in range(3):
        features, samples = bench.kept(seat)
        assert samples <= ROOM
        assert features == bench.ends[seat][samples - 1] <= FEATURES_ROOM
        assert set(bench.features[seat][features:]) == {GUARD}
        assert set(bench.ends[seat][samples:]) | set(bench.results[seat][2 * samples :]) == {GUARD}


def test_later_games_are_added_to_what_is_there(bench: Bench) -> None:
    bench.fields[GAMES] = 1
    assert bench.play() == "ok"
    first, features = bench.kept(0), bench.features[0].copy()
    assert bench.play() == "ok"
    assert bench.kept(0) == (2 * first[0], 2 * first[1])
    assert np.array_equal(bench.features[0][: first[0]], features[: first[0]])
    assert np.array_equal(bench.features[0][first[0] : 2 * first[0]], features[: first[0]])
    assert SELFPLAY_TOTALS.unpack(bench.totals.bytes)[0] == 2


@pytest.mark.parametrize("columns", [(0, 31), (16, 64), (0, 288), (64, 32)])
def test_columns_that_are_no_strips_are_refused(bench: Bench, columns: tuple[int, int]) -> None:
    good = bench.good_calls()["ddz_rows_spread"]
    assert bench.status("ddz_rows_spread", *good[:7], *columns, good[9]) == "bad index"


def test_only_the_columns_that_are_asked_for_are_added_to(bench: Bench) -> None:
    good = bench.good_calls()["ddz_rows_spread"]
    bench.weights[:], bench.sums[:] = 0, 1
    assert bench.status("ddz_rows_spread", *good[:7], 32, 96, PORTABLE) == "ok"
    assert sorted(set(np.nonzero(bench.weights)[1])) == list(range(32, 96))
    assert sorted(set(np.nonzero(bench.weights)[0])) == [0, 1, 7, 767]


@pytest.mark.parametrize("spoil", [lambda code: BEST_CODE, lambda code: 1 << 31])
def test_a_code_that_does_not_exist_is_refused(bench: Bench, spoil: Callable[[int], int]) -> None:
    for entry in ("ddz_rows_sum", "ddz_rows_spread"):
        good = bench.good_calls()[entry]
        assert bench.status(entry, *good[:-1], spoil(good[-1])) == "bad index"


# Auctions.


def test_landlords_are_those_whom_the_network_lets_bid_most(bench: Bench) -> None:
    """Without an auction the landlord has the big joker in 20 of 54 games; where it is worth a bid, more often."""
    wishes = BidParameters(**{name: numbers[:] for name, numbers in random_parameters(1, 0)._asdict().items()})
    big_joker = 4 * 14
    wishes.first[big_joker * BID_HIDDEN] = BID_ONE
    wishes.second[0] = wishes.third[0] = BID_WEIGHT_ONE
    wishes.last[3 * BID_INNER] = BID_WEIGHT_ONE  # bidding 3 is worth a point with it, and all else nothing
    bids = KernelBidNet(bench.net.kernel, wishes)
    exploration = Exploration(kept=0.2, random_bids=0.0)
    shares = []
    for network in (None, bids):
        samples, totals = play_unit(bench.net, BOTZONE2, exploration, 60, 3, network)
        assert totals.games == 60
        stakes = [features_of(samples[0], index) for index in range(len(samples[0].ends))]
        shares.append(sum(STAKE_3 in found for found in stakes) / len(stakes))
    assert shares[1] > 0.8 > 0.6 > shares[0]


def test_hands_that_were_not_dealt_alike_cannot_bid(bench: Bench) -> None:
    bench.fields[SEAT_1], bench.fields[SEAT_2] = 16, 18
    assert bench.play() == "bad index"


# Rivals.


@pytest.mark.parametrize(("where", "status"), [((0, 0), "bad pointer"), ((1, 1), "bad pointer"), ((0, 1), "bad game")])
def test_a_rival_is_one_network_or_one_search(bench: Bench, where: tuple[int, int], status: str) -> None:
    bench.fields[RIVALS] = 1
    blank = Memory(1 << 20)
    bench.rival.words()[:2] = array("Q", [part and blank.address for part in where])
    assert bench.play() == status


@pytest.mark.parametrize("seats", [(0,), (1, 2)])
@pytest.mark.parametrize("quick", [True, False])
def test_nothing_is_learned_where_the_rival_sits(kernel: Kernel, seats: tuple[int, ...], quick: bool) -> None:
    """Quick players win more against a network of random numbers than it wins against itself."""
    net, exploration = FastNet(kernel, random_seats()), Exploration(random_moves=0, near=0)
    rival = Rival(seats, None if quick else FastNet(kernel, random_seats(2)))
    samples, totals = play_unit(net, BOTZONE, exploration, 200, 3, rival=rival)
    assert [len(one.ends) > 0 for one in samples] == [seat not in seats for seat in range(3)]
    again = play_unit(net, BOTZONE, exploration, 200, 3, rival=rival)
    assert again[1] == totals
    assert all(np.array_equal(*pair) for pair in zip(again[0][1 - seats[0]], samples[1 - seats[0]], strict=True))
    usual = play_unit(net, BOTZONE, exploration, 200, 3)[1].landlord_wins
    if quick:
        assert totals.landlord_wins > usual if seats == (0,) else totals.landlord_wins < usual
