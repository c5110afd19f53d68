"""Starting matches against named bots, a few at a time, and no faster than the site lets us."""

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from ddzbot.game import SEATS

from .pauses import Pauses
from .site import Site, TroubleError, WaitError
from .wire import wish_headers

ME = "me"
MOST_REFUSALS = 5
"""Wishes in a row that make no sense to the site; then no more are sent."""
LOOK_SECONDS = 0.2


class MatchRequest(NamedTuple):
    """Which matches to start."""

    game: str
    against: tuple[str, ...]
    """Bot IDs for the other positions in order; one alone takes both."""
    matches: int
    at_once: int
    """Matches that may run at a time."""
    slot: int | None
    """Our position; None takes each in turn."""
    initdata: str = ""

    def players(self, number: int) -> list[str]:
        """Gets the players by position in the match of that number, from 0."""
        own = number % SEATS if self.slot is None else self.slot
        others = list(self.against if len(self.against) > 1 else self.against * (SEATS - 1))
        return [*others[:own], ME, *others[own:]]


class Running(Protocol):
    """What the starter needs to know of the client."""

    def running(self) -> int:
        """Counts the matches that run."""

    def begin(self, match: str, players: Sequence[str]) -> None:
        """Takes a match that was started."""


class Starter:
    """Starts matches until there were as many as wished for."""

    def __init__(
        self, wish: MatchRequest, site: Site, client: Running, pauses: Pauses, say: Callable[[str], None], late: float
    ) -> None:
        self._wish, self._site, self._client, self._pauses, self._say = wish, site, client, pauses, say
        self._late = late
        self.started = 0
        self.ended = False
        self.gave_up = False
        """The site refused too often."""
        self._unsure: list[list[str]] = []
        """The players invited to matches that may have begun or not."""

    def adopted(self) -> list[str] | None:
        """Takes an unannounced match for one with a start that was never confirmed; None if there is no such."""
        if not self._unsure:
            return None
        self.started += 1
        return self._unsure.pop()

    async def run(self) -> None:
        """Starts them all; ends early if the site finds the wish senseless."""
        refusals = 0
        while self.started < self._wish.matches and refusals < MOST_REFUSALS:
            if self._client.running() >= self._wish.at_once:
                await asyncio.sleep(LOOK_SECONDS)
                continue
            players = self._wish.players(self.started)
            before = self.started
            try:
                match = await self._site.start(wish_headers(self._wish.game, players, self._wish.initdata))
            except TroubleError as error:
                refusals = refusals + 1 if isinstance(error, WaitError) and error.lasting else 0
                if not isinstance(error, WaitError):
                    self._unsure.append(players)
                await self._wait(error)
                continue
            refusals = 0
            self._pauses.reset()
            if self.started == before:
                self.started += 1
            self._client.begin(match, players)
        if self._unsure:
            await asyncio.sleep(self._late)
        self.gave_up = self.started < self._wish.matches
        self.ended = True
        if self.gave_up:
            self._say(f"no more matches are started: the site refused {MOST_REFUSALS} times in a row")

    async def _wait(self, error: TroubleError) -> None:
        pause = self._pauses.next()
        asked = error.seconds if isinstance(error, WaitError) else None
        pause = max(pause, asked or 0.0)
        self._say(f"{error}; the next match is tried in {pause:.1f} s")
        await asyncio.sleep(pause)
        # A match that has not shown up by now never began.
        if asked is None:
            self._unsure = self._unsure[-1:]
