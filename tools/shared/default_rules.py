"""The rule set of a command without --rules."""

DEFAULT_RULES = "botzone"
"""Of every command that plays, answers or trains: the rules of Botzone's busier game."""
AUCTION_RULES = "botzone2"
"""Of what is about the auction, and of pages for people: Botzone's game with bidding, the one that they know."""
