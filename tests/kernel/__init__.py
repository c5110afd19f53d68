"""Tests of the C kernel against its reference implementation, the rules, and bad input."""
