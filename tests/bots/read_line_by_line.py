"""Plays well, answers a line at once, and then waits for another one until its input ends: OK."""

import json
import sys

from obedient_one_shot import respond

for line in sys.stdin:
    game = json.loads(line)
    sys.stdout.write(json.dumps({"response": respond(game["requests"], game["responses"])}) + "\n")
    sys.stdout.flush()
