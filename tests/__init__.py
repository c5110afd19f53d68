"""The checks of ddzbot and of its tools; docs/reference/tests.md says how to run them."""
