"""The search with the fast network in the kernel: how likely worlds are, and what is refused."""

from collections.abc import Callable
from math import exp, log
from statistics import fmean
from typing import Any

import pytest

from ddzbot.belief.worlds import Worlds, worlds_of_belief
from ddzbot.cards import RANKS, UNIT, count
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.chance import Generator
from ddzbot.kernel.codec import ROLLOUT_ARM, ROLLOUT_OPTIONS
from ddzbot.kernel.fast_net import FastNet, packed_view
from ddzbot.kernel.library import KernelError, Memory
from ddzbot.kernel.rollout import MOST_ARMS, MOST_POOLED, NativeRollout, RolloutOptions
from ddzbot.net.fast_features import GROUPS
from ddzbot.net.fast_twin import FastTwin
from ddzbot.rules import RULE_SETS
from ddzbot.view import View
from tests.kernel.bench import Bench as Spoilt
from tests.net.fast_models import random_seats, wishing_seat
from tests.net.positions import random_views
from tests.search.positions import endgame, lay

USUAL = RolloutOptions(arms=8, near=100_000, prior=0, sure=0)
LAID = next(group.first for group in GROUPS if group.meaning == "the move's cards")
World = tuple[int, int]


@pytest.fixture(scope="module")
def net(kernel: Kernel) -> FastNet:
    return FastNet(kernel, random_seats())


def search_of(net: FastNet, view: View, options: RolloutOptions = USUAL, seed: int = 7) -> NativeRollout:
    return NativeRollout(net, view, options, seed, Worlds(view, "uniform").in_kernel(net.kernel))


# Likelihoods.


def expected_likelihood(twin: FastTwin, view: View, world: World, heat: float) -> float:
    """
    Multiplies the shares that the hidden seats' moves have, where there was a choice; 2 % are any move.

    Each seat plays at one temperature of three, as likely the one as the others. The result is a logarithm.
    """
    held = {(view.seat + 1) % 3: world[0], (view.seat + 2) % 3: world[1]}
    products = {seat: [1.0, 1.0, 1.0] for seat in held}
    for index in reversed(range(len(view.plays))):
        seat, made = index % 3, view.plays[index]
        if seat == view.seat:
            continue
        held[seat] += made.cards
        worths = twin.values(view._replace(seat=seat, hand=held[seat], plays=view.plays[:index]))
        if len(worths) == 1:
            continue
        for style, temperature in enumerate((heat, 2 * heat, 4 * heat)):
            shares = {worth.move.cards: exp(worth.win / temperature) for worth in worths}
            products[seat][style] *= 0.98 * shares[made.cards] / sum(shares.values()) + 0.02 / len(shares)
    return sum(log(fmean(each)) for each in products.values())


@pytest.mark.parametrize(("name", "at", "heat"), [("mini", 7, 1000), ("mini", 14, 300), ("botzone", 11, 700)])
def test_a_world_is_as_likely_as_the_moves_that_were_made_in_it(net: FastNet, name: str, at: int, heat: int) -> None:
    view, twin = random_views(40, name)[at], FastTwin(random_seats())
    worlds = [(first, second) for first, second in Worlds(view, "uniform").samples(Generator(3), 3)]
    ours = search_of(net, view, USUAL._replace(drawn=1, heat=heat)).likelihoods(worlds)
    expected = [expected_likelihood(twin, view, world, heat / 1000) for world in worlds]
    assert ours == pytest.approx(expected, abs=1e-3)
    assert max(expected) - min(expected) > 0.01


def test_moves_without_a_choice_and_illegal_ones_say_nothing(net: FastNet) -> None:
    # The 5 and the 6 are too low for what the landlord laid; and before, all laid what is not a legal move.
    search = search_of(net, endgame(("4K", "5", "6"), 0), USUAL._replace(drawn=1))
    assert search.likelihoods([(lay("5").cards, lay("6").cards)]) == [0]


def test_no_single_move_rules_a_world_out(kernel: Kernel) -> None:
    # The landlord led the 4, and holds a 3, which it wants nothing but to lead, or a Q. One decision in fifty is any
    # of two moves. If the third seat holds the Q, it passed on an 8 before, one of two moves that it likes alike.
    net = FastNet(kernel, [wishing_seat({LAID: 90.0}), *[wishing_seat({})] * 2])
    search = search_of(net, endgame(("4Q", "57", "3"), 0, (lay("4"),)), USUAL._replace(drawn=1))
    three, queen = lay("3").cards, lay("Q").cards
    found = search.likelihoods([(three, queen), (queen, three)])
    assert found == pytest.approx([log(1 / 2), log(0.02 / 2) + log(1 / 2)], abs=1e-4)


