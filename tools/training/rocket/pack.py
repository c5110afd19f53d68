"""Packs DeepRocket's networks: policy and kicker network share a weights file, and the bidder has its own."""

from collections.abc import Iterator, Sequence
from typing import Any

from ddzbot.net import rocket_bidder, rocket_cnn, rocket_features
from ddzbot.net.packed import Packed
from ddzbot.rules import RULE_SETS

from ..packing import Network, Numbers, arrays_of, tensors_of
from .models import BIDDER

_LEFT_OUT = ("recipe", "network", "data", "records", "games", "shapes", "learner", "rows", "seconds")
"""Fields of a training that the description has elsewhere, does not need, or that differ in a repetition (its time)."""

State = dict[str, Any]


def packed(states: Sequence[State], dtype: str) -> Iterator[Network]:
    """
    Packs the networks whose trainings are there, the player only from both of its networks.

    :raises ValueError: if one of these is missing, or they learned from other features, or under different rules.
    """
    trainings = {state["network"]: state for state in states}
    bidder = trainings.pop(BIDDER, None)
    if trainings:
        yield _player(trainings, dtype)
    if bidder:
        yield _bidder(bidder, dtype)


def _player(states: dict[str, State], dtype: str) -> Network:
    rules = set()
    for network in ("policy", "kicker"):
        if network not in states:
            raise ValueError(f"there is no training of the {network} network")
        for games in states[network]["games"]:
            rules.add(games["rules"])
            if games["features"] != rocket_features.NAME:
                raise ValueError(f"the {network} network learned from features {games['features']}")
    if len(rules) != 1:
        raise ValueError(f"the networks learned under {len(rules)} rule sets: {', '.join(sorted(rules))}")
    before: dict[str, Numbers] = {}
    for network, state in states.items():
        before.update(arrays_of(state["learner"]["net"], f"{network}."))
    before = {key: before[key] for key in rocket_cnn.SHAPES}
    description = {
        "data": {network: _data(state) for network, state in states.items()},
        "command": "python -m tools train learn rocket FOLDER SHARDS --network NETWORK",
        "results": {"settings": {network: _settings(state) for network, state in states.items()}},
    }
    tensors = tensors_of(before, dtype)
    content = Packed(rocket_features.NAME, rules.pop(), rocket_cnn.ARCHITECTURE, tensors, description)
    return Network("rocket", content, tuple(RULE_SETS), before)


def _bidder(state: State, dtype: str) -> Network:
    before = arrays_of(state["learner"]["net"])
    description = {
        "data": _data(state),
        "command": "python -m tools train learn rocket FOLDER DEALS --network bidder",
        "results": {"settings": _settings(state)},
    }
    tensors = tensors_of(before, dtype)
    content = Packed(rocket_bidder.NAME, state["games"][0]["rules"], rocket_bidder.ARCHITECTURE, tensors, description)
    bidding = tuple(rules.name for rules in RULE_SETS.values() if rules.bidding)
    return Network("yesno", content, bidding, before)


def _data(state: State) -> dict[str, Any]:
    return {"records": state["records"], "digest": state["data"], "games": state["games"]}


def _settings(state: State) -> dict[str, Any]:
    return {name: value for name, value in state.items() if name not in _LEFT_OUT}
