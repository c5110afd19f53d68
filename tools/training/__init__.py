"""How the networks learn."""
