"""All tables of a server: making them, finding them, and ending unused ones."""

import asyncio
import secrets
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from ddzbot.rules import RULE_SETS

from ...shared.json_text import checked
from ...shared.names import PERSON
from .board import Board, start_of
from .plan import ServerConfig, TableSetup
from .room import Room
from .saved_table import Keeper, SavedTable
from .sentences import RefusedError

MOST_ROOMS = 100
EMPTY_SECONDS = 300.0
"""A table ends so soon if no person has a seat at it, or watches."""
SWEEP_SECONDS = 20.0


class _Wish(Struct, forbid_unknown_fields=True):
    rules: str
    places: tuple[str, str, str]


class Rooms:
    """
    The tables of one server.

    *bots* are the only bots that a page may ask for. *root* is what all deals are made from: it reveals all cards. A
    table that was not used for *idle* seconds ends.
    """

    def __init__(
        self, config: ServerConfig, bots: Sequence[str], root: str, idle: float, keeper: Keeper | None = None
    ) -> None:
        self.bots = tuple(bots)
        self._keeper = keeper
        self._config, self._root, self._idle = config, root, idle
        self._rooms: dict[str, Room] = {}
        self._made = 0

    def __iter__(self) -> Iterator[Room]:
        return iter(list(self._rooms.values()))

    def get(self, name: str) -> Room | None:
        """Gets the table of that name, None if there is none any more."""
        return self._rooms.get(name)

    def make(self, wish: Any) -> Room:
        """
        Makes a table after *wish*, for example ``{"rules": "botzone2", "places": ["person", "rule", "rule"]}``.

        ``{"start": "botzone 3../4../5.. ..."}`` makes a board that begins at a position in one line, or in a record.
        :raises RefusedError: for anything else, and when there are too many tables.
        """
        plan = self._plan(wish)
        if len(self._rooms) >= MOST_ROOMS:
            raise RefusedError("there are too many tables: wait until one ends", "牌桌太多了，请稍后再开")
        kind = Room if plan.start is None else Board
        room = kind(plan, self._config, f"{self._root}/{plan.number}", self._keeper)
        self._made = plan.number
        self._rooms[plan.name] = room
        return room

    def _plan(self, wish: Any) -> TableSetup:
        name, number = secrets.token_urlsafe(9), self._made + 1
        if isinstance(wish, dict) and set(wish) == {"start"}:
            start = start_of(wish["start"])
            return TableSetup(name, number, start.rules, (PERSON, self.bots[0], self.bots[0]), start)
        try:
            request = checked(wish, _Wish)
        except ValueError as error:
            raise RefusedError(f"a table needs rules and three places: {error}", "开桌需要规则和三个座位") from None
        rules, places = request.rules, request.places
        if rules not in RULE_SETS:
            names = ", ".join(RULE_SETS)
            raise RefusedError(f"rules {rules!r:.40} are unknown; there are {names}", f"没有这种规则；可选 {names}")
        for place in places:
            if place != PERSON and place not in self.bots:
                names = ", ".join((PERSON, *self.bots))
                raise RefusedError(f"place {place!r:.40} is unknown; there are {names}", f"座位只能是 {names}")
        return TableSetup(name, number, RULE_SETS[rules], places)

    @property
    def failing(self) -> bool:
        """Tests whether tables should outlive the server and cannot, because they cannot be written."""
        return self._keeper is not None and self._keeper.failing

    def resume(self, kept: SavedTable) -> Room:
        """
        Makes a table as it was kept.

        :raises ValueError: if it has a game that no table can resume.
        """
        record = kept.games[-1].record
        first, second, third = (chair.who for chair in kept.chairs)
        plan = TableSetup(kept.name, kept.number, record.rules, (first, second, third), record)
        kind = Board if kept.board else Room
        room = self._rooms[kept.name] = kind(plan, self._config, f"{self._root}/{kept.number}", self._keeper, kept)
        self._made = max(self._made, kept.number)
        return room

    async def sweep(self) -> None:
        """Ends unused tables, again and again."""
        while True:
            await asyncio.sleep(min(SWEEP_SECONDS, self._idle))
            now = asyncio.get_running_loop().time()
            for room in self:
                idle = min(self._idle, EMPTY_SECONDS) if room.empty else self._idle
                if not room.closed and now - room.last_used > idle:
                    room.close("the table has ended: it was not used for a long time", "牌桌已结束：太久没有人操作")
                if room.closed:
                    del self._rooms[room.name]

    def close(self) -> None:
        """Ends with the server: the players of a table that is kept wait for the next one."""
        for room in self:
            room.pause()
        self._rooms.clear()
