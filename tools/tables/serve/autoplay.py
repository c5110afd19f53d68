"""Lets the bots of one table act one after the other, each act as long in coming as the next."""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from functools import partial
from typing import Protocol

from .plan import Pace, ServerConfig


class Playing(Protocol):
    """A table with bots, as far as this module knows it."""

    name: str

    @property
    def urgency(self) -> int:
        """The rank of its thoughts, for :class:`tools.tables.table.turns.Turns`; the lowest comes first."""

    @property
    def watched(self) -> bool:
        """Tests whether a connection is at the table."""

    def bot_is_to_move(self) -> bool:
        """Tests whether a bot is to bid or to move."""

    def advance(self) -> None:
        """Lets one bot act; runs in a thread."""

    def happened(self) -> None:
        """Shows what happened."""

    def close(self, en: str, zh: str) -> None:
        """Ends the table."""


class Autoplay:
    """The acts of the bots of *table*. While :attr:`thinking` nothing else may read or change its game."""

    def __init__(self, table: Playing, config: ServerConfig) -> None:
        self.pace = Pace(config.pace, config.limit)
        self._table, self._turns = table, config.thinkers.turns
        self._task: asyncio.Task[None] | None = None
        self._hurried = asyncio.Event()

    @property
    def thinking(self) -> bool:
        """Tests whether bots act just now."""
        return self._task is not None

    def start(self) -> None:
        """Lets bots act until a person is to move, or the last viewer has left."""
        if self._task is None and self._table.bot_is_to_move() and self._table.watched:
            self._task = asyncio.create_task(self._play())

    def hurry(self) -> None:
        """Has a bot's move that lies ready be shown now."""
        self._hurried.set()

    def stop(self) -> None:
        """Ends with the table."""
        if self._task is not None:
            self._task.cancel()

    async def _play(self) -> None:
        table = self._table
        try:
            act = partial(self._act, asyncio.get_running_loop().time)
            while table.bot_is_to_move() and table.watched:
                began = await self._turns.run(act, table)
                if began is None:
                    continue
                await self._wait_until(began + self.pace.seconds)
                if not table.bot_is_to_move():
                    self._task = None  # a viewer that sees it now may answer at once
                table.happened()
            self._task = None
        except Exception:  # the other tables are to continue
            logging.exception("table %s cannot continue", table.name)
            self._task = None
            table.close("the server failed at this table: please make another one", "这张牌桌出了故障，请另开一桌")

    async def _wait_until(self, moment: float) -> None:
        self._hurried.clear()
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._hurried.wait(), max(0.0, moment - asyncio.get_running_loop().time()))

    def _act(self, clock: Callable[[], float]) -> float | None:
        """
        Lets one bot act, in a thread, and returns when it began to; before that all bots wait alike for their turn.

        None if all viewers have left meanwhile: then it does nothing, and the next table has its turn at once.
        """
        began = clock()
        if not self._table.watched:
            return None
        self._table.advance()
        return began
