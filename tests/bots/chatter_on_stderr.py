"""Chatters on stderr, more than a pipe holds, before its answer: OK."""

import sys

sys.stdin.readline()
for number in range(10000):
    sys.stderr.write(f"node {number:05} of the tree\n")
sys.stdout.write('{"response":[]}\n')
