"""The checks of ddzbot and of its tools; docs/tests.md says how to run them."""
