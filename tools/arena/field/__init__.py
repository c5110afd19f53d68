"""Programs that others handed in: a folder of them is compiled, checked, and plays a match."""
