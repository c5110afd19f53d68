"""
What the worker of a page answers: the server's tables in one page, with one person, and bots that think in this thread.

Texts come and go; everything is asked by a page of ``pages/link.js``.
"""

import asyncio
import math
import re
import secrets
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

from ddzbot.cards import CardsError, hand_text, parse_hand
from ddzbot.net.current import read_manifest, weights_folder
from ddzbot.rules import STANDARD
from ddzbot.search.endgame_position import Endgame
from ddzbot.search.limit import Limit
from ddzbot.search.slices import Search
from ddzbot.view import View

from ...records.files import text_of
from ...shared.json_text import json_text, parse_json
from ...shared.work.answering import NoAnswerError
from ..serve.acts import act, give_hint, welcome
from ..serve.endgames import endgame_after
from ..serve.plan import ServerConfig
from ..serve.questions import HintQuestion
from ..serve.reviews import ReviewQueue, Reviews
from ..serve.room import Room
from ..serve.rooms import Rooms
from ..serve.saved_table import FORM, SavedTable
from ..serve.sentences import RefusedError
from ..serve.wire import Hint, Join, read_request
from ..table.endgames import PUZZLES, puzzle
from ..table.levels import PROPOSED, choices
from ..table.thinking import Question, Thinkers
from ..table.turns import Asker, Turns
from .pasted import Shelf, look_at

BOTS = choices(PROPOSED.name, ("champion", "champion:search=none", "rule"))
FEATURES = ("fast-2", "bid-1")
"""What the networks of :data:`BOTS` are shown."""
PACE = 0.6
"""Seconds between two moves of bots, at least."""
LOOK_SECONDS = 0.05
"""Between two looks at whether the page wants the answer now."""
MOST_REVIEW_SECONDS = 0.5
"""For a decision of a review, which has dozens of them."""
ENDGAME_LIMIT = Limit(seconds=10)
"""A browser is slower than the machine that the puzzles were chosen on."""

Result = TypeVar("Result")


class Page(Protocol):
    """What the page's side of the worker does for this one; texts are JSON but for cards."""

    def say(self, text: str) -> None:
        """Sends the page a message of the table."""

    def keep(self, name: str, text: str) -> None:
        """Keeps the file of the table of that name, for the next time."""

    def found(self, cards: str) -> None:
        """Sends the page the best move so far."""

    def hurried(self) -> bool:
        """Tests whether the page wants the answer now."""

    def read(self, path: str) -> Awaitable[Any]:
        """Gets a file of the page's folder, as something with a method ``to_bytes``."""


class _Turns(Turns):
    async def run(self, work: Callable[[], Result], asker: Asker | None = None) -> Result:
        await asyncio.sleep(0)  # the page gets earlier messages first
        return work()


class _Here(Thinkers):
    """Thinks in this thread: the page has another one."""

    def __init__(self, page: Page) -> None:
        self.turns = _Turns(1)
        self._page = page
        self._looked = 0.0
        self.for_person = False
        """Whether the person waits for the best move, and may know it."""
        Search.watch = self._watch

    def ask(self, question: Question) -> Any:
        self.for_person = isinstance(question, HintQuestion) and isinstance(question.view, View)
        try:
            return question.answer()
        except Exception as error:
            raise NoAnswerError(str(error)) from error

    def _watch(self, search: Search) -> bool:
        now = time.monotonic()
        if now - self._looked < LOOK_SECONDS:
            return False
        self._looked = now
        if self.for_person:  # what a bot is about to play is secret
            self._page.found(hand_text(search.result().move.cards))
        return self._page.hurried()


async def _aside(work: Callable[[], Any]) -> Any:
    return work()


class _Viewer:
    """The page, as a room knows it."""

    def __init__(self, send: Callable[[dict[str, Any]], None]) -> None:
        self.chair: int | None = None
        self.send = send

    def close(self) -> None:
        """Ends nothing: the page is still here."""


class _Keeper:
    """Keeps tables as the texts of their files."""

    failing = False

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def is_kept(self, name: str) -> bool:
        return name in self.texts

    def replace(self, name: str, value: SavedTable) -> None:
        self.texts[name] = FORM.text(value).decode("ascii")

    def remove(self, name: str) -> bool:
        return self.texts.pop(name, None) is not None


