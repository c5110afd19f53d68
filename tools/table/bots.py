"""The players of a table, from their names."""

from ddzbot.players.base import Player

from ..shared.contestants import parse_contestant
from ..shared.seeds import deal_seed, player_seed

__all__ = ["NAMESPACE", "bot", "deal_name"]

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

    :raises ValueError: for what :func:`tools.shared.contestants.parse_contestant` refuses, and for a command line.
    """
    contestant = parse_contestant(spec).without_limit()
    if contestant.player is None:
        raise ValueError(f"bot {spec!r} is a command line: only players by name, such as 'champion', sit at a table")
    return contestant.player.make(player_seed(deal_name(seed), 0, position))
