"""Keeps running and plays well, but ends after its second answer: RE in turn 2 if it is to keep running."""

import json
import sys

from obedient_one_shot import respond

requests, responses = [], []
for line in sys.stdin:
    message = json.loads(line)
    requests += message.get("requests", [message])
    responses += message.get("responses", [])
    responses.append(respond(requests, responses))
    sys.stdout.write(json.dumps({"response": responses[-1]}) + "\n")
    if len(requests) > 1:
        break
    sys.stdout.write(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<\n")
    sys.stdout.flush()
