"""A person plays in the terminal: what a line means, what is drawn, hints, and the course of a game."""
