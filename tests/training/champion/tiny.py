"""Rounds of 16 games, also where a worker of a cluster plays them."""

import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from tools.training.champion import learner, shards
from tools.training.champion.learner import Schedule

TINY = {"UNIT_GAMES": 8, "ROUND_UNITS": 2, "Schedule": partial(Schedule, batch=16, constant_games=16)}
ROUND = 16
SETTINGS = {
    "seed": 1,
    "rules": "mini",
    "objective": "wp",
    "auction": False,
    "units": 256,
    "rivals": [],
    "share": 0.0,
    "shards": 3,
}


def slow_shards(settings: Mapping[str, Any], packed: bytes, games: Sequence[int]) -> Iterator[bytes]:
    """Learns tiny shards on a worker, so slowly that it can be killed meanwhile."""
    for module in (learner, shards):
        vars(module).update({constant: setting for constant, setting in TINY.items() if constant in vars(module)})
    time.sleep(0.2)
    yield from shards.learn_shards(settings, packed, games)
