"""Seeds as Gymnasium means them, copies that share nothing, and what is handed over wrongly."""

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ddzbot.env import DouDizhu, Seat
from tests.env.needs import need_packages
from tests.support import ROOT

MAKE: list[Callable[[], Any]] = [lambda: DouDizhu("botzone2"), lambda: Seat("botzone2", ("random", "rule"), None)]
COPY: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))]
pytestmark = pytest.mark.whole
of_each = pytest.mark.parametrize("make", MAKE, ids=["DouDizhu", "Seat"])


@pytest.fixture(autouse=True)
def _packages() -> None:
    need_packages()


def deals(environment: Any, count: int) -> list[Any]:
    found = []
    for _ in range(count):
        environment.reset()
        found.append((environment.table.deal.hands, getattr(environment, "position", None)))
    return found


@of_each
def test_without_a_seed_each_environment_deals_games_of_its_own(make: Callable[[], Any]) -> None:
    assert len({hands for _ in range(4) for hands, _ in deals(make(), 2)}) == 8


def test_without_a_seed_each_process_deals_games_of_its_own() -> None:
    code = "from ddzbot.env import Seat; one = Seat(); one.reset(); print(one.table.deal.hands)"
    seen = {subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT).stdout for _ in range(3)}
    assert len(seen) == 3 and all(seen)


@of_each
def test_a_seed_repeats_and_later_games_follow_from_it(make: Callable[[], Any]) -> None:
    one, other = make(), make()
    found = []
    for environment in (one, other, one):
        environment.reset(seed=5)
        found.append([environment.table.deal.hands, *deals(environment, 3)])
    assert found[0] == found[1] == found[2]
    assert len({*map(str, found[0])}) == 4
    one.reset(seed=np.int64(5))
    assert one.table.deal.hands == found[0][0]


@of_each
def test_what_is_no_seed_is_refused_and_changes_nothing(make: Callable[[], Any]) -> None:
    environment = make()
    environment.reset(seed=5)
    before = environment.table
    for seed in ("x", 1.5, float("nan"), True, [1], 2j):
        with pytest.raises(TypeError, match="seed must be a whole number, not "):
            environment.reset(seed=seed)
    with pytest.raises(ValueError, match="seed must be 0 or more, not -1"):
        environment.reset(seed=-1)
    assert environment.table is before


@of_each
def test_what_is_no_action_is_refused_and_changes_nothing(make: Callable[[], Any]) -> None:
    environment = make()
    environment.reset(seed=5)
    before, choices = environment.table.bids, environment.table.choices()
    for action in ("1", 0.9, 1.0, float("nan"), float("inf"), 1j, True, np.bool_(True), np.float32(1), None, [1]):
        with pytest.raises(TypeError, match="an action must be a whole number, not "):
            environment.step(action)
    for action in (-1, environment.actions.count, 1 << 70):
        with pytest.raises(IndexError, match="an action must be a number from 0 to "):
            environment.step(action)
    assert (environment.table.bids, environment.table.choices()) == (before, choices)
    assert environment.table.points is None
    environment.step(np.int64(environment.actions.number(choices[-1])))


def played(environment: Any) -> list[Any]:
    """Plays the first game on, and two more, always the last choice."""
    seen: list[Any] = []
    for _ in range(3):
        while environment.table.points is None:
            environment.step(environment.actions.number(environment.table.choices()[-1]))
        seen.append((environment.table.game, environment.table.points))
        environment.reset()
    return seen


@of_each
@pytest.mark.parametrize("copied", COPY, ids=["copy", "deepcopy", "pickle"])
def test_copies_share_nothing_and_play_alike(make: Callable[[], Any], copied: Callable[[Any], Any]) -> None:
    one = make()
    one.reset(seed=3)
    one.step(one.actions.number(one.table.choices()[-1]))
    other = copied(one)
    before = (one.table.bids, one.table.game, one.table.points)
    expected = played(other)
    assert (one.table.bids, one.table.game, one.table.points) == before
    assert played(one) == expected and len(expected) == 3
