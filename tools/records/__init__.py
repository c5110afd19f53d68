"""
Game records: what was dealt, bid and played, as data, as text for people, as JSON lines, and as one-line
notations.
"""
