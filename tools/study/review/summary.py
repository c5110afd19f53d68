"""Adds up reviews by player, over any number of games."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from math import sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple

from ddzbot.game import SEAT_NAMES

from ...shared.names import short_names
from .model import MARKS, Review


class PlayerSummary(NamedTuple):
    """What one player's decisions cost, in games of one unit."""

    player: str
    """A short name; that of the seat where the records have none."""
    points: bool
    """Whether the loss is in points."""
    split: bool
    """Whether it is the player's second line: another one is in chances of winning."""
    decisions: int
    loss: float
    """The mean of all decisions."""
    error: float | None
    """The standard error of the mean; None of a single decision."""
    marks: dict[str, int]
    """How many of each mark, the blunders first."""
    proved: int

    def as_json(self) -> dict[str, Any]:
        """Makes the JSON form."""
        return {**self._asdict(), "loss": round(self.loss, 4), "error": self.error and round(self.error, 4)}


def summary(reviews: Iterable[Review]) -> list[PlayerSummary]:
    """Adds up by player, or by seat where the record has no names; where points decide a player has a second line."""
    by_player: dict[tuple[str, bool], list[Review]] = defaultdict(list)
    for review in reviews:
        by_player[review.name or SEAT_NAMES[review.seat], review.points].append(review)
    short = short_names({player for player, _ in by_player})
    return [
        _added_up(short[player], points, points and (player, False) in by_player, own)
        for (player, points), own in sorted(by_player.items(), key=lambda entry: (short[entry[0][0]], entry[0][1]))
    ]


def _added_up(player: str, points: bool, split: bool, reviews: list[Review]) -> PlayerSummary:
    marks = Counter(review.mark for review in reviews)
    losses = [review.loss for review in reviews]
    return PlayerSummary(
        player=player,
        points=points,
        split=split,
        decisions=len(reviews),
        loss=fmean(losses),
        error=stdev(losses) / sqrt(len(losses)) if len(losses) > 1 else None,
        marks={mark: marks[mark] for mark, _ in MARKS},
        proved=sum(review.proved for review in reviews),
    )
