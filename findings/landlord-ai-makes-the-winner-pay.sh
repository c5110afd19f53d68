#!/usr/bin/env bash
# landlord-ai 0.1.37: the peasant who goes out pays its partner, and the landlord who lost pays nothing.
#
# Guess, written down before the first run: with three of the package's random players the landlord wins 36 % of the
# games, and the scores sum to zero.
#
# Seen (landlord-ai 0.1.37, 150 games, seed 1): the scores sum to zero. Where the peasants win, the one who goes out is
# paid -1 bet, its partner 1 and the landlord 0, in every game; where the landlord wins, 2, -1 and -1. A peasant that
# learns from these scores learns not to finish. The landlord wins some 40 %.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/venv"
"$place/venv/bin/pip" install -q --no-deps landlord-ai==0.1.37 numpy==2.3.5
"$place/venv/bin/python" - <<'PY'
import collections
import random
import sys
import types

# The players that learn import keras, which the package does not ask for; rules and random players need none of it.
for name in ("keras", "keras.callbacks", "keras.layers", "keras.models", "keras.optimizers"):
    module = types.ModuleType(name)
    module.__path__ = []
    module.__getattr__ = lambda attribute: object
    sys.modules[name] = module
from landlordai.game.landlord import LandlordGame
from landlordai.game.player import RandomPlayer

random.seed(1)
__import__("numpy").random.seed(1)
paid = collections.Counter()
for _ in range(150):
    game = LandlordGame([RandomPlayer(str(player)) for player in range(3)])
    game.play_round()
    if not game.has_winners():
        continue
    out = game.get_current_position()
    landlord = game.get_landlord_position()
    scores, bet = game.get_scores(), game.get_bet_amount()
    assert sum(scores) == 0
    by_role = (scores[out] / bet, scores[landlord] / bet, sorted(score / bet for score in scores))
    paid["landlord" if out == landlord else "peasant", by_role[0], by_role[1], *by_role[2]] += 1
for (who, *payment), games in paid.items():
    print(f"{who} goes out: it is paid {payment[0]}, the landlord {payment[1]}, all {payment[2:]}: {games} games")
assert set(paid) == {("peasant", -1, 0, -1, 0, 1), ("landlord", 2, 2, -1, -1, 2)}
assert all(games > 40 for games in paid.values())
PY
