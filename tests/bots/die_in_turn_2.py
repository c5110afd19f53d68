"""Keeps running, and crashes over its second request: RE in turn 2."""

import sys

sys.stdin.readline()
sys.stdout.write('{"response":[]}\n>>>BOTZONE_REQUEST_KEEP_RUNNING<<<\n')
sys.stdout.flush()
sys.stdin.readline()
raise RuntimeError("no second move")
