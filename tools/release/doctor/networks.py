"""The current networks: the file of each player and rule set, and whether it is whole."""

import os
from typing import NamedTuple

from ddzbot.net import bid_net, cql_layers, fast_net, mcm_cnn, rocket_bidder, rocket_cnn
from ddzbot.net.current import current_network, read_manifest, weights_folder
from ddzbot.net.packed import WeightsError
from ddzbot.players.mcm import SETTINGS
from ddzbot.players.registry import player_class
from ddzbot.rules import RULE_SETS

from ..architectures import EXPECT

BIDS = "champion, bids"
"""What the champion's network for bids is called, which plays where there is an auction."""
YES_NO = "deeprocket, bids"
"""What DeepRocket's bidder is called."""
THESIS = "mcm, thesis"
"""What the network of MCM's own teacher is called."""
_BIDDERS = {BIDS: bid_net.NAME, YES_NO: rocket_bidder.NAME}
"""The features of the networks that only bid."""
_FEATURES = {**_BIDDERS, THESIS: SETTINGS["thesis"].features}
"""What the networks are current for that are not their player's usual ones."""

_ARCHITECTURES = {
    "champion": next(iter(fast_net.ARCHITECTURES)),
    BIDS: bid_net.ARCHITECTURE,
    "cql": cql_layers.ARCHITECTURE,
    "mcm": mcm_cnn.ARCHITECTURE,
    THESIS: mcm_cnn.ARCHITECTURE,
    "deeprocket": rocket_cnn.ARCHITECTURE,
    YES_NO: rocket_bidder.ARCHITECTURE,
}
"""What a file must be of to play, by player."""


NONE = "none"
"""The state of a network under a rule set that the release has none for."""


class Network(NamedTuple):
    """A file of weights, or none, with its player and rule sets."""

    player: str
    rules: tuple[str, ...]
    """The rule sets under which it plays, or bids."""
    file: str
    """Empty where none is named."""
    state: str
    """``whole``, ``damaged``, ``missing``, or ``none`` under rules that it was not trained for."""
    sha256: str
    """The hash at its end; empty unless it is whole."""
    reason: str
    """What is wrong; empty if it is whole."""


def networks(folder: str | None = None) -> list[Network]:
    """Looks at the network of each player under each rule set; those that are alike are one entry."""
    folder = folder or weights_folder()
    rules_of: dict[Network, list[str]] = {}
    for player in _ARCHITECTURES:
        for rules in RULE_SETS.values():
            if player not in _BIDDERS or rules.bidding:
                rules_of.setdefault(_network(player, rules.name, folder), []).append(rules.name)
    return [network._replace(rules=tuple(rules)) for network, rules in rules_of.items()]


def _network(player: str, rules: str, folder: str) -> Network:
    """Looks at one network; the rule set is left out, so that those of several can be compared."""
    features = _FEATURES.get(player) or player_class(player).features
    packed, description = current_network(features, rules, folder)
    file = _named(features, rules, folder)
    if packed is None:
        if not file and _is_untrained(features, rules):
            return Network(player, (), "", NONE, "", "it was not trained for these rules")
        there = bool(file) and os.path.exists(os.path.join(folder, file))
        reason = description.removeprefix("no network: ").removesuffix(f" under {rules}")
        return Network(player, (), file, "damaged" if there else "missing", "", reason)
    try:
        EXPECT[_ARCHITECTURES[player]](packed)
    except WeightsError as error:
        return Network(player, (), file, "damaged", "", str(error))
    return Network(player, (), file, "whole", packed.sha256, "")


def _is_untrained(features: str, rules: str) -> bool:
    """Tests whether the release has no such network either, for a rule set that was added here."""
    try:
        return rules not in read_manifest(weights_folder({}))["current"].get(features, {})
    except WeightsError:
        return False


def _named(features: str, rules: str, folder: str) -> str:
    """Gets the name of the file that should play; empty where no manifest names one."""
    try:
        return str(read_manifest(folder)["current"].get(features, {}).get(rules) or "")
    except WeightsError:
        return ""
