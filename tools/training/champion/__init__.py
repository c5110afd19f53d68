"""The champion: its network, the self-play that trains it, and the gate that it passes."""
