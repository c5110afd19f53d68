"""The arena: duplicate matches between two contestants, and what their results prove."""