class BrowserWorker:
    """One table, or what was pasted, for one page; a decision may take so many *seconds*."""

    def __init__(self, page: Page, seconds: float) -> None:
        self._page, self._kept = page, ""
        self._here, self._limit = _Here(page), Limit(seconds=seconds)
        self._review_queue = ReviewQueue(self._here, Limit(seconds=min(seconds, MOST_REVIEW_SECONDS)), _aside)
        config = ServerConfig(self._here, self._limit, self._limit, PACE, self._review_queue)
        self._keeper = _Keeper()
        self._rooms = Rooms(config, BOTS, secrets.token_hex(32), math.inf, self._keeper)
        self._room: Room | None = None
        self._shelf: Shelf | None = None
        self._viewer = _Viewer(self._tell)
        self._hints: set[asyncio.Task[None]] = set()

    # A table.

    async def make(self, wish: str) -> str:
        """Makes a table as a server would, for one person at most; the answer has an ``error``, or nothing in it."""
        try:
            room = self._rooms.make(parse_json(wish))
            if sum(chair.is_person for chair in room.chairs) > 1:
                raise RefusedError("only one person plays in this page", "这个页面只能有一名真人")
        except RefusedError as error:
            return _json({"error": error.sentence._asdict()})
        await self._prepare(room.rules.name)
        self._room = room
        return _json({})

    async def restore(self, text: str) -> bool:
        """Resumes a table from its kept text; False if there is none in it."""
        try:
            self._room = room = self._rooms.resume(FORM.read(text.encode()))
        except ValueError:
            return False
        for chair in room.chairs:
            chair.taken = False  # the owner of the file is the person
        await self._prepare(room.rules.name)
        return True

    def hear(self, text: str) -> None:
        """Does what the page asks for, as a server would; answers are messages."""
        room = self._room
        assert room is not None
        try:
            request = read_request(text)
            if isinstance(request, Join):
                welcome(room, self._viewer, room.join(self._viewer, request.token, request.watch))
            elif isinstance(request, Hint):
                self._give_hint(room, request)
            else:
                act(room, self._viewer, request)
        except RefusedError as error:
            self._tell(error.message())
        self._keep()

    def hurry(self) -> None:
        """Has what lies ready be shown, after :meth:`Page.hurried` has ended a thought; a review ends."""
        shelf = self._shelf or self._room
        if self._room is not None:
            self._room.autoplay.hurry()
        if shelf is not None:
            shelf.reviews.drop()

    def _give_hint(self, room: Room, request: Hint) -> None:
        task = asyncio.ensure_future(give_hint(room, self._viewer, request))
        self._hints.add(task)
        task.add_done_callback(self._hints.discard)

    def _tell(self, message: dict[str, Any]) -> None:
        self._keep()
        self._page.say(_json(message))

    def _keep(self) -> None:
        """Hands the page the text of the table, if it is another one than the last time."""
        if self._room is None:
            return
        text = self._keeper.texts.get(self._room.name, "")
        if text != self._kept:
            self._kept = text
            self._page.keep(self._room.name, text)

    # What was pasted.

    async def look(self, text: str) -> str:
        """Reads games, a position or an endgame, and gets what it is; a position is analysed, an endgame solved."""
        shelf = self._shelf = Shelf(Reviews(self._review_queue, self._tell))
        try:
            return _json(await look_at(text, shelf, self._limit, self._prepare))
        except RefusedError as error:
            return _json({"error": error.sentence._asdict()})

    def review(self, number: int) -> None:
        """Has a pasted game reviewed; messages show how far that is."""
        assert self._shelf is not None
        record = self._shelf.finished[number]
        try:
            self._shelf.reviews.ask(number, record)
        except RefusedError as error:
            self._tell(error.message())

    def page(self, kind: str, number: int, board: str) -> str:
        """Makes a page, or the record, of a finished or pasted game; *board* is for its links."""
        from ...study.view.game_data import game_data
        from ...study.view.render import replay_page

        shelf = self._shelf or self._room
        assert shelf is not None
        if kind == "review":
            return shelf.reviews.page(number, board) or ""
        record = shelf.finished.get(number)
        assert record is not None
        if kind == "record.ddzn":
            return text_of([record], "text")
        thoughts = {} if self._shelf is None else self._shelf.thoughts
        return replay_page([game_data(record, number, analyses=thoughts)], board=board)

    # Endgames.

    def endgame(self, name: str, moves: str) -> str:
        """Plays an endgame as far as *moves* go; its name is the number of a puzzle, or hands such as ``667/45``."""
        try:
            return _json(endgame_after(_endgame(name), moves, ENDGAME_LIMIT))
        except RefusedError as error:
            return _json({"error": error.sentence._asdict()})

    async def _prepare(self, rules: str, for_person: bool = False) -> None:
        """Gets the networks of a rule set, unless they are here, for thoughts that a person may see."""
        self._here.for_person = for_person
        folder = weights_folder()
        current = read_manifest(folder)["current"]
        for features in FEATURES:
            file = current[features].get(rules)
            if file is not None and not Path(folder, file).exists():
                content = await self._page.read(f"weights/{file}")
                Path(folder, file).write_bytes(content.to_bytes())


def _endgame(name: str) -> Endgame:
    """
    Finds an endgame by its name.

    :raises RefusedError: if there is none of that name.
    """
    hands = name.split("/")
    try:
        if len(hands) == 2:
            return Endgame(STANDARD, tuple(map(parse_hand, hands)))
        if re.fullmatch("[0-9]{1,3}", name) and 1 <= int(name) <= len(PUZZLES):
            return puzzle(int(name))
    except CardsError as error:
        raise RefusedError(f"endgame {name!r:.60}: {error}", f"残局 {name!r:.60}：{error}") from None
    raise RefusedError(
        f"there is no endgame {name!r:.60}: they are 1 to {len(PUZZLES)}, or two hands such as 667/45",
        f"没有残局 {name!r:.60}：编号是 1 到 {len(PUZZLES)}，也可写两家手牌，如 667/45",
    )


def _json(value: Any) -> str:
    return json_text(value)
