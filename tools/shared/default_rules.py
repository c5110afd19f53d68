"""Which rule set a command takes that is told none."""

DEFAULT_RULES = "botzone"
"""Of every command that plays, answers or trains: the rules of Botzone's busier game."""
AUCTION_RULES = "botzone2"
"""Of every command that is about the auction: the rules of Botzone's game with bidding."""
