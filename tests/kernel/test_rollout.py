"""The search with the fast network in the kernel: how likely worlds are, and what is refused."""

import struct
from collections import Counter
from collections.abc import Callable
from math import log
from typing import Any

import pytest

from ddzbot.belief.worlds import Worlds, worlds_of_belief
from ddzbot.cards import RANKS
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.codec import ROLLOUT_ARM, ROLLOUT_OPTIONS
from ddzbot.kernel.fast_net import FastNet, packed_view
from ddzbot.kernel.library import KernelError, Memory
from ddzbot.kernel.rng import Generator
from ddzbot.kernel.rollout import MOST_ARMS, MOST_POOLED, NativeRollout, RolloutOptions
from ddzbot.net.fast_features import GROUPS
from ddzbot.net.fast_reference import FastReference
from ddzbot.rules import RULE_SETS
from ddzbot.view import View
from tests.kernel.bench import Bench as Spoilt
from tests.net.fast_models import random_seats, wishing_seat
from tests.net.positions import random_views
from tests.search.likelihood import log_likelihood
from tests.search.positions import endgame, move_of

USUAL = RolloutOptions(max_moves=8, margin=100_000, prior=0, prune_z=0)
PLAYED = next(group.first for group in GROUPS if group.meaning == "the move's cards")
FIRST_DRAWS = 128
"""A search draws so many worlds from the model, before it proposes others."""
World = tuple[int, int]


@pytest.fixture(scope="module")
def net(kernel: Kernel) -> FastNet:
    return FastNet(kernel, random_seats())


def search_of(net: FastNet, view: View, options: RolloutOptions = USUAL, seed: int = 7) -> NativeRollout:
    return NativeRollout(net, view, options, seed, Worlds(view, "uniform").in_kernel(net.kernel))


# Likelihoods.


def likelihoods(net: FastNet, view: View, heat: int = 200, seed: int = 7) -> dict[World, float]:
    """Gets the log of how likely the play was in each world of a search's first draws, up to a constant."""
    search = search_of(net, view, USUAL._replace(oversample=1, temperature=heat), seed)
    search.run(1)
    drawn = Counter(Worlds(view, "uniform").samples(Generator(seed), FIRST_DRAWS))
    weights = {(first, second): weight for first, second, weight in search.worlds()}
    assert weights.keys() == drawn.keys()
    return {world: log(weight / drawn[world]) for world, weight in weights.items()}


@pytest.mark.parametrize(("name", "at", "heat"), [("mini", 6, 1000), ("mini", 16, 300), ("botzone", 11, 700)])
def test_a_world_is_as_likely_as_the_moves_that_were_made_in_it(net: FastNet, name: str, at: int, heat: int) -> None:
    view, reference = random_views(40, name)[at], FastReference(random_seats())
    found = likelihoods(net, view, heat)
    worlds = [*found][:3]
    ours = [found[world] - found[worlds[0]] for world in worlds]
    expected = [log_likelihood(reference.values, view, world, heat / 1000) for world in worlds]
    assert ours == pytest.approx([each - expected[0] for each in expected], abs=1e-3)
    assert max(expected) - min(expected) > 0.01


def test_moves_without_a_choice_and_illegal_ones_say_nothing(net: FastNet) -> None:
    # The 5 and the 6 are too low for what the landlord played; and before, all played what is not a legal move.
    one, other = likelihoods(net, endgame(("4K", "5", "6"), 0)).values()
    assert one == pytest.approx(other)


def test_no_single_move_rules_a_world_out(kernel: Kernel) -> None:
    # The landlord led the 4, and holds a 3, which it wants nothing but to lead, or a Q. One decision in fifty is any
    # of two moves. If the third seat holds the Q, it passed on an 8 before, one of two moves that it likes alike.
    net = FastNet(kernel, [wishing_seat({PLAYED: 90.0}), *[wishing_seat({})] * 2])
    found = likelihoods(net, endgame(("4Q", "57", "3"), 0, (move_of("4"),)))
    three, queen = move_of("3").cards, move_of("Q").cards
    assert found[three, queen] - found[queen, three] == pytest.approx(-log(0.02 / 2), abs=1e-4)


def share_won(kernel: Kernel, liked: str, options: RolloutOptions) -> float:
    """How often the 5 wins against a landlord that likes to lead one card, led the 4, and holds a 3 or a Q."""
    wishes = {PLAYED + 4 * RANKS.index(liked): 5.0}
    net = FastNet(kernel, [wishing_seat(wishes), *[wishing_seat({})] * 2])
    search = search_of(net, endgame(("4Q", "57", "3"), 0, (move_of("4"),)), options)
    search.run(400)
    return next(arm.mean for arm in search.arms() if arm.move == move_of("5"))


