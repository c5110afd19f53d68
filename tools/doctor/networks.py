"""The networks that reign: which file plays for whom under which rule sets, and whether it is whole."""

import os
from collections.abc import Callable
from typing import Any, NamedTuple

from ddzbot.net import bid_net, cql_layers, fast_net, mcm_cnn, rocket_bidder, rocket_cnn
from ddzbot.net.packed import Packed, WeightsError
from ddzbot.net.reigning import read_manifest, reigning, weights_folder
from ddzbot.players.registry import player_class
from ddzbot.rules import RULE_SETS

__all__ = ["BIDS", "Network", "networks"]

BIDS = "champion, bids"
"""What the champion's network for bids is called, which plays where there is an auction."""
YES_NO = "deeprocket, bids"
"""What DeepRocket's bidder is called."""
_BIDDERS = {BIDS: bid_net.NAME, YES_NO: rocket_bidder.NAME}
"""The features of the networks that only bid."""

_EXPECT: dict[str, Callable[[Packed], Any]] = {
    "champion": fast_net.seats_of,
    BIDS: bid_net.parameters_of,
    "cql": lambda packed: packed.expect(cql_layers.ARCHITECTURE, cql_layers.SHAPES),
    "mcm": lambda packed: packed.expect(mcm_cnn.ARCHITECTURE, mcm_cnn.SHAPES),
    "deeprocket": lambda packed: packed.expect(rocket_cnn.ARCHITECTURE, rocket_cnn.SHAPES),
    YES_NO: lambda packed: packed.expect(rocket_bidder.ARCHITECTURE, rocket_bidder.SHAPES),
}
"""What makes sure, by player, that a file has the right tensors."""


class Network(NamedTuple):
    """A file of weights, or none, and for whom and where it plays."""

    player: str
    rules: tuple[str, ...]
    """The rule sets under which it plays, or bids."""
    file: str
    """Empty where none is named."""
    state: str
    """``whole``, ``damaged`` or ``missing``."""
    sha256: str
    """The hash at its end; empty unless it is whole."""
    reason: str
    """What is wrong; empty if it is whole."""


def networks(folder: str | None = None) -> list[Network]:
    """Looks at the network of each player under each rule set; those that are alike are one entry."""
    folder = folder or weights_folder()
    found: dict[Network, list[str]] = {}
    for player in _EXPECT:
        for rules in RULE_SETS.values():
            if player not in _BIDDERS or rules.bidding:
                found.setdefault(_network(player, rules.name, folder), []).append(rules.name)
    return [network._replace(rules=tuple(rules)) for network, rules in found.items()]


def _network(player: str, rules: str, folder: str) -> Network:
    """Looks at one network; the rule set is left out, so that those of several can be compared."""
    features = _BIDDERS.get(player) or player_class(player).features
    packed, description = reigning(features, rules, folder)
    file = _named(features, rules, folder)
    if packed is None:
        there = bool(file) and os.path.exists(os.path.join(folder, file))
        reason = description.removeprefix("no network: ").removesuffix(f" under {rules}")
        return Network(player, (), file, "damaged" if there else "missing", "", reason)
    try:
        _EXPECT[player](packed)
    except WeightsError as error:
        return Network(player, (), file, "damaged", "", str(error))
    return Network(player, (), file, "whole", packed.sha256, "")


def _named(features: str, rules: str, folder: str) -> str:
    """Gets the name of the file that should play; empty where no manifest names one."""
    try:
        return str(read_manifest(folder)["reigning"].get(features, {}).get(rules) or "")
    except WeightsError:
        return ""
