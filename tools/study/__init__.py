"""What shows, analyses and reviews games and positions."""
