"""
Plays the sets of a plan on all cores, and can be stopped at any moment.

The unit of work is one set of one pairing, so the result does not depend on how many processes play, on which one
finishes first, or on how often the match was interrupted. A sequential test is judged on the completed prefix in seed
order.
"""

from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from multiprocessing.util import Finalize

from ...shared.interrupts import StoppedError, stopped_at_once
from ...shared.work.pool import run_in_pool
from ..stats.ratings import score_in
from ..stats.row import Row, statistics_of
from ..stats.sets import SetStats
from ..stats.sprt import Sprt, Verdict
from .game_records import GameStyle
from .plan import Plan
from .sets import PlayedSet, SetPlayer

Done = Callable[[int, PlayedSet], None]
"""Is called with the pairing and each set that was played."""

_player: SetPlayer


class Progress:
    """The rows of a match so far, and whether it is over."""

    def __init__(self, plan: Plan, rows: list[list[Row]] | None = None) -> None:
        self.plan = plan
        self.rows = [[] for _ in plan.tables] if rows is None else rows
        self.stats = [SetStats() for _ in self.rows]
        """How each pairing stands; nothing for three in fixed seats."""
        self.sprt = Sprt(plan.test) if plan.test else None
        self._scores: list[dict[int, float]] = [{} for _ in self.rows]
        for pairing, played in enumerate(self.rows):
            for row in played:
                self._count(pairing, row)

    def add(self, pairing: int, row: Row) -> None:
        """Takes a set that was played."""
        self.rows[pairing].append(row)
        self._count(pairing, row)

    def _count(self, pairing: int, row: Row) -> None:
        if self.plan.three:
            return
        statistics = statistics_of(row)
        self.stats[pairing] += statistics
        self._scores[pairing][row.set] = score_in(statistics)
        if self.sprt:
            self.sprt.update(row.set, statistics)

    @property
    def decided(self) -> bool:
        """Checks if a sequential test has come to its verdict."""
        return self.sprt is not None and self.sprt.verdict is not Verdict.RUNNING

    @property
    def played(self) -> int:
        """Counts the sets that were played."""
        return sum(map(len, self.rows))

    @property
    def every_pair(self) -> bool:
        """Checks if there are sets left that all pairs play alike."""
        counts = self.plan.every_pair(self.rows, self._scores)
        return any(
            index not in seen for count, seen in zip(counts, self._scores, strict=True) for index in range(count)
        )

    @property
    def finished(self) -> bool:
        """Checks if nothing is left to play."""
        return self.decided or next(self.left(), None) is None

    def left(self) -> Iterator[tuple[int, int]]:
        """Yields the (pairing, set) that are still to be played; what follows from these is left after them."""
        plan = self.plan
        most = plan.sets_to_play(self.rows, self._scores)
        have = [{row.set for row in rows} for rows in self.rows]
        return (
            (pairing, index) for pairing, index in plan.work() if index < most[pairing] and index not in have[pairing]
        )


def run(
    progress: Progress,
    jobs: int,
    done: Done,
    stopped: Callable[[], bool] = lambda: False,
    style: GameStyle | None = None,
) -> None:
    """
    Plays what is left, and calls *done* after each set; ends early once *stopped* returns True.

    With a *style* the sets come with the records of their games. Where a worker is killed, another one plays its set.

    :raises WorkersLostError: for a set that ends every worker that plays it.

    Whatever ends it, *progress* holds every set that *done* was called for.
    """

    def add(place: tuple[int, int], played: PlayedSet) -> None:
        if progress.decided:
            return
        progress.add(place[0], played.row)
        done(place[0], played)

    def over() -> bool:
        return progress.decided or stopped()

    plan = progress.plan
    if jobs > 1 or any(contestant.is_program for contestant in plan.contestants) or plan.in_turn:
        # A worker is ended with the programs that it runs; an engine is one process for the whole series.
        begin, workers = partial(_begin_worker, plan, style), 1 if plan.in_turn else jobs
        run_in_pool(workers, _play, progress.left(), add, over, lambda place: plan.set_name(*place), begin)
        return
    with closing(SetPlayer(plan, style)) as player, suppress(StoppedError):
        for place in progress.left():
            if over():
                return
            with stopped_at_once():
                played = player.played(*place)
            add(place, played)


def _begin_worker(plan: Plan, style: GameStyle | None) -> None:
    global _player
    _player = SetPlayer(plan, style)
    # A worker leaves without running atexit, and a program that is kept running would outlive it.
    Finalize(None, _player.close, exitpriority=100)


def _play(place: tuple[int, int]) -> PlayedSet:
    return _player.played(*place)
