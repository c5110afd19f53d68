#!/usr/bin/env bash
# Shimmy 2.0.0 over OpenSpiel's Dou Dizhu: the seed of an action space lasts for one step.
#
# Guess, written down before the first run: PettingZoo's seed_test passes; two environments with the same seed for the
# reset and for each action space play the same game when moves come from action_space(agent).sample(mask).
#
# Seen (shimmy 2.0.0, open-spiel 2.0.2, pettingzoo 1.25.0, CPython 3.11): seed_test ends with "Incorrect actions", since
# every step makes new action spaces without a seed. The deal repeats, the moves do not: of 20 pairs of games with
# equal seeds, none is played alike. Draw moves from a generator of your own.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/venv"
"$place/venv/bin/pip" install -q shimmy==2.0.0 open-spiel==2.0.2 pettingzoo==1.25.0 gymnasium==1.2.2 numpy==2.3.5
"$place/venv/bin/python" - <<'PY'
import warnings

import numpy as np
from pettingzoo.test import seed_test
from shimmy import OpenSpielCompatibilityV0

warnings.simplefilter("ignore")


def make():
    return OpenSpielCompatibilityV0(game_name="dou_dizhu")


try:
    seed_test(make, num_cycles=50)
except AssertionError as error:
    print("seed_test:", error)
    assert str(error).startswith("Incorrect actions"), error
else:
    raise AssertionError("seed_test passes")


def play(seed):
    env = make()
    env.reset(seed=seed)
    space = env.action_space("player_0")
    for agent in env.agents:
        env.action_space(agent).seed(seed)
    first, actions = env.last()[0].tolist(), []
    for agent in env.agent_iter(5000):
        _, _, terminated, truncated, info = env.last()
        if terminated or truncated:
            break
        actions.append(int(env.action_space(agent).sample(np.asarray(info["action_mask"], np.int8))))
        env.step(actions[-1])
    assert env.action_space("player_0") is not space
    return first, actions


pairs = [(play(seed), play(seed)) for seed in range(20)]
deals = sum(first[0] == second[0] for first, second in pairs)
games = sum(first[1] == second[1] for first, second in pairs)
print(f"of 20 pairs with equal seeds {deals} begin alike and {games} are played alike")
assert deals == 20 and games == 0
PY
