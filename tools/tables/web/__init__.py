"""The bot in a page: static files alone, with Python, tools, kernel and networks inside."""
