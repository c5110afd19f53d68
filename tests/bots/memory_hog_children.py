"""Takes little itself, but its two children take 90 MiB each: MLE under a limit of 128 MiB."""

import os
import sys
import time

sys.stdin.readline()
for _ in range(2):
    if os.fork() == 0:
        hog = b"x" * (90 << 20)
        time.sleep(3600)
time.sleep(3600)
