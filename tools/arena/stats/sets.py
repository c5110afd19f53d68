"""Statistics of a duplicate match.

The sample is the duplicate set, never the game: all games of a set share one deal, and so their results
depend on each other. Without bidding a set is two games, ABB and BAA by seat; with bidding it is the six
games in which both contestants sit. :mod:`tools.arena.stats.row` reads a set from its games.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ...shared.intervals import normal_cdf
from .estimates import Estimate, RatioSums, effective_answers, elo_of_share, mean_estimate, share_estimate

SET_SCORES = (0.0, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class SideSums:
    """One contestant on one side, landlord or peasants, in as many games as it sat there."""

    wins: RatioSums = field(default_factory=RatioSums)
    points: RatioSums = field(default_factory=RatioSums)

    def __add__(self, other: "SideSums") -> "SideSums":
        return SideSums(self.wins + other.wins, self.points + other.points)

    def wp(self) -> Estimate:
        """Share of its games on this side that it won."""
        return share_estimate(self.wins)

    def adp(self) -> Estimate:
        """Points a game: mean score of its own seats on this side minus mean score of the other side."""
        return mean_estimate(self.points)


@dataclass(frozen=True, slots=True)
class ContestantSums:
    """What one contestant did on both sides, and how often it was the landlord."""

    landlord: SideSums = field(default_factory=SideSums)
    peasants: SideSums = field(default_factory=SideSums)
    landlord_games: RatioSums = field(default_factory=RatioSums)

    def __add__(self, other: "ContestantSums") -> "ContestantSums":
        return ContestantSums(
            self.landlord + other.landlord,
            self.peasants + other.peasants,
            self.landlord_games + other.landlord_games,
        )

    def landlord_rate(self) -> Estimate:
        """Share of all games in which it was the landlord; equal contestants come to 0.5."""
        return share_estimate(self.landlord_games)


@dataclass(frozen=True, slots=True)
class SetStats:
    """
    Exact counts and sums of any number of duplicate sets; ``a + b`` merges, ``~a`` swaps the contestants.

    ``SetStats.of(sets)`` and every way to group the same sets are equal. A single set is itself a SetStats.
    """

    set_games: int = 0
    """Games in a set: 2 without bidding, 6 with it, 0 while there is no set."""
    histogram: tuple[int, int, int] = (0, 0, 0)
    """Sets that A lost (score 0), tied (1/2) and won (1).

    Without bidding: both games lost, one won, both won. With bidding: fewer, as many, more points than B.
    """
    points: RatioSums = field(default_factory=RatioSums)
    """Points of A over B in a set.

    Without bidding: mean over both games of A's score minus B's, a pair of peasants counting as their mean
    score. With bidding: mean score of A's nine seats minus mean score of B's nine.
    """
    a: ContestantSums = field(default_factory=ContestantSums)
    b: ContestantSums = field(default_factory=ContestantSums)

    @classmethod
    def of(cls, sets: Iterable["SetStats"]) -> "SetStats":
        """
        Sums up sets in any order.

        :raises ValueError: when sets with bidding and sets without it are mixed.
        """
        return sum(sets, cls())

    def __add__(self, other: "SetStats") -> "SetStats":
        if self.set_games and other.set_games and self.set_games != other.set_games:
            raise ValueError(f"sets of {self.set_games} and of {other.set_games} games cannot be added")
        lost, tied, won = (a + b for a, b in zip(self.histogram, other.histogram, strict=True))
        return SetStats(
            self.set_games or other.set_games,
            (lost, tied, won),
            self.points + other.points,
            self.a + other.a,
            self.b + other.b,
        )

    def __invert__(self) -> "SetStats":
        return self.swapped()

    def swapped(self) -> "SetStats":
        """The same sets as B sees them."""
        lost, tied, won = self.histogram
        return SetStats(self.set_games, (won, tied, lost), -self.points, self.b, self.a)

    @property
    def sets(self) -> int:
        """How many sets were summed up."""
        return sum(self.histogram)

    def wp(self) -> Estimate:
        """
        Estimates A's WP, the mean set score: share of games won without bidding, of sets won on points with it.

        Biased when a sequential test chose the moment to stop: see :mod:`tools.arena.stats.sprt`.
        """
        return share_estimate(score_sums(self.histogram))

    def adp(self) -> Estimate:
        """Mean of :attr:`points`: ADP without bidding, points a seat with it. Biased where :meth:`wp` is."""
        return mean_estimate(self.points)

    def elo(self) -> Estimate:
        """Logistic Elo of A over B, from :meth:`wp` and the ends of its interval; infinite at WP 0 and 1."""
        wp = self.wp()
        return Estimate(elo_of_share(wp.value), elo_of_share(wp.low), elo_of_share(wp.high))

    def los(self) -> float:
        """
        Gets the likelihood of superiority: confidence, by the normal distribution, that A's WP is above one half.

        It is above 0.975 exactly when the interval of :meth:`wp` lies above one half; 0.5 without any set.
        """
        sums = score_sums(self.histogram)
        if not sums.weight:
            return 0.5
        lead = float(sums.ratio - Fraction(1, 2))
        return normal_cdf(2 * lead * math.sqrt(effective_answers(sums)))


def score_sums(histogram: Sequence[int]) -> RatioSums:
    """
    Sums up the set scores 0, 1/2 and 1 of sets lost, tied and won: ``(1, 2, 3)`` has ratio 4/6.

    :raises ValueError: when a count is negative or there are not three of them.
    """
    if len(histogram) != len(SET_SCORES) or min(histogram) < 0:
        raise ValueError(f"histogram {list(histogram)} must be the counts of sets lost, tied and won")
    _, tied, won = histogram
    sets = sum(histogram)
    amount = Fraction(tied, 2) + won
    return RatioSums(sets, amount, sets, Fraction(tied, 4) + won, amount)
