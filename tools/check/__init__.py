"""The steps of a bot's compliance check; :mod:`tools.check` is its command."""
