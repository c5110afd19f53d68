"""What a search makes of the auction: how likely the bids are in a world, and what is refused."""

from math import exp, log

import pytest

from ddzbot.belief.heard import HeardBid, Way, ways_heard
from ddzbot.belief.worlds import Worlds
from ddzbot.game import is_legal_bid, shuffled, start
from ddzbot.kernel.bid_net import KernelBidNet
from ddzbot.kernel.bid_records import NODES
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.chance import Generator
from ddzbot.kernel.codec import HEARD
from ddzbot.kernel.fast_net import FastNet
from ddzbot.kernel.library import STATUS_NAMES, KernelError, Memory
from ddzbot.kernel.rollout import NativeRollout, RolloutOptions
from ddzbot.net.bid_net import BidTwin
from ddzbot.rules import BOTZONE2
from ddzbot.view import View
from tests.net.bid_models import random_parameters
from tests.net.fast_models import random_seats

WEIGHED = RolloutOptions(arms=8, near=100_000, prior=0, sure=0, drawn=2, by_score=1)
HEAT = 300
AUCTIONS = [((3,), 0), ((0, 0, 0), 0), ((0, 1, 2), 2), ((0, 3), 1), ((2, 0, 0), 0), ((1, 2, 3), 2)]


@pytest.fixture(scope="module")
def net(kernel: Kernel) -> FastNet:
    return FastNet(kernel, random_seats())


@pytest.fixture(scope="module")
def bids(kernel: Kernel) -> KernelBidNet:
    return KernelBidNet(kernel, random_parameters(2))


def view_after(bids: tuple[int, ...], landlord: int, plies: int, deal: str = "heard") -> View:
    game = start(shuffled(BOTZONE2, deal), bids, landlord)
    for _ in range(plies):
        game = game.play(game.legal_moves()[-1])
    return View.of(game, game.seat)


def search_of(net: FastNet, view: View, options: RolloutOptions = WEIGHED) -> NativeRollout:
    return NativeRollout(net, view, options, 7, Worlds(view, "uniform").in_kernel(net.kernel))


def expected(twin: BidTwin, view: View, world: tuple[int, int]) -> float:
    """Adds up the ways; in each a seat bids by a softmax at one of three temperatures, 2 % of the bids are any."""
    held = {(view.seat + 1) % 3: world[0], (view.seat + 2) % 3: world[1]}
    total = 0.0
    for way in ways_heard(view):
        product = 1.0
        for seat, (earlier, bid) in way.items():
            hand = held[seat] + view.played(seat) - (0 if seat else view.bottom)
            values = twin.worth(BOTZONE2, hand, earlier).bids
            legal = [one for one in range(4) if is_legal_bid(earlier, one)]
            shares = []
            for heat in (HEAT, 2 * HEAT, 4 * HEAT):
                powers = {one: exp((values[one] - max(values[one] for one in legal)) * 1000 / heat) for one in legal}
                shares.append(powers[bid] / sum(powers.values()))
            product *= 0.98 * sum(shares) / 3 + 0.02 / len(legal)
        total += product
    return log(total)


@pytest.mark.parametrize("plies", [0, 1, 2, 5])
@pytest.mark.parametrize(("made", "landlord"), AUCTIONS)
def test_a_world_is_as_likely_as_the_bids_in_it(
    net: FastNet, bids: KernelBidNet, made: tuple[int, ...], landlord: int, plies: int
) -> None:
    view = view_after(made, landlord, plies)
    worlds = Worlds(view, "uniform").samples(Generator(3), 6)
    deaf, hearing = search_of(net, view), search_of(net, view)
    hearing.hear(bids, ways_heard(view), HEAT)
    twin = BidTwin(random_parameters(2))
    pairs = zip(deaf.likelihoods(worlds), hearing.likelihoods(worlds), worlds, strict=True)
    found = [heard - unheard for unheard, heard, _ in pairs]
    assert found == pytest.approx([expected(twin, view, world) for world in worlds], abs=1e-4)
    assert len(set(found)) > 1 or not any(ways_heard(view))


def test_no_auction_says_nothing(net: FastNet, bids: KernelBidNet) -> None:
    view = view_after((3,), 0, 3)
    worlds = Worlds(view, "uniform").samples(Generator(3), 4)
    search = search_of(net, view)
    before = search.likelihoods(worlds)
    search.hear(bids, [], HEAT)
    assert search.likelihoods(worlds) == before


def test_worlds_are_drawn_by_what_was_heard(net: FastNet, bids: KernelBidNet) -> None:
    view = view_after((0, 1, 2), 2, 0)
    deaf, hearing = search_of(net, view), search_of(net, view)
    hearing.hear(bids, ways_heard(view), 100)
    twin = BidTwin(random_parameters(2))
    means = []
    for search in (deaf, hearing):
        search.run(400)
        means.append(sum(share * exp(expected(twin, view, (one, two))) for one, two, share in search.worlds()))
    assert means[1] > 1.2 * means[0]


# What may not be.


@pytest.mark.parametrize(
    "way",
    [
        {0: HeardBid((), 3)},
        {1: HeardBid((1,), 1)},
        {2: HeardBid((0,), 4)},
    ],
    ids=["own seat", "not above", "no bid"],
)
def test_bids_that_cannot_be_are_refused(net: FastNet, bids: KernelBidNet, way: Way) -> None:
    search = search_of(net, view_after((3,), 0, 0))
    with pytest.raises(KernelError, match="ddz_rollout_hear: bad index"):
        search.hear(bids, [way], HEAT)


@pytest.mark.parametrize(("number", "heat"), [(9, HEAT), (1, 0), (1, 1_000_001)])
def test_too_many_ways_and_heats_out_of_range_are_refused(
    net: FastNet, bids: KernelBidNet, number: int, heat: int
) -> None:
    search = search_of(net, view_after((3,), 0, 0))
    with pytest.raises(KernelError, match="ddz_rollout_hear: bad index"):
        search.hear(bids, [{}] * number, heat)


def test_nothing_is_heard_after_the_first_playout_without_weighing_or_without_a_bottom(
    net: FastNet, bids: KernelBidNet
) -> None:
    view = view_after((3,), 0, 3)
    late, plain = search_of(net, view), search_of(net, view, WEIGHED._replace(drawn=0))
    late.run(5)
    for search in (late, plain, search_of(net, view._replace(bottom=0))):
        with pytest.raises(KernelError, match="ddz_rollout_hear: bad game"):
            search.hear(bids, [{}], HEAT)


def test_every_pointer_is_checked(net: FastNet, bids: KernelBidNet) -> None:
    search = search_of(net, view_after((3,), 0, 0))
    way = Memory.of(HEARD.pack(*[len(NODES)] * 3, 0, 0, 0))
    good = [search._address, bids.address, way.address]
    library = net.kernel.library
    assert STATUS_NAMES[library.status("ddz_rollout_hear", *good, 1, HEAT)] == "ok"
    for place in range(3):
        for spoiled in (None, good[place] + 1):
            words = [*good[:place], spoiled, *good[place + 1 :]]
            assert STATUS_NAMES[library.status("ddz_rollout_hear", *words, 1, HEAT)] == "bad pointer"
    blank = Memory(1 << 23)
    assert STATUS_NAMES[library.status("ddz_rollout_hear", blank.address, *good[1:], 1, HEAT)] == "bad rules"
