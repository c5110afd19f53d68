"""The bidder that several players bid by."""

from typing import Optional

from ddzbot.net.rocket_bidder import Bidder, bidder_of_file, reigning_bidder
from ddzbot.players.base import CannotPlay


def needed_bidder(rules: str, weights: Optional[str]) -> Bidder:
    """
    Gets the bidder of DeepRocket that reigns under *rules*, or that of the file *weights*.

    :raises CannotPlay: if there is none.
    """
    loaded = reigning_bidder(None, rules) if weights is None else bidder_of_file(None, weights)
    if loaded.net is None:
        raise CannotPlay(loaded.description)
    bidder: Bidder = loaded.net
    return bidder