def share_won(kernel: Kernel, liked: str, options: RolloutOptions) -> float:
    """How often the 5 wins against a landlord that likes to lead one card, led the 4, and holds a 3 or a Q."""
    wishes = {LAID + 4 * RANKS.index(liked): 5.0}
    net = FastNet(kernel, [wishing_seat(wishes), *[wishing_seat({})] * 2])
    search = search_of(net, endgame(("4Q", "57", "3"), 0, (lay("4"),)), options)
    search.run(400)
    return next(arm.mean for arm in search.arms() if arm.move == lay("5"))


@pytest.mark.parametrize(("liked", "rises"), [("3", False), ("Q", True)])
def test_worlds_in_which_the_play_makes_sense_come_more_often(kernel: Kernel, liked: str, rises: bool) -> None:
    # Who likes to lead a card and did not has it hardly ever. The 5 wins if the landlord cannot beat it with a Q.
    alike, weighed = (share_won(kernel, liked, USUAL._replace(drawn=drawn, heat=200)) for drawn in (0, 8))
    assert 0.4 < alike < 0.6
    assert weighed > 0.9 if rises else weighed < 0.1


@pytest.mark.parametrize(
    "spoil",
    [
        lambda first, second: (second, first),
        lambda first, second: (first - (first & -first), second + (first & -first)),
        lambda first, second: (first, second + 1),
        lambda first, second: (1 << 60, second),
    ],
)
def test_worlds_that_cannot_be_are_refused(net: FastNet, spoil: Callable[[int, int], World]) -> None:
    view = next(
        view for view in random_views(30) if view.cards_left((view.seat + 1) % 3) > view.cards_left((view.seat + 2) % 3)
    )
    first, second = Worlds(view, "uniform").sample(Generator(3))
    search = search_of(net, view, USUAL._replace(drawn=1))
    with pytest.raises(KernelError, match="ddz_rollout_likelihoods: bad cards"):
        search.likelihoods([spoil(first, second)])


def test_a_hand_that_is_not_unseen_is_refused(net: FastNet) -> None:
    # What is left for the other hand is none, though both add up to what is unseen.
    view = random_views(8)[7]
    first, _ = Worlds(view, "uniform").sample(Generator(3))
    more = next(UNIT[rank] for rank in range(12) if count(first, rank) == count(view.unseen, rank) < 4)
    less = next(UNIT[rank] for rank in range(12) if count(first, rank) and UNIT[rank] != more)
    odd = first + more - less
    with pytest.raises(KernelError, match="ddz_rollout_likelihoods: bad cards"):
        search_of(net, view, USUAL._replace(drawn=1)).likelihoods([(odd, (view.unseen - odd) % 2**64)])


def test_without_weighing_there_are_no_likelihoods(net: FastNet) -> None:
    view = random_views(8)[7]
    first, second = Worlds(view, "uniform").sample(Generator(3))
    with pytest.raises(KernelError, match="ddz_rollout_likelihoods: bad rules"):
        search_of(net, view).likelihoods([(first, second)])


# What is refused.


@pytest.mark.parametrize(
    "changes",
    [
        {"arms": 0},
        {"arms": 17},
        {"near": 1000001},
        {"prior": 100001},
        {"sure": 1000001},
        {"drawn": 17},
        {"drawn": 1, "heat": 0},
        {"heat": 1000001, "drawn": 1},
        {"by_score": 2},
        {"blend": 100001},
    ],
    ids=str,
)
def test_options_out_of_range_are_refused(net: FastNet, changes: dict[str, Any]) -> None:
    with pytest.raises(KernelError, match="ddz_rollout_init: bad index"):
        search_of(net, random_views(1)[0], USUAL._replace(**changes))


def test_worlds_of_another_view_are_refused(net: FastNet) -> None:
    first, *_, other = random_views(5)
    with pytest.raises(KernelError, match="ddz_rollout_init: bad game"):
        NativeRollout(net, first, USUAL, 7, Worlds(other, "uniform").in_kernel(net.kernel))


