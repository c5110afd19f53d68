"""Prints a line of chatter before its answer: NJ."""

import sys

sys.stdin.readline()
sys.stdout.write('searching...\n{"response":[]}\n')
