#!/usr/bin/env bash
# Shimmy 2.0.0 hands OpenSpiel's Dou Dizhu to PettingZoo and pays the three seats one, two and three times.
#
# Guess, written down before the first run: OpenSpielCompatibilityV0("dou_dizhu") plays a random game to its end, and
# the rewards that last() reports to the three finished seats are the game's own payments, which sum to zero.
#
# Seen (shimmy 2.0.0, open-spiel 2.0.2, pettingzoo 1.25.0, CPython 3.11): the seat that steps out first is paid once,
# the second twice, the third three times what the game says: 6, -3, -3 becomes 6, -6, -9. Of 100 seeded games, the 99
# that are not thrown in are paid so. PettingZoo's api_test passes. A learner that follows the usual agent_iter() loop
# learns from payments that depend on where a seat sits.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/venv"
"$place/venv/bin/pip" install -q shimmy==2.0.0 open-spiel==2.0.2 pettingzoo==1.25.0 gymnasium==1.2.2 numpy==2.3.5
"$place/venv/bin/python" - <<'PY'
import contextlib
import io
import warnings

import numpy as np
from pettingzoo.test import api_test
from shimmy import OpenSpielCompatibilityV0

warnings.simplefilter("ignore")
with contextlib.redirect_stdout(io.StringIO()) as report:
    api_test(OpenSpielCompatibilityV0(game_name="dou_dizhu"), num_cycles=300)
assert "Passed API test" in report.getvalue()

env = OpenSpielCompatibilityV0(game_name="dou_dizhu")
factors = []
for seed in range(100):
    env.reset(seed=seed)
    generator = np.random.RandomState(seed)
    rewards = {}
    for agent in env.agent_iter(5000):
        _, reward, terminated, truncated, info = env.last()
        if terminated or truncated:
            rewards[agent] = reward
            payments = dict(zip(env.possible_agents, env.game_state.returns()))
            env.step(None)
        else:
            env.step(int(generator.choice(np.flatnonzero(info["action_mask"]))))
    assert sum(payments.values()) == 0
    if any(payments.values()):
        factors.append(sorted(rewards[agent] / payments[agent] for agent in rewards))
    if seed == 0:
        print("payments of the game:", list(payments.values()), " rewards from last():", list(rewards.values()))
print(f"{len(factors)} games paid, each by the factors {factors[0]}")
assert factors == [[1.0, 2.0, 3.0]] * 99, factors
PY
