"""Answers well, then ends with exit code 3: RE."""

import sys

sys.stdin.readline()
sys.stdout.write('{"response":[]}\n')
sys.stdout.flush()
sys.exit(3)
