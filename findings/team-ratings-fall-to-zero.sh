#!/usr/bin/env bash
# openskill 6.2.0 and trueskill 0.4.5: three equal players who take turns as landlord are rated from 25 down to about 0.
#
# Guess, written down before the first run: with the landlord as a team of one and the peasants as a team of two, and
# each side winning half of the games, the three ratings stay within 1 of the 25 at which they begin.
#
# Seen: after 300 games all three means lie between -1 and 3 in both packages and in three models of openskill, after
# 3,000 games between -1 and 2. A team's strength is the sum of its members', so two peasants count as twice a landlord
# until everybody is worth nothing; before the first game openskill gives a new landlord 5 % (not 50) against two new
# peasants. The mean of a rating says nothing here, and a player who joins later with 25 stands above all others.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/venv"
"$place/venv/bin/pip" install -q openskill==6.2.0 trueskill==0.4.5
"$place/venv/bin/python" - <<'PY'
import random

import trueskill
from openskill.models import BradleyTerryFull, PlackettLuce, ThurstoneMostellerFull

MODELS = {model.__name__: model() for model in (PlackettLuce, BradleyTerryFull, ThurstoneMostellerFull)}
landlord, first, second = (MODELS["PlackettLuce"].rating() for _ in range(3))
chance = MODELS["PlackettLuce"].predict_win([[landlord], [first, second]])[0]
print(f"PlackettLuce, all new: the landlord wins {chance:.3f}")
assert abs(chance - 0.054) < 0.001, chance

MODELS["TrueSkill"] = trueskill.TrueSkill(draw_probability=0)
for name, model in MODELS.items():
    new = model.create_rating if name == "TrueSkill" else model.rating
    players, coin = [new(), new(), new()], random.Random(1)
    means = {}
    for game in range(1, 3001):
        seat = game % 3
        peasants = [player for player in range(3) if player != seat]
        ranks = [0, 1] if coin.random() < 0.5 else [1, 0]
        teams = [[players[seat]], [players[peasant] for peasant in peasants]]
        (players[seat],), (players[peasants[0]], players[peasants[1]]) = model.rate(teams, ranks=ranks)
        means[game] = [round(player.mu, 1) for player in players]
    print(f"{name}: begun at 25, after 300 games {means[300]}, after 3,000 {means[3000]}")
    assert all(-4 < mean < 5 for mean in means[300] + means[3000]), means
PY
