"""The review of one decision: what it lost, how sure that is, and by which thresholds it is a mistake."""

from typing import Any, NamedTuple

from ddzbot.game import SEAT_NAMES
from ddzbot.rules import Move

from ...shared.message import Message
from ...shared.words import words

MARKS = (("blunder", 0.2), ("mistake", 0.1), ("inaccuracy", 0.05))
"""The least loss of each, in chances of winning; where points decide, these shares of what a game can swing."""
SURE = 2
"""Standard errors that a loss must have at least to count."""
REVIEW_LIMIT = "5000p"
"""What a decision usually gets."""
DECISIVE = 3
"""Moments of a game that are shown before all others."""

WHY = {key[4:]: english for key, (english, _) in words("replay").items() if key.startswith("why_")}
"""What kind of mistake a move was, in the words of the page."""

PHASES = ("auction", "opening", "middle", "ending")
"""The parts of a game: the auction, its first leads, the middle, and the mover's last cards."""


class Bid(NamedTuple):
    """A bid, as a move stands in a review."""

    points: int

    def __str__(self) -> str:
        return f"bid {self.points}"


class Review(NamedTuple):
    """One decision and what it cost."""

    game: int
    ply: int
    """The number of moves before it; of a bid, the number of bids."""
    phase: str
    """One of :data:`PHASES`."""
    seat: int
    """The role; of a bidder, the one that the auction gave it."""
    name: str
    """The player's name; empty if the record has none."""
    made: Move | Bid
    best: Move | Bid
    loss: float
    """What the best move is worth more in what decides, chances of winning or points; 0 for the best move."""
    error: float | None
    """The standard error of the loss; 0 where it is proved, None where only the network knows the move."""
    points: bool
    """Whether points decide, and the loss is in points."""
    win_loss: float
    """In chances of winning; below 0 where points decide and the move wins more often."""
    points_loss: float | None
    """In points; None if unknown. Where the chance decides it is the network's opinion."""
    cost: float
    """The loss in points: where chances decide, that share of what a game can swing without bombs."""
    mark: str
    """``blunder``, ``mistake``, ``inaccuracy``, or empty."""
    proved: bool
    why: str
    """What kind of mistake it was, a key of :data:`WHY`; empty without a mark."""

    def as_json(self) -> dict[str, Any]:
        """Makes the JSON form."""
        rounded = {
            field: None if value is None else round(value, 4)
            for field, value in self._asdict().items()
            if field in ("loss", "error", "win_loss", "points_loss", "cost")
        }
        texts = {"seat": SEAT_NAMES[self.seat], "made": str(self.made), "best": str(self.best)}
        return {**self._asdict(), **rounded, **texts, "why": WHY.get(self.why, "")}


def mark_of(loss: float, error: float, proved: bool) -> str:
    """
    Names a mistake; empty for what is none. For example, 0.15 with an error of 0.05 is a ``mistake``.

    *loss* and *error* are in chances of winning, or as shares of what a game can swing.
    """
    if proved:
        return "blunder"
    if loss <= SURE * error:
        return ""
    return next((mark for mark, least in MARKS if loss >= least), "")


def loss_text(value: float, points: bool) -> str:
    """Writes a loss or its error: points, or per cent of the chance to win."""
    # Rounded first, so that a little less than nothing is 0 and not -0.
    if points:
        return f"{round(value, 2) + 0.0:.2f}"
    return Message("{share} %", share=f"{round(100 * value, 1) + 0.0:.1f}")


def loss_named(value: float, points: bool) -> str:
    """Writes a loss or its error with its unit, for tables in which there may be both."""
    amount = loss_text(value, points)
    return Message("{points} points", points=amount) if points else amount


def decisive(reviews: list[Review]) -> list[Review]:
    """Lists the mistakes of one game that decided it, the worst first: what is proved before what is likely."""
    marked = [review for review in reviews if review.mark]
    return sorted(marked, key=lambda review: (review.proved, review.loss), reverse=True)[:DECISIVE]
