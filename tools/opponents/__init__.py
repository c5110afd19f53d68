"""
Players that stay at home, since they need more than a judge gives a bot: torch, or somebody else's package.

They are named like the players of ``ddzbot``, in every command of the tools, and never in the upload.
"""

from ddzbot.players.registry import add_player

PLAYERS: dict[str, tuple[str, str]] = {
    "douzero": ("douzero", "DouzeroPlayer"),
    "rlcard": ("rlcard", "RlcardPlayer"),
}
"""Name: its module in this room, and its class there."""


def add_players() -> None:
    """Adds them to the list of players of this process; none is imported before somebody names it."""
    for name, (module, class_name) in PLAYERS.items():
        add_player(name, f"{__name__}.{module}", class_name)
