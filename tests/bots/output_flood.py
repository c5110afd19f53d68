"""Prints without end: OLE."""

import sys

sys.stdin.readline()
while True:
    sys.stdout.write("3" * 1000)
