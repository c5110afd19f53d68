"""Self-play on a cluster: what is sent out, what a worker does, and what becomes of what comes back."""

from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path
from typing import Any

from ...cluster.command import Cluster
from ...cluster.run import Job
from ...cluster.unit import unwanted
from ..shared.shard_files import shard_name, shard_path
from .making import Made, needed_kernel, play_shard
from .plan import Plan
from .selfplay import Stopped
from .shards import Shard, write_shard


def make_shards(
    cluster: Cluster,
    folder: Path,
    plan: Plan,
    firsts: list[int],
    done: Callable[[Made], None],
    stopped: Callable[[], bool],
    show: Callable[[str], None],
) -> None:
    """
    Makes the shards that begin with these games. Workers send the columns, and the files are written here.

    :raises ClusterError: if the cluster cannot go on; what was made until then is there.
    """
    about = plan.about(needed_kernel())

    def write(first: int, made: tuple[Made, Shard]) -> None:
        write_shard(shard_path(folder, first, plan.games), about, made[1])
        done(made[0])

    job = Job(partial(play_shards, plan, about), iter(firsts), shard_name, 1, write)
    cluster.play(job, stopped, show)


# On a worker.


def play_shards(plan: Plan, about: dict[str, Any], firsts: list[int]) -> Generator[tuple[Made, Shard], None, None]:
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
