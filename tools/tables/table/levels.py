"""
The levels that people choose among, weakest first: each one player with a limit.

All are the champion. The lower ones have no search, and draw each move at a temperature: the higher it is, the more
often they play a move that their network thinks worse. The Elo are those of ``results/levels``.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ...shared.language import chinese
from ...shared.message import Message, english


class Level(NamedTuple):
    """A level."""

    word: Message
    """Its name, in both languages."""
    player: str
    """The player as one writes it."""
    elo: int
    """In a tournament of all levels, whose mean is 0."""
    limit: str = ""
    """The limit of a decision, where a command names no other one; empty for a player that has no search."""

    @property
    def name(self) -> str:
        """What it is called where a player is named."""
        return english(self.word)


LEVELS = (
    Level(Message("beginner"), "champion:search=none,move_temperature=4.5", -342),
    Level(Message("casual"), "champion:search=none,move_temperature=1.3", -187),
    Level(Message("good"), "champion:search=none,move_temperature=0.66", -20),
    Level(Message("strong"), "champion:search=none,move_temperature=0.3", 132),
    Level(Message("best"), "champion", 272, limit="1s"),
)
BEST = LEVELS[-1]
PROPOSED = LEVELS[1]
"""What people are offered first: a level that somebody who plays now and then can beat."""
NAMES = tuple(level.name for level in LEVELS)
_PLAYERS = {level.name: level.player for level in LEVELS}
_WORDS = {level.name: level.word for level in LEVELS}


def choices(first: str, others: Sequence[str]) -> tuple[str, ...]:
    """Lists the bots that a start page offers: the *first*, which it proposes, then the levels, then the *others*."""
    return tuple(dict.fromkeys((first, *NAMES, *others)))


def player_text(text: str) -> str:
    """Gets the player of a level; any other text stays as it is. For example ``player_text("best") == "champion"``."""
    return _PLAYERS.get(text, text)


def level_word(name: str) -> str:
    """Gets what people call a player: a level has a name in each language."""
    return _WORDS.get(name, name)


def level_named(text: str) -> str:
    """Gets the name of a level from its name in English or Chinese; any other text stays as it is."""
    return {chinese(level.word): level.name for level in LEVELS}.get(text, text)
