"""Takes 200 MiB, and never answers: MLE under a lower limit."""

import sys
import time

sys.stdin.readline()
hog = b"x" * (200 << 20)
time.sleep(3600)
