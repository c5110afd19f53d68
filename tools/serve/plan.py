"""What a table is made from: what all tables share, what its own is, and where its deals come from."""

from hashlib import sha256
from typing import NamedTuple

from ddzbot.rules import RuleSet
from ddzbot.search.limit import Limit

from .reviews import Desk
from .thinking import Thinkers

__all__ = ["House", "Plan", "game_seed"]


class House(NamedTuple):
    """What is the same at every table."""

    thinkers: Thinkers
    limit: Limit
    """Of one decision of a bot."""
    hint_limit: Limit
    pace: float
    """Seconds that lie at least between two moves of bots, so that people can follow."""
    desk: Desk
    """Where finished games are reviewed."""


class Plan(NamedTuple):
    """What a table is made from."""

    name: str
    number: int
    """Which table of the server, from 1."""
    rules: RuleSet
    who: tuple[str, str, str]


def game_seed(root: str, number: int) -> int:
    """Draws the seed of a game: from one game's record nobody can compute the next."""
    return int.from_bytes(sha256(f"{root}/{number}".encode()).digest()[:8], "big") >> 1
