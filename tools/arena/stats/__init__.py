"""Numbers: the row of a set, statistics, estimates, SPRT and ratings. No process, no file, no screen."""
