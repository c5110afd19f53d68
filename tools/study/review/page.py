"""The page of reviewed games: that of a recorded game, with a mark at each mistake and what would have been better."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ddzbot.cards import hand_text
from ddzbot.rules import Move
from ddzbot.search.limit import Limit

from ...records.record import GameRecord
from ...records.thoughts import Thought, played_text
from ..view.game_data import game_data
from ..view.render import REPLAY_SCRIPTS, REPLAY_STYLES, page
from ..view.suits import CardIds
from ..view.thoughts import thought_of_analysis
from .bids import bid_reviews
from .decisions import Reviewed, reviewer_of
from .model import MARKS, SURE, Bid, Review, decisive
from .summary import summary

DIGITS = 4


class Shown(NamedTuple):
    """A decision as the page shows it."""

    review: Review
    thought: Thought
    """What the champion thought of the position."""
    fallback: str
    """The player that analysed in the champion's place, empty for the champion."""
    puzzle: bool
    answers: dict[str, tuple[float, float | None, str]] | None
    """By cards, the loss of each move, its error and the first letter of its mark; None without a lesson."""


def page_entry(reviewed: Reviewed) -> Shown:
    """Takes what the page shows out of a reviewed decision."""
    thought = thought_of_analysis(reviewed.analysis, reviewed.made.cards)
    puzzle = reviewed.is_puzzle
    answers = {
        hand_text(answer.move.cards): (
            round(answer.loss, DIGITS),
            None if answer.error is None else round(answer.error, DIGITS),
            answer.mark[:1],
        )
        for answer in reviewed.answers
    }
    lesson = answers if puzzle or reviewed.review.mark else None
    return Shown(reviewed.review, thought, reviewer_of(reviewed), puzzle, lesson)


def reviewed_game(
    record: GameRecord, number: int, entries: Sequence[Shown], ids: CardIds | None = None
) -> dict[str, Any]:
    """
    Makes the object of one game for the page: that of :func:`tools.study.view.game_data.game_data`, and what is new.

    Each move that was reviewed has a ``review``, a mistake or puzzle has ``answers``; ``bidReviews`` are those of the
    auction, with the ``seat`` and what it ``made``. ``moments`` are the numbers of the decisive moves from 0, the worst
    first, and -1, -2 and -3 for the bids; ``players`` adds up by player; ``fallbacks`` thought in the champion's place.
    """
    data = game_data(record, number, ids, {entry.review.ply: entry.thought for entry in entries})
    for entry in entries:
        lesson = {"puzzle": entry.puzzle, "answers": entry.answers} if entry.answers else {}
        data["moves"][entry.review.ply] |= {"review": _terms(entry.review), **lesson}
    bids = bid_reviews(record, number)
    reviews = [*bids, *(entry.review for entry in entries)]
    return {
        **data,
        "bidReviews": [{"seat": review.seat, "made": _text(review.made), **_terms(review)} for review in bids],
        "moments": [
            -1 - bids.index(review) if isinstance(review.made, Bid) else review.ply for review in decisive(reviews)
        ],
        "players": _players(reviews),
        "fallbacks": sorted({entry.fallback for entry in entries} - {""}),
    }


def review_page(games: Iterable[dict[str, Any]], limit: Limit, reviews: Iterable[Review] = (), board: str = "") -> str:
    """
    Makes the page of *games*, as :func:`reviewed_game` makes them; *limit* is what each decision got.

    With *reviews*, those of all games, the page adds up by player over all of them. *board* is as of a replay.
    """
    terms = {"limit": limit._asdict(), "marks": dict(MARKS), "sure": SURE, "players": _players(reviews)}
    data = {"games": list(games), "review": terms, "board": board}
    return page("replay.html", REPLAY_STYLES, REPLAY_SCRIPTS, ["replay"], data)


def _terms(review: Review) -> dict[str, Any]:
    """Makes the object of one decision; cards are texts as in a thought."""
    numbers = {"loss": review.loss, "error": review.error, "win": review.win_loss, "score": review.points_loss}
    return {
        **{key: None if number is None else round(number, DIGITS) for key, number in numbers.items()},
        "best": _text(review.best),
        "points": review.points,
        "mark": review.mark,
        "proved": review.proved,
        "why": review.why,
    }


def _text(made: Move | Bid) -> str:
    return str(made.points) if isinstance(made, Bid) else played_text(made.cards)


def _players(reviews: Iterable[Review]) -> list[dict[str, Any]]:
    return [player.as_json() for player in summary(reviews)]
