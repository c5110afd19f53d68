"""Many threads that ask at once: each hears what it would hear alone."""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any

import pytest

from ddzbot import kernel as kernel_choice
from ddzbot.api import BidView, Limit, RuleSet, View, analyse, bid, choose, rule_set, shuffled
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.fast_net import FastNet
from tests.net.fast_models import random_seats
from tests.net.positions import random_views
from tests.platforms import PLATFORMS

THREADS = 6
PLAYERS = ("champion", "champion:search=none", "mcm", "mctshs", "rhcp", "cql")
FEW = Limit(playouts=20)

Call = Callable[[], object]


@pytest.fixture
def hasty_threads() -> Iterator[None]:
    """Python goes from thread to thread as often as it can."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def questions(seed: int, view: View) -> list[Call]:
    player = PLAYERS[seed % len(PLAYERS)]
    return [lambda: choose(view, FEW, seed=seed), lambda: choose(view, FEW, player, seed), lambda: analyse(view, FEW)]


def bids(rules: RuleSet) -> list[Call]:
    views = [BidView(rules, shuffled(rules, f"bid/{number}").hands[0], ()) for number in range(10)]
    return [partial(bid, view) for view in views]


@pytest.mark.whole
@pytest.mark.usefixtures("with_kernel", "hasty_threads")
def test_many_threads_hear_what_one_hears() -> None:
    views = [view for name in PLATFORMS for view in random_views(4, name) if len(view.legal_moves()) > 1]
    calls = [call for seed, view in enumerate(views) for call in questions(seed, view)]
    calls += bids(rule_set("botzone2"))
    alone = [call() for call in calls]
    with ThreadPoolExecutor(THREADS) as pool:
        together = [answer.result() for answer in [pool.submit(call) for call in calls]]
    assert sum(ours != theirs for ours, theirs in zip(together, alone, strict=True)) == 0


def test_a_network_values_two_views_at_once(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    net = FastNet(kernel, random_seats())
    first, *_, second = random_views(5)
    alone = [net.values(first), net.values(second)]
    call, between = kernel.library.call, []

    def call_and_change_thread(name: str, *arguments: Any) -> None:
        call(name, *arguments)
        if name == "ddz_net_values" and not between:
            between.append(name)
            between.append(net.values(second))

    monkeypatch.setattr(kernel.library, "call", call_and_change_thread)
    assert [net.values(first), between[1]] == alone


@pytest.mark.parametrize("entry", ["ddz_rules_init", "ddz_splits_init"])
def test_threads_that_need_a_table_at_once_get_the_same(
    kernel: Kernel, entry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh, both = Kernel(kernel.library.path), Barrier(2, timeout=250)
    call, rules = fresh.library.call, rule_set("botzone")

    def call_together(name: str, *arguments: Any) -> None:
        call(name, *arguments)
        if name == entry:
            both.wait()

    monkeypatch.setattr(fresh.library, "call", call_together)
    with ThreadPoolExecutor(2) as pool:
        addresses = list(pool.map(lambda _: (fresh.compiled(rules).address, fresh.splits(rules)), range(2)))
    assert addresses == [(fresh.compiled(rules).address, fresh.splits(rules))] * 2


def test_threads_that_look_for_a_kernel_at_once_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    both, choose_alone = Barrier(2, timeout=250), kernel_choice.choose

    def choose_together(environment: dict[str, str]) -> kernel_choice.Choice:
        both.wait()
        return choose_alone(environment)

    monkeypatch.setattr(kernel_choice, "_choice", None)
    monkeypatch.setattr(kernel_choice, "_made", [], raising=False)
    monkeypatch.setattr(kernel_choice, "choose", choose_together)
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda _: kernel_choice.native(), range(2)))
    assert found[0] is found[1] is kernel_choice.native()
