"""Results for people: terminal, Markdown, CSV, page, pictures."""
