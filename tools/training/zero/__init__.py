"""Deep Monte Carlo as DouZero does it: games against itself, and three networks that learn how they ended."""
