"""
Players that stay at home, since they need more than a judge gives a bot: torch, or somebody else's package.

They are named like the players of ``ddzbot``, in every command of the tools, and never in the upload.
"""

from ddzbot.players.registry import add_player

PLAYERS: dict[str, tuple[str, ...]] = {
    "douzero": ("douzero", "DouzeroPlayer"),
    "rlcard": ("rlcard", "RlcardPlayer", "model"),
}
"""Name: its module in this room, its class there, and the option that a word without a key belongs to, if any."""


def add_players() -> None:
    """Adds them to the list of players of this process; none is imported before somebody names it."""
    for name, (module, *rest) in PLAYERS.items():
        add_player(name, f"{__name__}.{module}", *rest)
