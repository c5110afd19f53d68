"""
Single decisions to ask of a bot: a deal for each game, what the other players say, and which answer is judged.

The deals are of the platform's sizes, and player 0 holds the rocket.
"""

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from ddzbot.cards import CARD_IDS

from ...judge.process import Answer, Limits
from ...referee.games import make_referee
from ...referee.referee import Output

__all__ = ["BIDS", "DEALS", "FOLLOWS", "GAMES", "LEADS", "PASSES", "Scene", "Scripted", "opening_request"]

FTL1, FTL2 = "FightTheLandlord", "FightTheLandlord2"
GAMES = (FTL1, FTL2)
ROCKET = [52, 53]


def _cards() -> list[int]:
    """Shuffles the deck, always the same, with the rocket on top."""
    others = [card for card in range(CARD_IDS) if card not in ROCKET]
    random.Random("compliance").shuffle(others)
    return ROCKET + others


_IDS = _cards()
DEALS: dict[str, dict[str, Any]] = {
    FTL1: {"allocation": [_IDS[:20], _IDS[20:37], _IDS[37:]], "publiccard": _IDS[:3]},
    FTL2: {"allocation": [_IDS[:17], _IDS[17:34], _IDS[34:51]], "publiccard": _IDS[51:]},
}
"""By game, the initdata of every scene."""

SOLO = [min(_IDS[:17])]


class Scene(NamedTuple):
    """A match that is played until the bot has given so many answers."""

    game: str
    name: str
    player: int
    """Where the bot sits."""
    scripts: tuple[Sequence[Any], Sequence[Any], Sequence[Any]]
    """By player, all that the others say; the bot's own is empty."""
    answers: int = 1


LEADS = (
    Scene(FTL1, "lead", 0, ((), (), ())),
    # All others pass: player 0 is the landlord, whatever it bids.
    Scene(FTL2, "bid and lead", 0, ((), (0,), (0,)), 2),
)
FOLLOWS = (
    Scene(FTL1, "follow after the landlord", 1, ((SOLO,), (), ())),
    Scene(FTL1, "follow after a pass", 2, ((SOLO,), ([],), ())),
    # A bid of 3 ends the auction: these two are never asked for a bid.
    Scene(FTL2, "follow after the landlord", 1, ((3, SOLO), (), ())),
    Scene(FTL2, "follow after a pass", 2, ((3, SOLO), ([],), ())),
)
PASSES = (
    Scene(FTL1, "follow after the rocket", 1, ((ROCKET,), (), ())),
    Scene(FTL1, "follow after the rocket and a pass", 2, ((ROCKET,), ([],), ())),
    Scene(FTL2, "follow after the rocket", 1, ((3, ROCKET), (), ())),
    Scene(FTL2, "follow after the rocket and a pass", 2, ((3, ROCKET), ([],), ())),
)
BIDS = (
    Scene(FTL2, "first bid", 0, ((), (), ())),
    Scene(FTL2, "bid after 1", 1, ((1,), (), ())),
    Scene(FTL2, "bid after 1 and 2", 2, ((1,), (2,), ())),
    Scene(FTL2, "bid after two passes", 2, ((0,), (0,), ())),
)


class Scripted:
    """A player that says what its script says, and never fails; a :class:`tools.judge.match.Bot`."""

    mode = "in-process"
    limits = Limits()

    def __init__(self, script: Sequence[Any]) -> None:
        self.name = "scripted"
        self.command = ["scripted"]
        self._script = script

    def turn(
        self, requests: Sequence[Any], responses: Sequence[Any], data: Any = None, globaldata: Any = None
    ) -> Answer:
        """Says the next thing."""
        return Answer("OK", self._script[len(requests) - 1])


def opening_request(game: str) -> Any:
    """Gets the first request of *game*, to player 0."""
    output: Output = make_referee(game, DEALS[game], "").first()
    return output.content["0"]
