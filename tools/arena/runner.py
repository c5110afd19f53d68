"""
Plays the sets of a plan on all cores, and can be stopped at any moment.

The unit of work is one set of one pairing, so the result does not depend on how many processes play, on who finishes
first, or on how often the match was interrupted. A sequential test is judged on the completed prefix in seed order.
"""

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from typing import Any

from tools.arena.plan import Plan
from tools.arena.sets import Row, SetPlayer, statistics_of
from tools.arena.sprt import Sprt, Verdict
from tools.arena.stats import SetStats

Done = Callable[[int, Row], None]

_AHEAD = 4
"""Sets in the queue of each worker: enough to keep it busy, few to lose when a match is stopped."""

_player: SetPlayer


class Progress:
    """The rows of a match so far, and whether it is over."""

    def __init__(self, plan: Plan, rows: list[list[Row]]) -> None:
        self.plan = plan
        self.rows = rows
        self.stats = [SetStats() for _ in rows]
        """How each pairing stands."""
        self.sprt = Sprt(plan.test) if plan.test else None
        for pairing, played in enumerate(rows):
            for row in played:
                self._count(pairing, row)

    def add(self, pairing: int, row: Row) -> None:
        """Takes a set that was played."""
        self.rows[pairing].append(row)
        self._count(pairing, row)

    def _count(self, pairing: int, row: Row) -> None:
        statistics = statistics_of(row)
        self.stats[pairing] += statistics.stats
        if self.sprt:
            self.sprt.update(statistics)

    @property
    def decided(self) -> bool:
        """Checks if a sequential test has come to its verdict."""
        return self.sprt is not None and self.sprt.verdict is not Verdict.RUNNING

    @property
    def finished(self) -> bool:
        """Checks if nothing is left to play."""
        return self.decided or next(self.left(), None) is None

    def left(self) -> Iterator[tuple[int, int]]:
        """Yields the (pairing, set) that are still to be played."""
        have = [{row["set"] for row in rows} for rows in self.rows]
        return ((pairing, index) for pairing, index in self.plan.work() if index not in have[pairing])


def run(progress: Progress, jobs: int, done: Done) -> None:
    """
    Plays what is left, and calls *done* after each set.

    An interrupt (Ctrl-C) passes through; *progress* then holds every set that was finished.
    """
    if jobs == 1:
        _run_here(progress, done)
    else:
        _run_in_pool(progress, jobs, done)


def _run_here(progress: Progress, done: Done) -> None:
    player = SetPlayer(progress.plan)
    try:
        for pairing, index in progress.left():
            if progress.decided:
                return
            row = player.row(pairing, index)
            progress.add(pairing, row)
            done(pairing, row)
    finally:
        player.close()


def _run_in_pool(progress: Progress, jobs: int, done: Done) -> None:
    pool = ProcessPoolExecutor(jobs, initializer=_begin_worker, initargs=(progress.plan,))
    try:
        waiting: dict[Future[Row], int] = {}
        work = progress.left()
        while not progress.decided:
            for pairing, index in work:
                waiting[pool.submit(_play, pairing, index)] = pairing
                if len(waiting) >= _AHEAD * jobs:
                    break
            if not waiting:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                pairing = waiting.pop(future)
                progress.add(pairing, future.result())
                done(pairing, future.result())
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _begin_worker(plan: Plan) -> None:
    global _player
    # Ctrl-C reaches the whole process group; only the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _player = SetPlayer(plan)


def _play(pairing: int, index: int) -> dict[str, Any]:
    return _player.row(pairing, index)
