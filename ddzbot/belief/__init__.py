"""Hidden hands: what is certain, what is likely, and worlds drawn from it."""
