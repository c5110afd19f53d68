"""The rules of the platform's judges: what they accept, say and pay, turn by turn."""
