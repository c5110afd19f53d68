"""What happens in public at a table."""

from typing import NamedTuple

from ddzbot.cards import Hand
from ddzbot.game import Scores
from ddzbot.rules import Move


class BidMade(NamedTuple):
    """A bid. If bids are hidden, only later bidders learn it: :meth:`tools.tables.table.table.Table.events_for`."""

    position: int
    bid: int
    fallback: str = ""
    """The fallback that bid in place of the player of that position."""


class LandlordNamed(NamedTuple):
    """The landlord, what the game is worth, and the bottom: the auction is over, the landlord leads."""

    position: int
    stake: int
    bottom: Hand


class MoveMade(NamedTuple):
    """A move, and how long a player of the program thought about it; a person's time is not taken."""

    position: int
    seat: int
    move: Move
    seconds: float | None
    fallback: str = ""
    """The fallback that moved in place of the player of that position."""


class GameOver(NamedTuple):
    """The player that went out, and what each seat is paid."""

    position: int
    seat: int
    scores: Scores
    """By seat."""


Event = BidMade | LandlordNamed | MoveMade | GameOver
