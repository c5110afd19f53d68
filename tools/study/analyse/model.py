"""An analysis, for a seat that is to move and for a bidder, and its JSON form."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from ddzbot.cards import RANKS
from ddzbot.evaluation import Criterion, Source
from ddzbot.game import SEAT_NAMES
from ddzbot.rules import KIND_NAMES, Move

from ...shared.message import Message

DIGITS = 4
"""Of probabilities and points in JSON."""

RANKED_BY = {
    Criterion.WIN: Message("ranked by the chance to win"),
    Criterion.POINTS: Message("ranked by points"),
    Criterion.PROOF: Message("what is proved comes first, the others by the chance to win"),
}
"""What ranks the moves, in words."""

Counts = tuple[float, ...]
"""Type alias: the probabilities of holding 0, 1, 2, 3 and 4 cards of a rank."""


@dataclass(frozen=True)
class MoveAnalysis:
    """What is known about one legal move."""

    move: Move
    win: float
    """The probability that the mover's side wins, 0 to 1."""
    score: float | None
    """The points that the mover can expect, None if unknown."""
    visits: int
    """The worlds that it was played out in; of a tree search, its playouts."""
    prior: float | None
    """The network's probability of choosing it, 0 to 1, None without a network."""
    fewest: int
    """The fewest moves that empty the mover's hand after it."""
    line: tuple[Move, ...]
    """The principal line: it begins with this move, and the seats play in turn."""
    error: float | None = None
    """The standard error of what decides, the win or the score; None if unknown."""
    gap_error: float | None = None
    """The standard error of how far it is behind the first move."""
    rank: int = 1
    """Its place among all moves that were analysed; the best is 1."""

    def as_json(self) -> dict[str, Any]:
        """Makes the JSON form."""
        return {
            "rank": self.rank,
            "move": str(self.move),
            "kind": KIND_NAMES[self.move.kind],
            "win": _certain_or_rounded(self.win),
            "score": _round(self.score),
            "error": _round(self.error),
            "gap_error": _round(self.gap_error),
            "visits": self.visits,
            "prior": _round(self.prior),
            "fewest": self.fewest,
            "line": [str(move) for move in self.line],
        }


class Notes(NamedTuple):
    """How the numbers were made."""

    source: Source
    more: dict[str, Any]
    """What else was used, and what was missing; small JSON values for people."""

    def as_json(self) -> dict[str, Any]:
        """Makes the JSON form."""
        return {**self.source.as_json(), **self.more}


@dataclass(frozen=True)
class Analysis:
    """What is known about the position of a seat that is to move."""

    moves: tuple[MoveAnalysis, ...]
    """The best first, and at least one."""
    win: float
    """That of the best move."""
    score: float | None
    playouts: int
    seconds: float
    hidden: dict[int, tuple[Counts, ...]]
    """``hidden[seat][rank][count]``: the probability that a hidden seat holds exactly that many cards of the rank."""
    notes: Notes

    def as_json(self) -> dict[str, Any]:
        """Makes the JSON form; seats and ranks stand by their names."""
        return {
            "moves": [move.as_json() for move in self.moves],
            "win": _certain_or_rounded(self.win),
            "score": _round(self.score),
            "playouts": self.playouts,
            "seconds": round(self.seconds, DIGITS),
            "hidden": {SEAT_NAMES[seat]: _by_rank(ranks) for seat, ranks in self.hidden.items()},
            "notes": self.notes.as_json(),
        }


@dataclass(frozen=True)
class BidWorth:
    """What is known about one legal bid."""

    bid: int
    win: float | None
    """The probability that the bidder's side wins, None if unknown."""
    score: float | None
    """The points that the bidder can expect, None if unknown."""
    landlord: float | None
    """The probability that the bidder becomes the landlord."""

    def as_json(self) -> dict[str, Any]:
        """Makes the JSON form."""
        return {
            "bid": self.bid,
            "win": _round(self.win),
            "score": _round(self.score),
            "landlord": _round(self.landlord),
        }


@dataclass(frozen=True)
class BidAnalysis:
    """What is known about a turn of the auction."""

    bid: int
    """The recommended bid."""
    bids: tuple[BidWorth, ...]
    """Every legal bid, the lowest first."""
    points: int
    """What the hand is worth, see :func:`ddzbot.bidding.hand_points`."""
    deals: int
    """The deals behind the estimates."""
    seconds: float
    notes: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Makes the JSON form."""
        return {
            "bid": self.bid,
            "bids": [worth.as_json() for worth in self.bids],
            "points": self.points,
            "deals": self.deals,
            "seconds": round(self.seconds, DIGITS),
            "notes": self.notes,
        }


def percent(share: float) -> str:
    """Writes a probability; only what is certain is 0 or 100."""
    if share in (0.0, 1.0):
        return Message("{share} %", share=f"{100 * share:.0f}")
    return Message("{share} %", share=f"{min(99.9, max(0.1, 100 * share)):.1f}")


def _round(number: float | None) -> float | None:
    return None if number is None else round(number, DIGITS)


def _by_rank(ranks: tuple[Counts, ...]) -> dict[str, list[float]]:
    return {RANKS[rank]: [_certain_or_rounded(share) for share in shares] for rank, shares in enumerate(ranks)}


def _certain_or_rounded(share: float) -> float:
    """Rounds a probability so that 0 and 1 stay what is certain."""
    rounded = round(share, DIGITS)
    return share if rounded in (0.0, 1.0) and rounded != share else rounded
