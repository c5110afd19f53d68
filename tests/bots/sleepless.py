"""Keeps running, with a child in a session of its own that counts on while the bot is stopped."""

import json
import os
import sys
import time

MARKER = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"

reader, writer = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:  # an orphan, too
        while True:
            os.write(writer, b"x")
            time.sleep(0.01)
    os._exit(0)
os.wait()
for _ in sys.stdin:
    time.sleep(0.3)
    count = len(os.read(reader, 1 << 16))  # at least one: it waits for the child
    print(json.dumps({"response": [3], "debug": count}), MARKER, sep="\n", flush=True)
