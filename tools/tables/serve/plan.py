"""What a table is made from: what all tables share, what its own is, and where its deals come from."""

from collections.abc import Callable
from hashlib import sha256
from typing import NamedTuple

from ddzbot.rules import RuleSet
from ddzbot.search.limit import Limit

from ...records.record import GameRecord
from ..table.thinking import Thinkers
from .reviews import ReviewQueue

SPARE = 1.1
"""A thought and its way to the table take so many times what the thought alone takes, at most."""


class ServerConfig(NamedTuple):
    """What is the same at every table."""

    thinkers: Thinkers
    limit: Limit
    """Of one decision of a bot."""
    hint_limit: Limit
    pace: float
    """Seconds that lie at least between two moves of bots, so that people can follow; see :class:`Pace`."""
    review_queue: ReviewQueue
    """Where finished games are reviewed."""
    finished: Callable[[GameRecord], None] = lambda record: None
    """Is told the record of every game that was played to its end."""


class Pace:
    """
    How long every act of a table's bots takes until it is shown, forced or not: the time must not reveal cards.

    That is *least* seconds, or longer where a *limit* that is in seconds alone lets bots think for longer. Under any
    other limit it is as long as the longest thought so far.
    """

    def __init__(self, least: float, limit: Limit) -> None:
        self._least = least
        self._longest = 0.0 if limit.seconds is None or limit.playouts is not None else limit.seconds

    @property
    def seconds(self) -> float:
        """What lies between the beginning of an act and the moment in which it is shown."""
        return max(self._least, SPARE * self._longest)

    def took(self, seconds: float) -> None:
        """Notes how long a bot thought that had a choice."""
        self._longest = max(self._longest, seconds)


class TableSetup(NamedTuple):
    """What a table is made from."""

    name: str
    number: int
    """Which table of the server, from 1."""
    rules: RuleSet
    who: tuple[str, str, str]
    start: GameRecord | None = None
    """Where the game of a board begins, or that of a table that was kept; None for a new game."""


def game_seed(root: str, number: int) -> int:
    """Draws the seed of a game: from one game's record the next cannot be computed."""
    return int.from_bytes(sha256(f"{root}/{number}".encode()).digest()[:8], "big") >> 1
