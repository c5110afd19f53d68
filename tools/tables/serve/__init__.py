"""The table in a browser: rooms with seats and secret links, and what goes over the wire to each connection."""
