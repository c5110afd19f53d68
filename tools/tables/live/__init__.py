"""Playing on Botzone from this machine: the platform's interface for local AIs."""
