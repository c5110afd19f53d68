"""Needs most of a second before it reads: TLE or OK, as the limit is."""

import sys
import time

time.sleep(0.8)
sys.stdin.readline()
sys.stdout.write('{"response":[]}\n')
