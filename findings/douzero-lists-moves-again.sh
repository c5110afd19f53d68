#!/usr/bin/env bash
# DouZero 1.1.0: a tenth of the moves that its generator lists for a lead are repeats, and they gather
# in few hands.
#
# Guess, written down before the first run: a fifth of the leads of 20 random cards list some move twice, and the repeats
# are one or two in a hundred entries.
#
# Seen (douzero 1.1.0, 2,000 random hands of 20 cards, seed 1): 600 leads have repeats, 18,767 of 178,173 entries
# (10.5 %), up to 149 in one hand. 11,727 are fours with two (type 13 of the package), 7,040 planes with single kickers
# (type 11); no other type. An agent that picks
# from the list at random, like the package's own RandomAgent, plays these far too often: remove the repeats before
# you count moves or compare with another generator.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/venv"
"$place/venv/bin/pip" install -q --no-deps douzero==1.1.0
"$place/venv/bin/python" - <<'PY'
import collections
import random
import sys
import types

# The package imports torch, gitpython and rlcard where it is imported; the generator itself needs none of them.
from pathlib import Path

package = types.ModuleType("douzero")
package.__path__ = [str(Path(next(path for path in sys.path if (Path(path) / "douzero").is_dir())) / "douzero")]
sys.modules["douzero"] = package
env = types.ModuleType("douzero.env")
env.__path__ = [package.__path__[0] + "/env"]
sys.modules["douzero.env"] = env
from douzero.env.move_detector import get_move_type
from douzero.env.move_generator import MovesGener

deck = [rank for rank in range(3, 15) for _ in range(4)] + [17] * 4 + [20, 30]
generator = random.Random(1)
leads = entries = repeats = most = 0
types_of_repeats = collections.Counter()
for _ in range(2000):
    moves = collections.Counter(tuple(sorted(move)) for move in MovesGener(sorted(generator.sample(deck, 20))).gen_moves())
    again = moves.total() - len(moves)
    leads, entries, repeats, most = leads + (again > 0), entries + moves.total(), repeats + again, max(most, again)
    for move, times in moves.items():
        if times > 1:
            types_of_repeats[get_move_type(list(move))["type"]] += times - 1
print(f"{leads} of 2000 leads, {repeats} of {entries} entries, at most {most} in a hand, by type {dict(types_of_repeats)}")
assert (leads, repeats, entries, most) == (600, 18767, 178173, 149)
assert set(types_of_repeats) == {11, 13}
PY
