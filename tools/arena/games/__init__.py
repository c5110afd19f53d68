"""Lists, filters, opens and replays recorded games."""
