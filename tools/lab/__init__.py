"""The laboratory: what a developer measures before and after a change, to a lighter standard than a player's tools."""
