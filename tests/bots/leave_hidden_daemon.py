"""Answers well, but leaves a process without parent, session and environment behind (its id is in debug)."""

import json
import os
import sys

sys.stdin.readline()
reader, writer = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(writer, str(os.getpid()).encode())
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(null, descriptor)
        os.execve("/bin/sleep", ["sleep", "3600"], {})
    os._exit(0)
os.wait()
os.close(writer)
with os.fdopen(reader) as told:
    # Its end comes when the daemon has become another program, which closes the pipe.
    sys.stdout.write(json.dumps({"response": [], "debug": int(told.read())}) + "\n")