@pytest.mark.parametrize(("liked", "rises"), [("3", False), ("Q", True)])
def test_worlds_in_which_the_play_makes_sense_come_more_often(kernel: Kernel, liked: str, rises: bool) -> None:
    # A player that likes to lead a card and did not hardly ever has it. The 5 wins if the landlord cannot beat it with
    # a Q.
    alike, weighed = (share_won(kernel, liked, USUAL._replace(oversample=drawn, temperature=200)) for drawn in (0, 8))
    assert 0.4 < alike < 0.6
    assert weighed > 0.9 if rises else weighed < 0.1


# What is refused.


@pytest.mark.parametrize(
    "changes",
    [
        {"max_moves": 0},
        {"max_moves": 17},
        {"margin": 1000001},
        {"prior": 100001},
        {"prune_z": 1000001},
        {"oversample": 17},
        {"oversample": 1, "temperature": 0},
        {"temperature": 1000001, "oversample": 1},
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
        self.search = search_of(self.net, self.view, USUAL._replace(oversample=1))
        self.cards = Memory.of(struct.pack("=Q", self.search.arms()[1].move.cards))
        self.seen, self.plays = packed_view(self.view)
        self.options = Memory(ROLLOUT_OPTIONS.size)
        ROLLOUT_OPTIONS.pack_into(self.options.bytes, 0, 7, *USUAL)
        rules = kernel.compiled(RULE_SETS["botzone"]).address
        self.where = [self.net.address, rules, kernel.splits(RULE_SETS["botzone"])]
        self.pool, self.weights = Memory(16 * MOST_POOLED), Memory(4 * MOST_POOLED)
        self.arms, self.out = Memory(ROLLOUT_ARM.size * MOST_ARMS), Memory(16)

    def good_calls(self) -> dict[str, list[Any]]:
        address = self.search._address
        worlds = self.worlds.in_kernel(self.net.kernel).address
        return {
            "ddz_rollout_layout": [self.out.address, 4],
            "ddz_rollout_worlds": [address, self.pool.address, self.weights.address, MOST_POOLED, self.out.address],
            "ddz_rollout_only": [address, self.cards.address, 1],
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


@pytest.mark.parametrize("entry", ["run", "only", "arms", "worlds"])
def test_a_search_that_was_refused_cannot_be_used(kernel: Kernel, entry: str) -> None:
    bench = Bench(kernel)
    bench.plays.bytes[8] = 200
    calls = bench.good_calls()
    assert bench.status("ddz_rollout_init", *calls["ddz_rollout_init"]) == "bad game"
    assert bench.status("ddz_rollout_" + entry, *calls["ddz_rollout_" + entry]) == "bad rules"


def test_only_named_moves_compete(net: FastNet) -> None:
    view = next(view for view in random_views(40) if len(view.legal_moves()) > USUAL.max_moves)
    everything = search_of(net, view).arms()
    named = [everything[3].move.cards, everything[1].move.cards]
    search = search_of(net, view)
    search.only(named)
    assert [arm.move.cards for arm in search.arms()] == named[::-1]
    search.run(200)
    assert all(arm.visits for arm in search.arms()) and search.playouts >= 200
    with pytest.raises(KernelError, match="ddz_rollout_only: bad game"):
        search.only(named)


def test_to_name_every_move_or_none_changes_nothing(net: FastNet) -> None:
    view = next(view for view in random_views(40) if len(view.legal_moves()) > USUAL.max_moves)
    found = []
    for named in (None, [], [move.cards for move in view.legal_moves()]):
        search = search_of(net, view)
        if named is not None:
            search.only(named)
        search.run(100)
        found.append(search.arms())
    assert found[0] == found[1] == found[2]


def test_no_legal_move_is_refused_and_ends_the_search(net: FastNet) -> None:
    search = search_of(net, random_views(9)[8])
    with pytest.raises(KernelError, match="ddz_rollout_only: bad game"):
        search.only([1 << 60])
    with pytest.raises(KernelError, match="ddz_rollout_run: bad rules"):
        search.run(1)


def test_a_short_buffer_is_refused(kernel: Kernel) -> None:
    bench = Bench(kernel)
    number = len(bench.search.arms())
    good = bench.good_calls()["ddz_rollout_arms"]
    assert bench.status("ddz_rollout_arms", *good[:2], number - 1, good[3]) == "short buffer"
    assert bench.status("ddz_rollout_layout", bench.out.address, 2) == "short buffer"
