"""Protocols: text in, text out. Nothing here chooses a move."""
