"""What each move of a recorded game lost against the best one, by the champion: in the terminal and as a page."""
