"""The one list of players, each imported only when asked for."""

import importlib
from typing import List, Type

from ddzbot.players.base import Player

_CLASSES = {
    "champion": ("ddzbot.players.champion", "ChampionPlayer"),
    "mcm": ("ddzbot.players.mcm", "McmPlayer"),
    "mctshs": ("ddzbot.players.mctshs", "MctshsPlayer"),
    "random": ("ddzbot.players.random_player", "RandomPlayer"),
    "rhcp": ("ddzbot.players.rhcp", "RhcpPlayer"),
    "rule": ("ddzbot.players.rule", "RulePlayer"),
}

DEFAULT_PLAYER = "champion"
"""The strongest player; it does without what is missing, and plays by rules in the end."""


def player_names() -> List[str]:
    """Lists the names that :func:`make_player` knows."""
    return sorted(_CLASSES)


def is_player_name(name: str) -> bool:
    """Checks if *name* is registered or has the form ``MODULE:CLASS``, without importing anything."""
    return name in _CLASSES or ":" in name


def player_class(name: str) -> Type[Player]:
    """
    Imports the class of a player: a registered name, or ``MODULE:CLASS`` for a player of your own.

    :raises ValueError: for an unknown name.
    """
    if ":" in name:
        module, _, class_name = name.partition(":")
    elif name in _CLASSES:
        module, class_name = _CLASSES[name]
    else:
        raise ValueError("player {!r} is unknown; there are {}".format(name, ", ".join(player_names())))
    try:
        found: Type[Player] = getattr(importlib.import_module(module), class_name)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"player {name!r} cannot be imported: {error}") from error
    return found


def make_player(name: str, seed: int = 0, **options: object) -> Player:
    """
    Makes a player. Options go to its constructor; for example ``make_player("rule", seed=7)``.

    :raises ValueError: for an unknown player, or an option that it does not have.
    """
    try:
        return player_class(name)(seed, **options)
    except TypeError:
        raise ValueError("player {} does not take the options {}".format(name, ", ".join(sorted(options)))) from None
