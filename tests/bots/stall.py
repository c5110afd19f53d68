"""Reads its line and never answers: TLE."""

import sys
import time

sys.stdin.readline()
time.sleep(3600)
