"""Search: how long a player may think, and (thin over the kernel) what it does with that time."""
