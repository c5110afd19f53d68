"""Lists of matches that a document reports: played by one command, and written into it as tables and a picture."""
