"""The players of a table, from their names."""

from ddzbot.players.base import Player
from ddzbot.players.registry import PlayerSpec, player_names

from ...shared.contestants import parse_contestant
from ...shared.seeds import deal_seed, player_seed

__all__ = ["NAMESPACE", "bot", "checked_bot", "deal_name"]

NAMESPACE = "play"
"""The namespace of the deals that people play; no network is trained or measured on them."""


def deal_name(seed: int) -> str:
    """
    Names the deal of a table: ``deal_name(7)`` is ``"play/7/000000"``.

    :raises ValueError: for a negative seed.
    """
    return deal_seed(seed, NAMESPACE, 0)


def bot(spec: str, seed: int, position: int) -> Player:
    """
    Makes the player *spec*, such as ``champion:search=none``, for one position of the table with that *seed*.

    :raises ValueError: as :func:`checked_bot`.
    """
    return checked_bot(spec).make(player_seed(deal_name(seed), 0, position))


def checked_bot(spec: str) -> PlayerSpec:
    """
    Checks that *spec* names somebody who may sit at a table.

    :raises ValueError: for what :func:`tools.shared.contestants.parse_contestant` refuses, a limit, a command line.
    """
    player = parse_contestant(spec).without_limit().player
    if player is None:
        names = ", ".join(player_names())
        raise ValueError(f"bot {spec!r} is a command line: only players by name sit at a table; there are {names}")
    return player
