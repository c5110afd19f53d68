"""Which rule set a command takes that is told none."""

__all__ = ["DEFAULT_RULES", "ROW_RULES"]

DEFAULT_RULES = "botzone"
"""Of every command that plays, answers or trains: the rules of Botzone's busier game."""
ROW_RULES = "standard"
"""Of rows, which name none and come from programs that play so (:mod:`tools.records.from_rows`)."""
