"""Observations are what their definition says, for every player and at every moment, with a kernel and without."""

import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from ddzbot.env import DouDizhu, Seat
from ddzbot.env.layout import SEEN, Choice, seen, seen_in_auction
from ddzbot.env.table import Dealer, Table
from ddzbot.game import SEATS
from ddzbot.rules import RULE_SETS, RuleSet
from ddzbot.view import BidView, View
from tests.env.needs import need_packages
from tests.support import ROOT

# Of observations, masks, legal actions and rewards in three games of each rule set, made of views alone.
PINNED = "5eb8fba59da28baf"


def defined(table: Table, position: int) -> list[int]:
    """Lists what a player sees, from its view alone."""
    if table.game is None:
        if position == table.position:
            return seen(BidView(table.rules, table.deal.hands[position], table.bids))
        return list(seen_in_auction(table.rules, table.deal.hands[position], table.bids, position))
    return seen(View.of(table.game, (position - table.game.landlord_position) % SEATS))


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_every_player_sees_what_its_view_defines(rules: RuleSet) -> None:
    dealer, chance = Dealer(rules), random.Random(f"seen/{rules.name}")
    for seed in range(40):
        table = dealer.table(seed)
        while table.points is None:
            for position in range(SEATS):
                row = table.seen(position)
                assert len(row) == SEEN and list(row) == defined(table, position)
            assert table.game is None or table.position == (table.game.landlord_position + table.game.seat) % SEATS
            choices = table.choices()
            # Often the largest: so bombs, rockets and long chains are played while the others hold much.
            largest: Choice = max(choices, key=lambda one: one if isinstance(one, int) else one.size)
            table.choose(largest if chance.random() < 0.4 else chance.choice(choices))
        assert [list(table.seen(position)) for position in range(SEATS)] == [
            defined(table, position) for position in range(SEATS)
        ]


PROGRAM = """
import hashlib, random, sys
import numpy as np
from ddzbot.env import DouDizhu, Seat
sums = hashlib.sha256()
def add(observation, *more):
    for part in (observation["observation"], observation["action_mask"]):
        sums.update(repr((part.dtype.str, part.shape)).encode() + part.tobytes())
    sums.update(repr(more).encode())
chance = random.Random(1)
for rules in sys.argv[1:]:
    agents, seat = DouDizhu(rules), Seat(rules, ("random", "rule"), None)
    for seed in range(3):
        agents.reset(seed=seed)
        for agent in agents.agent_iter():
            observation, reward, over, cut, info = agents.last()
            for name in agents.possible_agents:
                add(agents.observe(name))
            legal = np.flatnonzero(observation["action_mask"]).tolist()
            assert info.get("legal_actions", legal) == legal, info
            add(observation, agent, float(reward), over, cut, legal)
            agents.step(None if over else chance.choice(legal))
        observation, info = seat.reset(seed=seed)
        over, reward = False, 0.0
        while True:
            legal = np.flatnonzero(observation["action_mask"]).tolist()
            assert info.get("legal_actions", legal) == legal, info
            add(observation, float(reward), over, seat.position, legal)
            if over:
                break
            observation, reward, over, cut, info = seat.step(chance.choice(legal))
print(sums.hexdigest()[:16])
"""


@pytest.mark.whole
@pytest.mark.parametrize("kernel", ["", "1"], ids=["kernel", "no kernel"])
def test_the_games_of_a_seed_are_the_same_to_the_last_bit(kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    need_packages()
    monkeypatch.setenv("DDZ_NO_KERNEL", kernel)
    done = subprocess.run([sys.executable, "-c", PROGRAM, *RULE_SETS], capture_output=True, text=True, cwd=ROOT)
    assert done.stdout.strip() == PINNED, done.stderr


@pytest.mark.whole
@pytest.mark.parametrize("make", [DouDizhu, Seat])
def test_the_arrays_of_an_observation_are_its_own(make: Any) -> None:
    need_packages()
    environment = make("mini")
    environment.reset(seed=1)
    position = environment.table.position
    first, second = environment._seen_at(position), environment._seen_at(position)
    for part, kind, length in (("observation", np.uint8, SEEN), ("action_mask", np.int8, environment.actions.count)):
        array = first[part]
        assert array.dtype == kind and array.shape == (length,) and array.flags.writeable
        before = second[part].copy()
        array[:] = 77
        assert np.array_equal(second[part], before)
        assert np.array_equal(environment._seen_at(position)[part], before)
