"""
Where the points of lost games went: what a player's mistakes cost, by role, by part of the game, and by kind.

Only mistakes count, those that a review marks, so the shares of each list add up to what they cost together.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from typing import Any, NamedTuple

from ddzbot.game import SEAT_NAMES

from ...shared.language import cause_word
from .model import PHASES, SURE, Bid, Review

KINDS = {
    "bid_too_high": ("bid_too_high",),
    "bid_too_low": ("bid_too_low",),
    "bomb": ("bomb_given_away", "bomb_held_back", "other_bomb"),
    "form": ("other_kind", "other_length", "other_kickers"),
    "partner": ("partner_overtaken",),
    "followed": ("pass_was_enough", "followed_too_high"),
    "passed": ("trick_let_go", "enemy_let_through"),
    "rank": ("other_rank", "low_card"),
}
"""Of each kind of mistake the reasons of reviews (:data:`.model.WHY`) that are of it."""
KIND_OF = {why: kind for kind, whys in KINDS.items() for why in whys}
LISTS: dict[str, tuple[str, ...]] = {"role": SEAT_NAMES, "phase": PHASES, "kind": tuple(KINDS)}
"""What the mistakes are added up by, and the names in each list."""
COSTLIEST = 3
"""Games of a share that are named."""

WORDS = {name: cause_word(name) for names in LISTS.values() for name in names}
"""The names in the words of the page."""


class Share(NamedTuple):
    """The mistakes of one name of a list."""

    name: str
    points: float
    """What they cost together."""
    mistakes: int
    worst: tuple[Review, ...]
    """Of each of the games in which they cost most, the worst of them; the costliest game first."""


class Causes(NamedTuple):
    """What a player's decisions cost in some games."""

    decisions: int
    mistakes: int
    points: float
    """What the mistakes cost together."""
    small: float
    """What all other decisions lost, each too little to be a mistake."""
    shares: dict[str, list[Share]]
    """By what they are added up by, a key of :data:`LISTS`; without those of no mistake, kinds the costliest first."""
    first: tuple[str, str, str] | None
    """What to work at first: the costliest kind, and of its mistakes the costliest role and part of the game."""
    close: str | None
    """The second kind, if these games are too few to tell which of the two costs more."""

    def percent(self, points: float) -> float:
        """Gets the share of the lost points, in per cent."""
        return 100 * points / self.points if self.points else 0.0

    @property
    def games(self) -> list[int]:
        """Lists the numbers of the games that are named."""
        return sorted({review.game for shares in self.shares.values() for share in shares for review in share.worst})

    def as_json(self) -> dict[str, Any]:
        """Makes the JSON form."""
        shares = {
            key: [
                {
                    "name": share.name,
                    "points": round(share.points, 4),
                    "percent": round(self.percent(share.points), 2),
                    "mistakes": share.mistakes,
                    "worst": [review.as_json() for review in share.worst],
                }
                for share in listed
            ]
            for key, listed in self.shares.items()
        }
        return {
            "decisions": self.decisions,
            "mistakes": self.mistakes,
            "points": round(self.points, 4),
            "small": round(self.small, 4),
            **{f"by_{key}": listed for key, listed in shares.items()},
            "first": self.first,
            "close": self.close,
        }


def causes(reviews: Iterable[Review]) -> Causes:
    """Adds up the decisions of one player."""
    everything = list(reviews)
    marked = [review for review in everything if review.mark]
    shares = {key: _shares(marked, key) for key in LISTS}
    shares["kind"].sort(key=lambda share: -share.points)
    points = sum(review.cost for review in marked)
    small = sum(review.cost for review in everything if not review.mark)
    worst, close = _first(marked, shares["kind"]), _close(marked, shares["kind"])
    return Causes(len(everything), len(marked), points, small, shares, worst, close)


def _shares(marked: Iterable[Review], key: str) -> list[Share]:
    grouped = defaultdict[str, list[Review]](list)
    for review in marked:
        grouped[_NAME[key](review)].append(review)
    return [_share(label, grouped[label]) for label in LISTS[key] if grouped[label]]


_NAME: dict[str, Callable[[Review], str]] = {
    "role": lambda review: SEAT_NAMES[review.seat],
    "phase": lambda review: review.phase,
    "kind": lambda review: KIND_OF[review.why],
}


def _share(name: str, reviews: Sequence[Review]) -> Share:
    by_game = defaultdict[int, list[Review]](list)
    for review in reviews:
        by_game[review.game].append(review)
    costliest = sorted(by_game.values(), key=_cost, reverse=True)[:COSTLIEST]
    return Share(
        name, _cost(reviews), len(reviews), tuple(max(game, key=lambda review: review.cost) for game in costliest)
    )


def _cost(reviews: Iterable[Review]) -> float:
    return sum(review.cost for review in reviews)


def _first(marked: Sequence[Review], kinds: Sequence[Share]) -> tuple[str, str, str] | None:
    if not kinds:
        return None
    of_kind = [review for review in marked if _NAME["kind"](review) == kinds[0].name]
    role, phase = (max(_shares(of_kind, key), key=lambda share: share.points).name for key in ("role", "phase"))
    return kinds[0].name, role, phase


def _close(marked: Iterable[Review], kinds: Sequence[Share]) -> str | None:
    """Gets the second kind, unless over the games it costs less by more than :data:`.model.SURE` standard errors."""
    if len(kinds) < 2:
        return None
    signs = {kinds[0].name: 1, kinds[1].name: -1}
    apart = defaultdict[int, float](float)
    for review in marked:
        apart[review.game] += signs.get(_NAME["kind"](review), 0) * review.cost
    error = sqrt(sum(difference**2 for difference in apart.values()))
    return None if sum(apart.values()) > SURE * error else kinds[1].name


def ply_of(review: Review) -> int:
    """Gets the number of moves after a decision, 0 for a bid: where a page shows it."""
    return 0 if isinstance(review.made, Bid) else review.ply + 1
