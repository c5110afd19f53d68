"""Plays well, and reads its input to the end before it answers, as many published bots do: OK."""

import json
import sys

from obedient_one_shot import respond

game = json.loads(sys.stdin.read())
sys.stdout.write(json.dumps({"response": respond(game["requests"], game["responses"])}))
