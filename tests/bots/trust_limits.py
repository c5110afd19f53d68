"""Plays well, but crashes when the envelope has limits that are no numbers: OK or RE, as the judge writes them."""

import io
import json
import sys

from obedient_one_shot import main

line = sys.stdin.readline()
seconds = json.loads(line).get("time_limit", 1000) / 1000
sys.stdin = io.StringIO(line)
main()
