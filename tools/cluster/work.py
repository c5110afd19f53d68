"""The two kinds of work that a cluster does: sets of a match, and shards of self-play."""

import threading
from collections.abc import Generator
from contextlib import ExitStack
from typing import Any

from tools.arena.contestant import parse_contestant
from tools.arena.plan import Plan as MatchPlan
from tools.arena.sets import Row, SetPlayer
from tools.cluster.unit import unwanted
from tools.training.making import Made, play_shard
from tools.training.plan import Plan as SelfPlayPlan
from tools.training.selfplay import Stopped
from tools.training.shards import Shard

_warm = threading.local()


def play_sets(plan: MatchPlan, sets: list[tuple[int, int]]) -> Generator[Row, None, None]:
    """
    Plays some (pairing, set) of a match.

    Engines stay warm from unit to unit, one for each thread of a worker. Programs are ended with the unit, since a
    worker is not told when the match is over.
    """
    with ExitStack() as ends:
        if any(parse_contestant(contestant).is_program for contestant in plan.contestants):
            player = SetPlayer(plan)
            ends.callback(player.close)
        else:
            player = _warm_player(plan)
        for pairing, index in sets:
            yield player.row(pairing, index)


def _warm_player(plan: MatchPlan) -> SetPlayer:
    if getattr(_warm, "plan", None) != plan:
        _warm.plan, _warm.player = plan, SetPlayer(plan)
    player: SetPlayer = _warm.player
    return player


def play_shards(
    plan: SelfPlayPlan, about: dict[str, Any], firsts: list[int]
) -> Generator[tuple[Made, Shard], None, None]:
    """
    Plays the games of some shards, each named by its first game.

    :raises ValueError: if this kernel does not find what the client's does, whose head is *about*.
    """
    for first in firsts:
        try:
            made, own, shard = play_shard(plan, first, unwanted)
        except Stopped:
            return
        if own != about:
            raise ValueError("the kernel of this machine finds other moves than that of the client")
        yield made, shard
