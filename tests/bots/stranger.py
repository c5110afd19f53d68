"""Plays well, but with the habits that its arguments name, as strangers' bots have them."""

import json
import os
import sys
import time

from obedient_one_shot import respond

MARKER = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
habits = sys.argv[1:]
end = "\r\n" if "cr-lf" in habits else "\n"
requests, responses = [], []
for line in sys.stdin.buffer:
    message = json.loads(line)
    requests += message.get("requests", [message])
    responses += message.get("responses", [])
    if "slow-first" in habits and len(requests) == 1:
        time.sleep(0.3)
    responses.append(respond(requests, responses))
    answer = {"response": responses[-1]}
    if "long-debug" in habits:
        answer["debug"] = "x" * 1_000_000
    if "too-long-debug" in habits:
        answer["debug"] = "x" * (1 << 20)
    if "child" in habits:
        answer["debug"] = os.fork()
        if answer["debug"] == 0:
            os.setsid()
            time.sleep(3600)
    if "text-before" in habits:
        sys.stdout.buffer.write(b"thinking" + end.encode())
    sys.stdout.buffer.write((json.dumps(answer) + end).encode())
    if "marker" in habits:
        sys.stdout.buffer.write((MARKER + end).encode())
    sys.stdout.buffer.flush()
    if "stays" not in habits:
        break