def test_a_mixture_of_tables_is_refused(net: FastNet) -> None:
    # The search weighs worlds by the one table that they were drawn from.
    view = random_views(1)[0]
    with pytest.raises(KernelError, match="ddz_rollout_init: bad game"):
        NativeRollout(net, view, USUAL, 7, worlds_of_belief(view, "report").in_kernel(net.kernel))


@pytest.mark.parametrize(
    "change",
    [
        lambda view: view._replace(hand=view.hand - (view.hand & -view.hand)),
        lambda view: view._replace(plays=()),
        lambda view: view._replace(stake=4),
        lambda view: view._replace(plays=(view.plays[0]._replace(rank=77), *view.plays[1:])),
    ],
    ids=["own hand", "plays", "stake", "rank"],
)
def test_views_that_contradict_themselves_are_refused(net: FastNet, change: Callable[[View], View]) -> None:
    view = random_views(9)[8]
    worlds = Worlds(view, "uniform").in_kernel(net.kernel)
    NativeRollout(net, view, USUAL, 7, worlds)
    with pytest.raises(KernelError, match="ddz_rollout_init: bad game"):
        NativeRollout(net, change(view), USUAL, 7, worlds)


class Bench(Spoilt):
    """All memory of the calls here."""

    def __init__(self, kernel: Kernel) -> None:
        self.library = kernel.library
        self.net, self.view = FastNet(kernel, random_seats()), random_views(9)[8]
        self.worlds = Worlds(self.view, "uniform")
        self.search = search_of(self.net, self.view, USUAL._replace(drawn=1))
        self.seen, self.plays = packed_view(self.view)
        self.options = Memory(ROLLOUT_OPTIONS.size)
        ROLLOUT_OPTIONS.pack_into(self.options.bytes, 0, 7, *USUAL)
        rules = kernel.compiled(RULE_SETS["botzone"]).address
        self.where = [self.net.address, rules, kernel.splits(RULE_SETS["botzone"])]
        self.pool, self.weights = Memory(16 * MOST_POOLED), Memory(4 * MOST_POOLED)
        self.arms, self.out, self.hands = Memory(ROLLOUT_ARM.size * MOST_ARMS), Memory(16), Memory(16)
        self.hands.words()[0], self.hands.words()[1] = self.worlds.sample(Generator(3))

    def good_calls(self) -> dict[str, list[Any]]:
        address = self.search._address
        worlds = self.worlds.in_kernel(self.net.kernel).address
        return {
            "ddz_rollout_layout": [self.out.address, 4],
            "ddz_rollout_likelihoods": [address, self.hands.address, 1, self.out.address],
            "ddz_rollout_worlds": [address, self.pool.address, self.weights.address, MOST_POOLED, self.out.address],
            "ddz_rollout_run": [address, 20],
            "ddz_rollout_arms": [address, self.arms.address, MOST_ARMS, self.out.address],
            "ddz_rollout_init": [address, *self.where, worlds, self.seen.address, self.options.address],
        }


def test_every_pointer_is_checked(kernel: Kernel) -> None:
    Bench(kernel).check_pointers()


@pytest.mark.parametrize("place", [1, 2, 3])
def test_memory_that_was_never_filled_is_refused(kernel: Kernel, place: int) -> None:
    bench, blank = Bench(kernel), Memory(1 << 20)
    good = bench.good_calls()["ddz_rollout_init"]
    assert bench.status("ddz_rollout_init", *good[:place], blank.address, *good[place + 1 :]) == "bad rules"


@pytest.mark.parametrize("entry", ["run", "arms", "likelihoods"])
def test_a_search_that_was_refused_cannot_be_used(kernel: Kernel, entry: str) -> None:
    bench = Bench(kernel)
    bench.plays.bytes[8] = 200
    calls = bench.good_calls()
    assert bench.status("ddz_rollout_init", *calls["ddz_rollout_init"]) == "bad game"
    assert bench.status("ddz_rollout_" + entry, *calls["ddz_rollout_" + entry]) == "bad rules"


def test_a_short_buffer_is_refused(kernel: Kernel) -> None:
    bench = Bench(kernel)
    number = len(bench.search.arms())
    good = bench.good_calls()["ddz_rollout_arms"]
    assert bench.status("ddz_rollout_arms", *good[:2], number - 1, good[3]) == "short buffer"
    assert bench.status("ddz_rollout_layout", bench.out.address, 2) == "short buffer"
