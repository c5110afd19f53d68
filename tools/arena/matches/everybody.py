"""
Three or more that all meet: first as many sets of every pair, then more of those that are next to each other in Elo.

Which sets are wanted follows from the first sets of every pair alone, in whatever order they were played. So a
tournament that was interrupted is resumed as if it had not been, and the same seed makes the same one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import ClassVar

from ..stats.ratings import ratings
from ..stats.row import Row
from .plan import Gauntlet, Kind, Match, Pairs, Plan, Scores, Seats, Series

FEWEST = 3
"""The fewest players of a match in which all meet."""
CLEAR = 0.975
"""How likely one must be better than the next: then 0 lies outside the 95 % interval of their difference."""


@dataclass(frozen=True)
class Everybody(Pairs):
    """
    All against all; players may come later, and those next to each other in Elo may meet on more deals.

    The contestants stand in the order of the alphabet, so that a pair stays the same pair whatever others play.
    """

    kind: ClassVar[Kind] = "everybody"
    open: ClassVar[bool] = True
    fewest: ClassVar[int] = FEWEST

    neighbours: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "contestants", tuple(sorted(self.contestants, key=lambda contestant: contestant.spec)))

    @property
    def tables(self) -> list[tuple[int, ...]]:
        """The pairings."""
        return [*combinations(range(len(self.contestants)), 2)]

    @property
    def most(self) -> int:
        """The sets of the pairing that has the most."""
        return max(self.sets, self.neighbours)

    def check_kind(self) -> None:
        """Refuses fewer than three, and fewer sets of neighbours than of every pair."""
        super().check_kind()
        if len(self.contestants) < self.fewest:
            raise ValueError(f"a match of all against all needs {FEWEST} contestants, not {len(self.contestants)}")
        if self.neighbours and self.neighbours < self.sets:
            raise ValueError(f"neighbours {self.neighbours} must be at least the {self.sets} sets of every pair")

    def sets_to_play(self, rows: Sequence[Sequence[Row]], scores: Scores) -> list[int]:
        """Gets the number of sets to play for each pairing: first those of every pair, then more for Elo neighbours."""
        counts = self.every_pair(rows, scores)
        if self.neighbours > self.sets and _are_played(counts, scores):
            close = _neighbours(self, counts, scores)
            counts = [
                self.neighbours if {*pair} in close else count for pair, count in zip(self.tables, counts, strict=True)
            ]
        return counts


class Field(Everybody):
    """The programs of a folder: they play in rounds until the order is clear, and one that breaks is out."""

    kind: ClassVar[Kind] = "field"
    fewest: ClassVar[int] = 2

    def sets_to_play(self, rows: Sequence[Sequence[Row]], scores: Scores) -> list[int]:
        """
        Gets the number of sets to play for each pairing, from the results so far.

        Elo neighbours whose order is not clear play twice as many as before, up to the bound; the loop goes as far as
        the rows reach.
        """
        counts, out = self.every_pair(rows, scores), self.broken(rows)
        while self.neighbours > self.sets and _are_played(counts, scores):
            close = _neighbours(self, counts, scores, CLEAR)
            unsettled = [
                pairing
                for pairing, pair in enumerate(self.tables)
                if {*pair} in close and not out & {*pair} and counts[pairing] < self.neighbours
            ]
            if not unsettled:
                break
            for pairing in unsettled:
                counts[pairing] = min(2 * counts[pairing], self.neighbours)
        return counts

    def every_pair(self, rows: Sequence[Sequence[Row]], scores: Scores) -> list[int]:
        """
        Gets the number of sets for each pairing before neighbours play on; a program that breaks plays its first alone.
        """
        one_each = [1] * len(self.tables)
        if not _are_played(one_each, scores):
            return one_each
        out = self.broken(rows)
        return [1 if out & {*pair} else self.sets for pair in self.tables]

    def broken(self, rows: Sequence[Sequence[Row]]) -> set[int]:
        """Lists the programs at fault in half of their first games, or in more: they cost the others' time."""
        games, faults = [0] * len(self.names), [0] * len(self.names)
        for pair, played in zip(self.tables, rows, strict=True):
            for row in (row for row in played if row.set == 0):
                for letter, player in zip(self.letters, pair, strict=True):
                    games[player] += sum(letter in game.seating for game in row.games)
                    faults[player] += sum(fault.by == letter for fault in row.faults)
        return {player for player, count in enumerate(faults) if count and 2 * count >= games[player]}


PLANS: dict[Kind, type[Plan]] = {one.kind: one for one in (Match, Gauntlet, Everybody, Field, Seats, Series)}


def _are_played(counts: Sequence[int], scores: Scores) -> bool:
    return all(index in seen for count, seen in zip(counts, scores, strict=True) for index in range(count))


def _neighbours(plan: Plan, counts: Sequence[int], scores: Scores, clear: float = 2.0) -> list[set[int]]:
    """Lists the pairs of players that are next to each other by so many sets, except pairs with a *clear* order."""
    counted = [
        {index: score for index, score in seen.items() if index < count}
        for count, seen in zip(counts, scores, strict=True)
    ]
    rated = ratings(len(plan.names), plan.tables, counted)
    return [
        {rating.contestant, after.contestant}
        for rating, after in pairwise(rated)
        if rating.los is not None and rating.los < clear
    ]
