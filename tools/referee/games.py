"""The games by their names on the platform, and the referee of each."""

from collections.abc import Callable
from typing import Any

from ddzbot.rules import MINI

from .ftl1 import FightTheLandlordReferee
from .ftl2 import FightTheLandlord2Referee
from .referee import Referee, RefereeError


def _mini(initdata: Any, seed: str) -> Referee:
    return FightTheLandlordReferee(initdata, seed, MINI)


GAMES: dict[str, Callable[[Any, str], Referee]] = {
    "FightTheLandlord": FightTheLandlordReferee,
    "FightTheLandlord2": FightTheLandlord2Referee,
    "MiniFightTheLandlord": _mini,
}
"""By name, what makes the referee of a new game from initdata and a seed."""

GAME_OF_RULES = {"botzone": "FightTheLandlord", "botzone2": "FightTheLandlord2", "mini": "MiniFightTheLandlord"}
"""The platform's game for each rule set that it plays."""


def make_referee(game: str, initdata: Any, seed: str) -> Referee:
    """
    Makes the referee of a new game; *seed* decides the deal as far as *initdata* leaves it open.

    For example, ``make_referee("FightTheLandlord2", {"seed": "12345"}, "")`` deals as the platform does for that seed.

    :raises RefereeError: for an unknown game, and for initdata that makes no game
    """
    if game not in GAMES:
        raise RefereeError(f"game {game!r} is unknown; there are {', '.join(GAMES)}")
    return GAMES[game](initdata, seed)
