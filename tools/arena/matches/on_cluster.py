"""A match here or on a cluster: what is sent out, what a worker does, and what becomes of what comes back."""

import threading
from collections.abc import Callable, Generator
from contextlib import ExitStack
from functools import partial

from ...cluster.dispatch import on_stderr, open_cluster
from ...cluster.needs import needs_of
from ...shared.work.workers import Workers
from .game_records import GameStyle
from .plan import Plan
from .runner import Done, Progress, run
from .sets import PlayedSet, SetPlayer

_MOST_SETS = 64


def play_left(
    workers: Workers,
    progress: Progress,
    done: Done = lambda pairing, played: None,
    stopped: Callable[[], bool] = lambda: False,
    style: GameStyle | None = None,
    show: Callable[[str], None] = lambda text: None,
    report: Callable[[str], None] = on_stderr,
) -> None:
    """
    Plays what is left of a match, as :func:`tools.arena.matches.runner.run` does, on a cluster if there is one.

    *show* and *report* are those of :func:`tools.cluster.dispatch.do_all`.

    :raises ClusterError: if the cluster cannot continue; *progress* holds what was played until then.
    """
    if workers.place is None:
        run(progress, workers.jobs, done, stopped, style)
        return

    def played(work: tuple[int, int], what: PlayedSet) -> None:
        if not progress.decided:
            progress.add(work[0], what.row)
            done(work[0], what)

    plan = progress.plan
    with open_cluster(workers.place, needs_of(plan.contestants), report) as cluster:
        from ...cluster.run import Job

        sets = partial(play_sets, plan, style)
        job = Job(sets, progress.left(), lambda work: plan.set_name(*work), _MOST_SETS, played)
        cluster.play(job, lambda: stopped() or progress.decided, show)


# On a worker.


_warm = threading.local()


def play_sets(plan: Plan, style: GameStyle | None, sets: list[tuple[int, int]]) -> Generator[PlayedSet, None, None]:
    """
    Plays some (pairing, set) of a match.

    Engines stay warm from unit to unit, one for each thread of a worker. Programs are ended with the unit, since a
    worker does not learn when the match is over.
    """
    with ExitStack() as ends:
        if any(contestant.is_program for contestant in plan.contestants):
            player = SetPlayer(plan, style)
            ends.callback(player.close)
        else:
            player = _warm_player(plan, style)
        for pairing, index in sets:
            yield player.played(pairing, index)


def _warm_player(plan: Plan, style: GameStyle | None) -> SetPlayer:
    if getattr(_warm, "plan", None) != (plan, style):
        _warm.plan, _warm.player = (plan, style), SetPlayer(plan, style)
    player: SetPlayer = _warm.player
    return player
