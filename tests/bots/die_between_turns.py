"""Asks to be kept running, and ends at once: OK, and started again for each turn."""

import json
import sys

turn = len(json.loads(sys.stdin.readline())["requests"])
sys.stdout.write(json.dumps({"response": [turn]}) + "\n>>>BOTZONE_REQUEST_KEEP_RUNNING<<<\n")
