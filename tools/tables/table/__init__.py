"""A live game: persons and players at one table, with nothing about how a person is asked or shown anything."""
