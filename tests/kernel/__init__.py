"""Tests of the C kernel against its twin, the rules, and bad input."""
