"""Keeps running, and never flushes: what it answers stays in its own buffer while it waits for the next request."""

import json
import sys

from obedient_keep_running import MARKER
from obedient_one_shot import respond

requests, responses = [], []
for line in sys.stdin:
    message = json.loads(line)
    requests = message.get("requests", [*requests, message])
    responses = message.get("responses", responses)
    responses.append(respond(requests, responses))
    print(json.dumps({"response": responses[-1]}), MARKER, sep="\n")
