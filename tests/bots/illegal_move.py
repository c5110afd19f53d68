"""Plays a card that it does not hold: OK for the process runner, the referee has to see it."""

import json
import sys

own = json.loads(sys.stdin.readline())["requests"][0]["own"]
card = next(card for card in range(54) if card not in own)
sys.stdout.write(json.dumps({"response": [card]}) + "\n")
