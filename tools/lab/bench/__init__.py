"""Benchmarks of kernel, networks and browser page."""
