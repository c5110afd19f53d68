"""What the results of a duplicate match say: exact counts and sums, and intervals made from them.

The sample is the duplicate set, never the game: all games of a set share one deal, and so their results
depend on each other. Without bidding a set is two games, ABB and BAA by seat; with bidding it is the six
games in which both contestants sit. Sums are exact fractions, so that no order and no grouping of the sets
changes the last digit. Formulas and their sources: docs/reference/statistics.md.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from scipy import special

CONFIDENCE = 0.95
SET_SCORES = (0.0, 0.5, 1.0)
POINT_UNIT = 1
"""One point: the stake of a peasant in the smallest game of every rule set."""

DUPLICATE_GAMES = 2
BIDDING_GAMES = 6

_SEATINGS = ("ABB", "BAB", "BBA", "BAA", "ABA", "AAB")
_LARGEST_SCORE = 1e9
_Z = float(special.ndtri((1 + CONFIDENCE) / 2))


class Estimate(NamedTuple):
    """A number with its 95 % interval. Nothing is ever NaN: where nothing is known the ends are infinite."""

    value: float
    low: float
    high: float


class PlayedGame(NamedTuple):
    """One finished game, e.g. ``PlayedGame("ABB", True, (2.0, -1.0, -1.0))``: A was the landlord and won."""

    contestants: str
    """Who sat at seat 0 (landlord), 1 (landlord_down) and 2 (landlord_up): three letters, A or B."""
    landlord_won: bool
    scores: tuple[float, float, float]
    """Points by seat."""


@dataclass(frozen=True, slots=True)
class RatioSums:
    """Exact sums over sets of a weight and an amount: for the ratio of the two, and for how much sets differ.

    With weight 1 in every set the ratio is a plain mean: ``RatioSums.one(1, 0) + RatioSums.one(1, 1)`` has
    ratio 1/2.
    """

    weight: int = 0
    amount: Fraction = Fraction(0)
    weight_squares: int = 0
    amount_squares: Fraction = Fraction(0)
    products: Fraction = Fraction(0)

    @classmethod
    def one(cls, weight: int, amount: Fraction | int) -> "RatioSums":
        """Makes the sums of a single set, e.g. two games as landlord of which one was won: ``one(2, 1)``."""
        exact = Fraction(amount)
        return cls(weight, exact, weight * weight, exact * exact, weight * exact)

    def __add__(self, other: "RatioSums") -> "RatioSums":
        return RatioSums(
            self.weight + other.weight,
            self.amount + other.amount,
            self.weight_squares + other.weight_squares,
            self.amount_squares + other.amount_squares,
            self.products + other.products,
        )

    def __neg__(self) -> "RatioSums":
        return RatioSums(self.weight, -self.amount, self.weight_squares, self.amount_squares, -self.products)

    @property
    def ratio(self) -> Fraction:
        """Amount per weight; 0 where there is no weight."""
        return self.amount / self.weight if self.weight else Fraction(0)

    @property
    def sets(self) -> Fraction:
        """How many sets of equal weight these are worth (Kish): their number when all weights are equal."""
        return Fraction(self.weight * self.weight, self.weight_squares) if self.weight else Fraction(0)

    @property
    def spread(self) -> Fraction:
        """Sum over sets of (amount - ratio * weight) squared; at weight 1 the squared deviations."""
        ratio = self.ratio
        return self.amount_squares - 2 * ratio * self.products + ratio * ratio * self.weight_squares


def effective_answers(sums: RatioSums) -> float:
    """How many independent yes-or-no answers give a share as firmly as these sets do; 0.0 without weight.

    The spread is taken with two more sets, one with nothing and one with everything: it is never zero.
    Yes-or-no sets count as what they are: ten of them are 10.0, whatever their answers.
    """
    if not sums.weight:
        return 0.0
    typical = Fraction(sums.weight_squares, sums.weight)
    weight = sums.weight + 2 * typical
    share = (sums.amount + typical) / weight
    spread = (
        sums.amount_squares
        + typical * typical
        - 2 * share * (sums.products + typical * typical)
        + share * share * (sums.weight_squares + 2 * typical * typical)
    )
    design_effect = (sums.sets + 2) * spread / (weight * weight * share * (1 - share))
    return float(sums.sets / design_effect)


def share_estimate(sums: RatioSums) -> Estimate:
    """A share in [0, 1] (of games won, of games as landlord): Wilson's interval at :func:`effective_answers`.

    For yes-or-no sets this is the textbook Wilson interval: 8 of 10 give 0.8 in (0.490, 0.943). Without any
    set it is 0.5 in (0, 1).
    """
    answers = effective_answers(sums)
    if not answers:
        return Estimate(0.5, 0.0, 1.0)
    share = float(sums.ratio)
    shrink = 1 + _Z * _Z / answers
    centre = (share + _Z * _Z / (2 * answers)) / shrink
    half = _Z / shrink * math.sqrt(share * (1 - share) / answers + _Z * _Z / (4 * answers * answers))
    low = 0.0 if share == 0 else max(0.0, centre - half)
    high = 1.0 if share == 1 else min(1.0, centre + half)
    return Estimate(share, low, high)


def mean_estimate(sums: RatioSums) -> Estimate:
    """A mean of points: Student's interval over sets; the variance of a ratio is linearised.

    Fewer than two sets say nothing about the spread: the interval is infinite. Where all sets agree to the
    last digit, two more that lie one point to either side are imagined, so that it is narrow but not empty.
    Points 1, 2, 3 give 2 in (-0.484, 4.484).
    """
    mean, sets = float(sums.ratio), sums.sets
    if sets < 2:
        return Estimate(mean, -math.inf, math.inf)
    if sums.spread:
        variance = sums.spread * sets / (sums.weight**2 * (sets - 1))
    else:
        variance = 2 * POINT_UNIT**2 / ((sets + 1) * sets)
    half = float(special.stdtrit(float(sets - 1), (1 + CONFIDENCE) / 2)) * math.sqrt(variance)
    return Estimate(mean, mean - half, mean + half)


def elo_of_share(share: float) -> float:
    """Logistic Elo difference of a share of wins: 0.75 is 190.8; 0 and 1 are minus and plus infinity."""
    if share <= 0 or share >= 1:
        return math.copysign(math.inf, share - 0.5)
    return 400 * math.log10(share / (1 - share))


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
    """Exact counts and sums of any number of duplicate sets; ``a + b`` merges, ``~a`` swaps the contestants.

    ``SetStats.of(rows)`` and every way to group the same rows are equal. A single set is itself a SetStats.
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
    def of(cls, rows: Iterable["SetRow"]) -> "SetStats":
        """Sums up rows in any order.

        :raises ValueError: when sets with bidding and sets without it are mixed.
        """
        return sum((row.stats for row in rows), cls())

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
        """A's WP, the mean set score: share of games won without bidding, of sets won on points with it.

        Biased when a sequential test chose the moment to stop: see :mod:`tools.match.sprt`.
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
        """Likelihood of superiority: confidence, by the normal distribution, that A's WP is above one half.

        It is above 0.975 exactly when the interval of :meth:`wp` lies above one half; 0.5 without any set.
        """
        sums = score_sums(self.histogram)
        if not sums.weight:
            return 0.5
        lead = float(sums.ratio - Fraction(1, 2))
        return float(special.ndtr(2 * lead * math.sqrt(effective_answers(sums))))


@dataclass(frozen=True, slots=True)
class SetRow:
    """One duplicate set and its place in the seed order."""

    index: int
    stats: SetStats


def score_sums(histogram: Sequence[int]) -> RatioSums:
    """Sums of the set scores 0, 1/2 and 1 of sets lost, tied and won: ``(1, 2, 3)`` has ratio 4/6.

    :raises ValueError: when a count is negative or there are not three of them.
    """
    if len(histogram) != len(SET_SCORES) or min(histogram) < 0:
        raise ValueError(f"histogram {list(histogram)} must be the counts of sets lost, tied and won")
    _, tied, won = histogram
    sets = sum(histogram)
    amount = Fraction(tied, 2) + won
    return RatioSums(sets, amount, sets, Fraction(tied, 4) + won, amount)


def set_row(index: int, games: Sequence[PlayedGame]) -> SetRow:
    """Makes the row of one duplicate set from its games, in any order.

    Without bidding these are two games on one deal, ABB and BAA by seat. With bidding they are the six
    seatings of one deal, as seen from the landlord. An example, A winning twice at 2 : -1 : -1, has WP 1 and
    ADP 3::

        set_row(0, [PlayedGame("ABB", True, (2, -1, -1)), PlayedGame("BAA", False, (-2, 1, 1))])

    :raises ValueError: when the games do not make a set, or a score is not a number.
    """
    for game in games:
        _check(game)
    alone = sorted(game.contestants.count("A") for game in games)
    by_seat = {game.contestants for game in games}
    if len(games) == DUPLICATE_GAMES and by_seat == {"ABB", "BAA"}:
        differences = [_side_points(game) * _sign(game) for game in games]
        points = sum(differences, Fraction(0)) / DUPLICATE_GAMES
        outcome = sum(_sign(game) == (1 if game.landlord_won else -1) for game in games)
    elif len(games) == BIDDING_GAMES and alone == [1, 1, 1, 2, 2, 2]:
        points = _seat_mean(games, "A") - _seat_mean(games, "B")
        outcome = 1 + (points > 0) - (points < 0)
    else:
        seated = " ".join(game.contestants for game in games) or "no game"
        raise ValueError(f"{seated} do not make a set: it takes ABB BAA, or six games with three of one A")
    histogram = (int(outcome == 0), int(outcome == 1), int(outcome == 2))
    stats = SetStats(len(games), histogram, RatioSums.one(1, points), _contestant(games, "A"), _contestant(games, "B"))
    return SetRow(index, stats)


def _check(game: PlayedGame) -> None:
    if game.contestants not in _SEATINGS:
        raise ValueError(f"contestants {game.contestants!r} must be one of {' '.join(_SEATINGS)}")
    if len(game.scores) != 3:
        raise ValueError(f"scores {game.scores} of {game.contestants} must be three, one for each seat")
    for score in game.scores:
        if not abs(score) <= _LARGEST_SCORE:
            raise ValueError(f"score {score} in {game.contestants} must be a number up to 1e9")


def _sign(game: PlayedGame) -> int:
    return 1 if game.contestants[0] == "A" else -1


def _side_points(game: PlayedGame) -> Fraction:
    """Landlord's score minus the mean score of the peasants."""
    landlord, down, up = (Fraction(score) for score in game.scores)
    return landlord - (down + up) / 2


