"""How one shard is made, whoever makes it."""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from ddzbot.kernel import describe, native
from ddzbot.kernel.binding import Kernel

from .plan import Plan
from .selfplay import searched_game
from .shards import Shard, shard_of


class Made(NamedTuple):
    """What one shard took."""

    records: int
    decisions: int
    playouts: int
    seconds: float
    """Processor time."""


def needed_kernel() -> Kernel:
    """
    Gets the kernel.

    :raises ValueError: if there is none.
    """
    kernel = native()
    if kernel is None:
        raise ValueError(f"self-play needs the kernel, which `make kernel` compiles ({describe().partition(': ')[2]})")
    return kernel


def play_shard(plan: Plan, first: int, stopped: Callable[[], bool]) -> tuple[Made, dict[str, Any], Shard]:
    """
    Plays the games of the shard that begins with game *first*; gets what it took, its head, and its columns.

    :raises Stopped: once *stopped* says so.
    """
    began = time.thread_time()
    kernel = needed_kernel()
    games = range(first, first + plan.games)
    decisions = [one for game in games for one in searched_game(kernel, plan, game, stopped)]
    shard = shard_of(decisions)
    playouts = sum(one.playouts for one in decisions)
    return Made(len(shard.move), len(decisions), playouts, time.thread_time() - began), plan.about(kernel), shard
