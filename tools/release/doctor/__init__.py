"""What will really play on this machine, and what to do about the rest."""