def _seat_mean(games: Sequence[PlayedGame], name: str) -> Fraction:
    """Mean score of all seats of a contestant."""
    own = [
        Fraction(score)
        for game in games
        for who, score in zip(game.contestants, game.scores, strict=True)
        if who == name
    ]
    return sum(own, Fraction(0)) / len(own)


def _contestant(games: Sequence[PlayedGame], name: str) -> ContestantSums:
    landlord = [game for game in games if game.contestants[0] == name]
    peasants = [game for game in games if name in game.contestants[1:]]
    return ContestantSums(
        SideSums(
            RatioSums.one(len(landlord), sum(game.landlord_won for game in landlord)),
            RatioSums.one(len(landlord), sum(map(_side_points, landlord), Fraction(0))),
        ),
        SideSums(
            RatioSums.one(len(peasants), sum(not game.landlord_won for game in peasants)),
            RatioSums.one(len(peasants), sum((_peasant_points(g, name) for g in peasants), Fraction(0))),
        ),
        RatioSums.one(len(games), len(landlord)),
    )


def _peasant_points(game: PlayedGame, name: str) -> Fraction:
    own = [Fraction(game.scores[seat]) for seat in (1, 2) if game.contestants[seat] == name]
    return sum(own, Fraction(0)) / len(own) - Fraction(game.scores[0])
