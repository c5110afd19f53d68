"""
Reviews of finished games, thought out beside the tables.

One process, which gives way to all bots, reviews for all tables; they take turns decision by decision. A table has one
review at a time, which ends with the table.
"""

import asyncio
import logging
import zlib
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from ddzbot.search.limit import Limit

from ...records.files import text_of
from ...records.record import GameRecord
from ...shared.json_text import json_text, parse_json
from ...shared.work.answering import NoAnswerError
from ..table.thinking import Thinkers
from ..table.turns import in_thread
from .questions import ReviewQuestion
from .sentences import RefusedError

if TYPE_CHECKING:
    from ...study.review.page import Shown


MOST_REVIEWS = 20
"""A table keeps so many; with each further one the oldest goes."""
MOST_FAILURES = 2
"""A review ends when the process did not answer so often; a single decision is left out."""
NICENESS = 15
"""Reviews give way to the bots and hints of every table."""

Message = dict[str, Any]
Aside = Callable[[Callable[[], Any]], Awaitable[Any]]


class ReviewQueue:
    """Where all tables have their games reviewed, by the one process of *thinkers*; *limit* is for each decision."""

    def __init__(self, thinkers: Thinkers, limit: Limit, aside: Aside = in_thread) -> None:
        """Makes the queue; *aside* does what takes no thought, but time."""
        self.limit = limit
        self.aside = aside
        self._thinkers = thinkers

    async def review(self, record: str, ply: int) -> "Shown | None":
        """
        Reviews one decision when it is its turn; requests are served in order.

        :raises NoAnswerError: if there is no answer.
        """
        question = ReviewQuestion(record, ply, self.limit)
        review: Shown | None = await self._thinkers.turns.run(partial(self._thinkers.ask, question))
        return review


class Reviews:
    """The reviews of one table; *show* sends a message to all viewers."""

    def __init__(self, review_queue: ReviewQueue, show: Callable[[Message], None]) -> None:
        self._review_queue, self._show = review_queue, show
        self._ready: dict[int, bytes] = {}
        self._running: asyncio.Task[None] | None = None
        self._progress: Message | None = None

    def ask(self, number: int, record: GameRecord) -> None:
        """
        Begins to review the game of that number; for one that is ready it sends the message again.

        :raises RefusedError: while another one is reviewed.
        """
        if number in self._ready:
            self._show(_ready(number))
            return
        if self._running is not None:
            raise RefusedError("a review is on its way at this table", "本桌正在复盘")
        self._say(number, 0, 0)
        self._running = asyncio.create_task(self._review(number, record))

    def messages(self) -> list[Message]:
        """Lists the messages for a viewer who comes to the table."""
        return [*map(_ready, sorted(self._ready)), *([self._progress] if self._progress else [])]

    def page(self, number: int, board: str) -> str | None:
        """Makes the page of a game, which links to a *board*; None if it was not reviewed, or too long ago."""
        from ...study.review.page import review_page

        packed = self._ready.get(number)
        if packed is None:
            return None
        return review_page([parse_json(zlib.decompress(packed).decode())], self._review_queue.limit, board=board)

    def stop(self) -> None:
        """Ends the review that is under way."""
        if self._running is not None:
            self._running.cancel()
            self._running = self._progress = None

    def drop(self) -> None:
        """Ends the review that is under way, with a message."""
        if self._progress is not None:
            stopped = {"en": "the review was stopped", "zh": "复盘已停止"}
            message = {**self._progress, "problem": stopped}
            self.stop()
            self._show(message)

    async def _review(self, number: int, record: GameRecord) -> None:
        problem = None
        try:
            packed = await self._pack_review(number, record)
        except NoAnswerError as error:
            logging.warning("review of game %d: %s", number, error)
            problem = {"en": f"the review failed: {error}", "zh": "复盘失败"}
        except Exception:  # the table is to continue
            logging.exception("game %d cannot be reviewed", number)
            problem = {"en": "the review failed", "zh": "复盘失败"}
        self._running = self._progress = None
        if problem is not None:
            self._show({**_message(number, 0, 0), "problem": problem})
            return
        self._ready[number] = packed
        while len(self._ready) > MOST_REVIEWS:
            del self._ready[min(self._ready)]
        self._show(_ready(number))

    async def _pack_review(self, number: int, record: GameRecord) -> bytes:
        """
        Reviews decision by decision, and makes the page's data of the game.

        :raises NoAnswerError: if too many have no answer.
        """
        # Not at the top: a server that is never asked for a review does without.
        from ...study.review.decisions import decisions
        from ...study.review.page import reviewed_game

        plies = await self._review_queue.aside(partial(decisions, record))
        record_text, reviewed, failures = text_of([record], "json"), [], 0
        for done, ply in enumerate(plies):
            self._say(number, done, len(plies))
            try:
                decision = await self._review_queue.review(record_text, ply)
            except NoAnswerError:
                failures += 1
                if failures >= MOST_FAILURES:
                    raise
                continue
            if decision is not None:
                reviewed.append(decision)
        data = await self._review_queue.aside(partial(reviewed_game, record, number, reviewed))
        return zlib.compress(json_text(data).encode("utf-8"))

    def _say(self, number: int, done: int, of: int) -> None:
        self._progress = _message(number, done, of)
        self._show(self._progress)


def _message(number: int, done: int, of: int, ready: bool = False) -> Message:
    return {"type": "review", "game": number, "done": done, "of": of, "ready": ready, "problem": None}


def _ready(number: int) -> Message:
    return _message(number, 0, 0, ready=True)
