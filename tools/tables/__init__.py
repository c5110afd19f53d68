"""Tables where people and bots play: terminal, browser, and the site."""
