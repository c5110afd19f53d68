"""What is known about a position: how good each move is, and where the hidden cards are."""
