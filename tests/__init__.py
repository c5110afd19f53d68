"""The checks of ddzbot and of its tools; tests/README.md says how to run them."""
