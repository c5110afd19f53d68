"""
The two stages of a tournament: first every pair plays its sets, then neighbours in Elo play more.

Who is whose neighbour follows from the first sets of every pair alone, and is written down before the second stage
begins. So neither an interrupt nor the sets of the second stage change it.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..arena.plan import Plan
from ..arena.ratings import ratings, score_of
from ..arena.runner import Progress
from ..arena.sets import Row
from .plan import Tournament
from .results_file import Ranking

__all__ = ["Stage", "ranked", "stage_of"]


class Stage(Progress):
    """The sets of a tournament so far, and how many each pairing shall have."""

    def __init__(self, name: str, plan: Plan, rows: list[list[Row]], wanted: Sequence[int]) -> None:
        """*name* is what a progress bar calls it; *rows* grow while it is played."""
        super().__init__(plan, rows)
        self.name = name
        self._wanted = wanted

    def left(self) -> Iterator[tuple[int, int]]:
        """Yields the (pairing, set) that are still to be played, all pairings of a deal together."""
        have = [{row["set"] for row in rows} for rows in self.rows]
        return (
            (pairing, index)
            for index in range(max(self._wanted))
            for pairing, wanted in enumerate(self._wanted)
            if index < wanted and index not in have[pairing]
        )


def stage_of(tournament: Tournament, rows: list[list[Row]], ranking: Ranking | None) -> Stage:
    """Makes the second stage of a tournament, or the first one as long as nobody is ranked."""
    close = set() if ranking is None else {*map(frozenset, pairwise(ranking.players))}
    wanted = [tournament.neighbours if frozenset(pair) in close else tournament.sets for pair in tournament.pairs]
    name = "every pair" if ranking is None else "neighbours"
    return Stage(name, tournament.plan, rows, wanted)


def ranked(tournament: Tournament, rows: Sequence[Sequence[Row]]) -> Ranking:
    """Ranks all players by the first sets of every pair; sets of the second stage do not count."""
    plan = tournament.plan
    scores = [{row["set"]: score_of(row) for row in played if row["set"] < tournament.sets} for played in rows]
    found = ratings(len(plan.contestants), plan.pairings, scores)
    return Ranking(tuple(plan.contestants[one.contestant] for one in found), tournament.sets)
