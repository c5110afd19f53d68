"""Plays well, with 2 KiB of debug in every answer: OK, and the compliance check has to see it."""

import json
import sys

from obedient_one_shot import respond

game = json.loads(sys.stdin.readline())
sys.stdout.write(json.dumps({"response": respond(game["requests"], game["responses"]), "debug": "x" * 2048}) + "\n")
