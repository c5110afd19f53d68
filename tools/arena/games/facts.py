"""What a list shows of one game, and the letters of its players."""

from collections.abc import Mapping
from functools import cached_property

from ddzbot.cards import size
from ddzbot.game import SEATS
from ddzbot.rules import BOMB, ROCKET, read_move

from ...records.faults import FaultOf, faults_in
from ...records.record import GameRecord
from ...records.sources import SourceGame

_BOMB_SIZES = (2, 4)


class GameFacts:
    """A game, and what is known of it without playing it again."""

    def __init__(self, game: SourceGame, letters: Mapping[int, str]) -> None:
        """*letters* are the players by position, from :meth:`Letters.of`."""
        self.number = game.number
        self.game = game
        self.record: GameRecord = game.record
        self.letters = letters

    @cached_property
    def bombs(self) -> int:
        """How many bombs and rockets were played."""
        played = (move.cards for move in self.record.moves if size(move.cards) in _BOMB_SIZES)
        return sum(read_move(self.record.rules, cards).kind in (BOMB, ROCKET) for cards in played)

    @cached_property
    def faults(self) -> list[FaultOf]:
        """What went wrong."""
        return faults_in(self.record)

    @property
    def moves(self) -> int:
        """How many moves there are, passes too."""
        return len(self.record.moves)

    @property
    def where(self) -> str:
        """The number of the game in its match, as ``--replay-game`` takes it; empty in other files."""
        return self.record.tags.get("Number", "")

    @property
    def set_number(self) -> int | None:
        """The number of the set, from 0; None for a game of no match."""
        parts = self.where.split(".")
        return int(parts[-2]) if len(parts) in (2, 3) and all(part.isdecimal() for part in parts) else None

    def seats_of(self, name: str) -> list[int]:
        """Lists the seats of a player, given by letter or by part of its name; none before there is a landlord."""
        if self.record.landlord_position is None:
            return []
        return [seat for seat in range(SEATS) if self.is_at(name, self.record.position_of(seat))]

    def is_at(self, name: str, position: int) -> bool:
        """Tests whether a player sits at a position."""
        if len(name) == 1 and name.isupper():
            return self.letters[position] == name
        return name in self.record.names[position]

    def won(self, seat: int) -> bool | None:
        """Tests whether the side of a seat has won; None if that is unknown."""
        winner = self.record.result.winner
        return None if winner is None else (winner == "landlord") == (seat == 0)


class Letters:
    """Gives each player a letter: the contestants of a match theirs, all others in the order in which they appear."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], str] = {}

    def of(self, record: GameRecord) -> dict[int, str]:
        """Gets the letters of a game by position."""
        seating = record.tags.get("Seating", "")
        by_letter: dict[str, set[str]] = {}
        for name, letter in zip(record.names, seating, strict=False):
            by_letter.setdefault(name, set()).add(letter)
        keys = {}
        for position, name in enumerate(record.names):
            # The same player on both sides has two letters.
            twice = len(by_letter.get(name, ())) > 1
            keys[position] = (name, seating[position] if twice else "")
        for _, key in sorted(zip(seating.ljust(SEATS), keys.values(), strict=False)):
            if key not in self._known:
                self._known[key] = _letter(len(self._known))
        return {position: self._known[key] for position, key in keys.items()}

    @property
    def names(self) -> list[tuple[str, str]]:
        """Lists (letter, name) of all players seen."""
        return [(letter, name) for (name, _), letter in self._known.items()]


def _letter(number: int) -> str:
    return chr(ord("A") + number) if number < 26 else f"P{number + 1}"
