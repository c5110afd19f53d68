"""The commands' side of the work that a cluster does: what is sent out, and what becomes of what comes back."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from tools.arena.runner import Done, Progress
from tools.cluster.command import Cluster
from tools.cluster.run import Job
from tools.cluster.work import play_sets, play_shards
from tools.training.making import Made, needed_kernel
from tools.training.plan import Plan
from tools.training.shards import Shard, shard_path, write_shard

_MOST_SETS = 64


def play_match(
    cluster: Cluster, progress: Progress, done: Done, stopped: Callable[[], bool], show: Callable[[str], None]
) -> None:
    """
    Plays what is left of a match, as :func:`tools.arena.runner.run` does on one machine.

    :raises ClusterError: if the cluster cannot go on; *progress* holds what was played until then.
    """

    def played(work: tuple[int, int], row: dict[str, object]) -> None:
        if not progress.decided:
            progress.add(work[0], row)
            done(work[0], row)

    def name(work: tuple[int, int]) -> str:
        a, b = (progress.plan.contestants[one] for one in progress.plan.pairings[work[0]])
        return f"set {work[1]} of {a} against {b}"

    job = Job(partial(play_sets, progress.plan), progress.left(), name, _MOST_SETS, played)
    cluster.play(job, lambda: stopped() or progress.decided, show)


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

    job = Job(
        partial(play_shards, plan, about), iter(firsts), lambda first: f"the shard from game {first} on", 1, write
    )
    cluster.play(job, stopped, show)
