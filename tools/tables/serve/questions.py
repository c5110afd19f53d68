"""What a server asks beside the bots: a hint for a person, and what the decisions of a finished game cost."""

from typing import TYPE_CHECKING, Any, NamedTuple

from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View

from ..table.thinking import known_view

if TYPE_CHECKING:
    from ...study.review.page import Shown


class HintQuestion(NamedTuple):
    """An analysis of what a person may know."""

    view: View | BidView
    limit: Limit

    @property
    def seconds(self) -> float | None:
        """How long the answer may take by itself."""
        return self.limit.seconds

    def answer(self) -> dict[str, Any]:
        """Gets the analysis as JSON."""
        # Not at the top: a process that only plays does without.
        from ...study.analyse.analyse import analyse_any

        return analyse_any(known_view(self.view), self.limit).as_json()


class ReviewQuestion(NamedTuple):
    """What one decision of a finished game cost."""

    record: str
    """The game, as a line of JSON."""
    ply: int
    """The number of moves before the decision."""
    limit: Limit

    @property
    def seconds(self) -> float | None:
        """As of a hint."""
        return self.limit.seconds

    def answer(self) -> "Shown | None":
        """Gets what a page of reviews shows; None if the position cannot be analysed."""
        from ...records.files import records_of
        from ...study.review.decisions import review_of
        from ...study.review.page import page_entry

        (record,) = records_of(self.record, "json")
        reviewed = review_of(record, 1, self.ply, self.limit)
        return None if reviewed is None else page_entry(reviewed)
