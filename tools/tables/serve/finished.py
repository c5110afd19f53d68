"""The finished games of a table: only the last ones."""

from collections.abc import Iterable

from ...records.record import GameRecord
from .saved_table import SavedGame

MOST_GAMES = 20
"""A table keeps the records of so many finished games; with each further one the oldest goes."""


class FinishedGames:
    """The records of the last games by their numbers, such as ``games.get(3)``."""

    def __init__(self, games: Iterable[SavedGame] = ()) -> None:
        # As text: one game as objects, with its bots' comments, would take many times the space.
        self._games = {game.number: game for game in games}

    def add(self, game: SavedGame) -> None:
        """Keeps a game."""
        self._games[game.number] = game
        while len(self._games) > MOST_GAMES:
            del self._games[min(self._games)]

    def before(self, number: int) -> list[SavedGame]:
        """Lists the games before that number, in order."""
        return [self._games[game] for game in sorted(self._games) if game < number]

    def get(self, number: int) -> GameRecord | None:
        """Gets a record, None if there is none of that number or it was too long ago."""
        game = self._games.get(number)
        return None if game is None else game.record
