"""Players: one module each, found by name through the registry."""
