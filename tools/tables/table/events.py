"""What happens at a table in front of everybody."""

from typing import NamedTuple

from ddzbot.cards import Hand
from ddzbot.game import Scores
from ddzbot.rules import Move


class BidMade(NamedTuple):
    """A bid. Where bids are not open, not everybody hears it: :meth:`tools.tables.table.table.Table.events_for`."""

    position: int
    bid: int
    stand_in: str = ""
    """Who bid in place of the player of that position, which did not."""


class LandlordNamed(NamedTuple):
    """Who is the landlord, what the game is worth, and the bottom: the auction is over, the landlord leads."""

    position: int
    stake: int
    bottom: Hand


class MoveMade(NamedTuple):
    """A move, and how long a player of the program thought about it; a person's time is not taken."""

    position: int
    seat: int
    move: Move
    seconds: float | None
    stand_in: str = ""
    """Who moved in place of the player of that position, which did not."""


class GameOver(NamedTuple):
    """Who went out, and what each seat is paid."""

    position: int
    seat: int
    scores: Scores
    """By seat."""


Event = BidMade | LandlordNamed | MoveMade | GameOver
