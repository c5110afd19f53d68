"""The arena: matches of two contestants, gauntlets, tournaments, classes and series, and what their results prove."""
