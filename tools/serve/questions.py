"""What the processes are asked in which bots think, and how they answer."""

import struct
import time
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ddzbot.engine import Engine
from ddzbot.rules import rule_set
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View

from ..shared.contestants import parse_contestant

if TYPE_CHECKING:
    from ..review.page import Shown

__all__ = ["LENGTH", "Answer", "Question", "ReviewQuestion", "answer"]

LENGTH = struct.Struct(">Q")
"""How the length of an answer is written, in bytes."""


class Question(NamedTuple):
    """What a process is asked: a decision of the bot *spec*, or with an empty *spec* an analysis."""

    spec: str
    seed: int
    view: View | BidView
    limit: Limit

    @property
    def seconds(self) -> float | None:
        """How long the answer may take by itself, None without a limit in seconds; a bid is no search."""
        return 0.0 if isinstance(self.view, BidView) and self.spec else self.limit.seconds


class ReviewQuestion(NamedTuple):
    """What the reviewing process is asked: what one decision of a finished game cost."""

    record: str
    """The game, as a line of JSON."""
    ply: int
    """The number of moves before the decision."""
    limit: Limit

    @property
    def seconds(self) -> float | None:
        """As of a :class:`Question`; a move that the search left out takes a second one."""
        return None if self.limit.seconds is None else 2 * self.limit.seconds


class Answer(NamedTuple):
    """What it answers: a value, or one sentence on what went wrong."""

    value: Any
    problem: str = ""
    seconds: float = 0.0
    """How long a bot thought about its move."""


def answer(question: Question | ReviewQuestion) -> Answer:
    """
    Answers one question; nothing that a player does gets out of here as an exception.

    The value is a :class:`Decision` for a view, a bid for the view of a bidder, the JSON form of an analysis, and for a
    :class:`ReviewQuestion` a :class:`tools.review.page.Shown`, or None if the position cannot be analysed.
    """
    try:
        if isinstance(question, ReviewQuestion):
            return Answer(_reviewed(question))
        # The rule set that this process knows: the kernel keeps what it has prepared for each object.
        view = question.view._replace(rules=rule_set(question.view.rules.name))
        return _decided(question, view) if question.spec else Answer(_analysed(question, view))
    except Exception as error:  # the server is to go on, whatever is broken in a player
        return Answer(None, f"{type(error).__name__}: {error}")


def _decided(question: Question, view: View | BidView) -> Answer:
    engine = _engine(question.spec)
    engine.reseed(question.seed)
    if isinstance(view, BidView):
        return Answer(engine.bid(view).bid)
    began = time.perf_counter()
    decision = engine.choose(view, question.limit)
    return Answer(decision, seconds=time.perf_counter() - began)


@lru_cache(maxsize=16)
def _engine(spec: str) -> Engine:
    return parse_contestant(spec).engine()


def _analysed(question: Question, view: View | BidView) -> dict[str, Any]:
    # Not at the top: a process that only plays does without.
    from ..analyse.analyse import analyse_any

    return analyse_any(view, question.limit, seed=question.seed).as_json()


def _reviewed(question: ReviewQuestion) -> "Shown | None":
    from ..records.files import records_of
    from ..review.decisions import review_of
    from ..review.page import shown

    (record,) = records_of(question.record, "json")
    reviewed = review_of(record, 1, question.ply, question.limit)
    return None if reviewed is None else shown(reviewed)
