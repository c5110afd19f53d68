"""The rule set of a command without --rules."""

DEFAULT_RULES = "botzone"
"""Of every command that plays, answers or trains: the rules of Botzone's busier game."""
AUCTION_RULES = "botzone2"
"""Of every command that is about the auction: the rules of Botzone's game with bidding."""
