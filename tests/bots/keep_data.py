"""Plays well as long as it gets back its data, in which it counts its turns."""

import json
import sys

from obedient_one_shot import respond

game = json.loads(sys.stdin.readline())
if game.get("data", 0) + 1 != len(game["requests"]):
    raise RuntimeError("no data")
answer = {"response": respond(game["requests"], game["responses"]), "data": len(game["requests"])}
sys.stdout.write(json.dumps(answer) + "\n")
