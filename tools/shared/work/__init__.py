"""How work is done in processes of our own, and how nothing outlives the one that began it."""
