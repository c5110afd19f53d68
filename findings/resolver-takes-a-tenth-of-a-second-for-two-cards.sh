#!/usr/bin/env bash
# doudizhu-resolver 0.1.2: to see that one card goes out costs 200,000 calls of Python functions.
#
# Guess, written down before the first run: with one card in each hand it answers within a millisecond, and each card
# that both hands get makes it five times slower.
#
# Seen (doudizhu-resolver 0.1.2): 205,053 calls for one card each, a tenth of a second; 1.0, 2.7 and 5.5 million for 2,
# 3 and 4 cards (factors 5.0, 2.6, 2.1). For every lead it tries all 34,173 rows of its table of types, whatever the
# hand. So small endgames say nothing about large ones, and a ratio of speeds depends on the sizes.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/venv"
"$place/venv/bin/pip" install -q doudizhu-resolver==0.1.2
"$place/venv/bin/python" - <<'PY'
import cProfile
import pstats

import doudizhu_resolver

HANDS = [("3s", "4s"), ("3s-4h", "5s-6s"), ("3s-4h-5d", "6s-7s-8s")]
calls = []
for mine, others in HANDS:
    doudizhu_resolver.clear_cache()
    profile = cProfile.Profile()
    profile.runcall(doudizhu_resolver.is_winable, mine, others)
    calls.append(pstats.Stats(profile).total_calls)
    print(f"{mine} against {others}: {calls[-1]:,} calls")
assert 190_000 < calls[0] < 220_000
assert 4.5 < calls[1] / calls[0] < 5.5 and 2.2 < calls[2] / calls[1] < 3
PY
