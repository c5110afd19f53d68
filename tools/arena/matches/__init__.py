"""The match itself: its plan, its tables, its duplicate sets, and the runner that plays them."""
