"""
The sandbox for programs of others, and the players that need more than a judge gives a bot: torch, or a package.

These players are named like those of ``ddzbot``, in every command of the tools, and never in the upload.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from ddzbot.players.registry import add_player

from ..shared.paths import ROOT

PLAYERS: dict[str, tuple[str, ...]] = {
    "a3c": ("naive", "A3cPlayer"),
    "douzero": ("douzero", "DouzeroPlayer"),
    "dqn": ("naive", "DqnPlayer"),
    "rlcard": ("rlcard", "RlcardPlayer", "model"),
}
"""Name: its module in this room, its class there, and the option that a word without a key belongs to, if any."""


class WithFiles(ABC):
    """A player that plays with files which its options need not name one by one."""

    @staticmethod
    @abstractmethod
    def files_of(options: Mapping[str, Any]) -> list[str]:
        """Lists the files, for the provenance of a match."""


def program_of(player: str) -> list[str]:
    """Gets the words behind the interpreter that start the bot, which must know this player."""
    if player in PLAYERS:
        return ["-m", __name__]
    bot = ROOT / "bot.py"
    return [str(bot)] if bot.exists() else ["-m", "ddzbot"]


def add_players() -> None:
    """Adds them to the list of players of this process; each is imported when it is first named."""
    for name, (module, *details) in PLAYERS.items():
        add_player(name, f"{__name__}.{module}", *details)
