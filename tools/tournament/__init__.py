"""Tournaments of everybody against everybody, in which neighbours meet more often and players are added later."""
