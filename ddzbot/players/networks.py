"""Networks that several players use."""

from typing import TYPE_CHECKING, Optional

from ddzbot.players.base import CannotPlay

if TYPE_CHECKING:
    from ddzbot.net.rocket_cnn import RocketNetworks


def needed_rocket(rules: str, weights: Optional[str]) -> "RocketNetworks":
    """
    Gets the networks of DeepRocket that reign under *rules*, or those of the file *weights*.

    :raises CannotPlay: if there are none.
    """
    # Imported by those who need them alone: they would slow the start of all others.
    from ddzbot.net.rocket_cnn import reigning_rocket, rocket_of_file

    loaded = reigning_rocket(None, rules) if weights is None else rocket_of_file(None, weights)
    if loaded.net is None:
        raise CannotPlay(loaded.description)
    networks: RocketNetworks = loaded.net
    return networks
