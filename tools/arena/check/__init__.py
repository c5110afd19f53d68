"""The steps of a bot's compliance check; :mod:`tools.arena.check` is its command."""
