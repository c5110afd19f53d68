"""Answers well, but leaves a process in a session of its own behind (its id is in debug): OK, and it is killed."""

import json
import os
import sys
import time

sys.stdin.readline()
reader, writer = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(writer, str(os.getpid()).encode())
        for descriptor in (0, 1, 2, reader, writer):
            os.close(descriptor)
        time.sleep(3600)
    os._exit(0)
os.wait()
sys.stdout.write(json.dumps({"response": [], "debug": int(os.read(reader, 20))}) + "\n")
