"""Tests of the C kernel against its reference, the rules, and bad input."""
