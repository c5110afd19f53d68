"""What a match keeps: results and games, and the programs and versions they come from."""
