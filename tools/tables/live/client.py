"""
The client: one long poll at a time, matches that think beside it, and answers that go with the next poll.

While a poll waits, an answer may become ready; then the poll is ended from here, and the next one takes the answer.
A poll that failed, or that we ended, may have brought its answers to the site or not. So the next poll goes without
them: a site that still wants an answer repeats its request, and gets the same answer again; one that has it sends the
next request, or waits. Only after a poll that brought nothing at all such an answer is sent again unasked, for a site
that repeats no request. An answer that went with a poll that came back whole is not sent again until it is asked for.
"""

import asyncio
import math
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from ..table.turns import in_thread
from .deciding import Decider, UnanswerableError, timed
from .games import Games
from .match import Delivery, LiveMatch
from .pauses import Pace, Pauses
from .registry import MatchRegistry
from .site import QuietError, Site, TroubleError, WaitError
from .starting import MatchRequest, Starter
from .store import Store
from .wire import Polled, answer_header

LAST_WORD = 0.5
"""Seconds that a poll gets to end by itself when the client is stopped."""


class Client:
    """
    Plays the matches of one account until nothing is left to do, or for ever.

    *tags* go into every record. With a *wish* it starts matches; with *count* it ends after so many have ended.
    """

    def __init__(
        self,
        site: Site,
        decider: Decider,
        store: Store,
        games: Games | None,
        say: Callable[[str], None],
        *,
        wish: MatchRequest | None = None,
        count: int | None = None,
        pace: Pace | None = None,
        seed: int = 0,
        tags: Mapping[str, str] | None = None,
    ) -> None:
        own_tags = {"Site": site.account.host, **(tags or {})}
        self.registry = MatchRegistry(store, games, say, decider.name, own_tags, self._forget)
        self.tally = self.registry.tally
        self._site, self._decider, self._say = site, decider, say
        self._count = count if wish is None else None
        self._pace = pace or Pace()
        self._pauses = Pauses(self._pace.first_pause, self._pace.most_pause, seed)
        self._idle = Pauses(self._pace.idle, self._pace.most_idle, seed + 1)
        starting = Pauses(self._pace.first_pause, 5 * self._pace.most_pause, seed + 2)
        self.starter = None if wish is None else Starter(wish, site, self, starting, say, self._pace.late)
        self._thinking: dict[str, asyncio.Task[None]] = {}
        self._since: dict[str, float] = {}
        """Since when it is unknown if an answer arrived, by match."""
        self._contradicted: set[str] = set()
        """The matches of which the site wanted two answers at once; that is reported once."""
        self._late: Polled | None = None
        """What the last poll brought while the client was being stopped."""
        self._stopping = False
        self._wake = asyncio.Event()
        """An answer is ready, or the starter has ended: a poll that waits may have to end."""

    @property
    def matches(self) -> dict[str, LiveMatch]:
        """The matches that run, by name."""
        return self.registry.matches

    def running(self) -> int:
        """Counts the matches that run."""
        return len(self.matches)

    @property
    def finished(self) -> int:
        """Counts the matches that have ended."""
        return self.tally.played + self.tally.broken_off

    def begin(self, match: str, players: Sequence[str]) -> None:
        """Takes a match that was started from here."""
        self.registry.begin(match, players)

    async def run(self) -> None:
        """
        Plays, and resumes the matches that were running when the client was stopped last time.

        :raises RefusedError: if the site will never let this account in.
        """
        for match in self.registry.load():
            if match.requests and not match.is_answered:
                self._think(match)
        tasks = [asyncio.create_task(self._poll_on())]
        if self.starter is not None:
            tasks.append(asyncio.create_task(self._start_all(self.starter)))
        try:
            # The polls continue to the end; the starter's own failure ends both.
            await asyncio.gather(*tasks)
        finally:
            self._stopping = True
            for task in (*tasks, *self._thinking.values()):
                task.cancel()
            await asyncio.gather(*tasks, *self._thinking.values(), return_exceptions=True)
            if self._late is not None:
                self._take(self._late)

    async def _start_all(self, starter: Starter) -> None:
        try:
            await starter.run()
        finally:
            self._wake.set()

    @property
    def _done(self) -> bool:
        if self.starter is not None:
            return self.starter.ended and not self.matches
        return self._count is not None and self.finished >= self._count

    # Polls.

    async def _poll_on(self) -> None:
        loop = asyncio.get_running_loop()
        began = -math.inf
        while not self._done:
            await self._gather()
            early = began + self._pace.least - loop.time()
            if early > 0:
                await asyncio.sleep(early)
                continue
            began = loop.time()
            self.registry.give_up(time.monotonic(), self._pace.patience)
            unsure = self._unsure(began)
            try:
                polled = await self._poll_once()
            except TroubleError as error:
                await self._after_trouble(error, unsure)
                continue
            self._pauses.reset()
            if polled is not None:
                self._silence(unsure, polled, began, loop.time())
            if polled is None or self._take(polled) or loop.time() - began > self._pace.most_idle:
                self._idle.reset()
            elif not self._has_more(()):
                # A site that repeats requests while we think answers at once, again and again.
                await self._until_woken(self._idle.next())

    async def _gather(self) -> None:
        """Waits for answers that are nearly there, so that they go with one poll."""
        if self._thinking:
            await asyncio.wait(list(self._thinking.values()), timeout=self._pace.gather)

    async def _poll_once(self) -> Polled | None:
        """
        Polls with all answers that are ready, and gets what comes; None if the poll was ended from here.

        :raises TroubleError: if the poll failed.
        """
        carried = [match for match in self.matches.values() if match.delivery is Delivery.READY]
        self._wake.clear()
        try:
            polled = await self._held([answer_header(match.id, match.responses[-1]) for match in carried])
        except BaseException:
            self._went(carried, arrived=False)
            raise
        self._went(carried, arrived=polled is not None)
        return polled

    async def _held(self, headers: Sequence[tuple[str, str]]) -> Polled | None:
        """Waits for the site, or until an answer is ready that the poll does not have: then it brings nothing."""
        poll = asyncio.create_task(self._site.poll(dict(headers)))
        woken: asyncio.Task[bool] | None = None
        try:
            while not poll.done():
                woken = asyncio.create_task(self._wake.wait())
                await asyncio.wait({poll, woken}, return_when=asyncio.FIRST_COMPLETED)
                if woken.done() and not poll.done():
                    self._wake.clear()
                    if self._done or self._has_more(headers):
                        poll.cancel()
                        await asyncio.wait({poll})
                        return _result_of(poll)
            return poll.result()
        except asyncio.CancelledError:
            # A message on its way would never come again: the end of a match, perhaps.
            await asyncio.wait({poll}, timeout=LAST_WORD)
            self._late = _result_of(poll)
            raise
        finally:
            # Nothing is waited for here: an interrupt would cost what the poll has brought.
            poll.cancel()
            if woken is not None:
                woken.cancel()

    def _has_more(self, headers: Sequence[tuple[str, str]]) -> bool:
        ready = [match for match in self.matches.values() if match.delivery is Delivery.READY]
        return len(ready) > len(headers)

    def _went(self, carried: Sequence[LiveMatch], arrived: bool) -> None:
        for match in carried:
            if match.delivery is Delivery.READY:
                self.tally.resent += match.sendings > 0
                match.went(arrived)

    async def _after_trouble(self, error: TroubleError, unsure: Sequence[LiveMatch]) -> None:
        if isinstance(error, QuietError):
            # As common as a poll that the site ends: no reason to wait.
            for match in unsure:
                match.silence()
            return
        pause = self._pauses.next()
        if isinstance(error, WaitError):
            pause = max(pause, error.seconds or 0.0)
        self._say(f"{error}; asking again in {pause:.1f} s")
        await asyncio.sleep(pause)

    async def _until_woken(self, seconds: float) -> None:
        # Not wait_for: until Python 3.12 it loses an interrupt that comes together with the wake.
        woken = asyncio.create_task(self._wake.wait())
        try:
            await asyncio.wait({woken}, timeout=seconds)
        finally:
            woken.cancel()

    # What a poll brings.

    def _unsure(self, now: float) -> list[LiveMatch]:
        """Lists the matches with an answer of unknown fate, and notes since when."""
        unsure = [match for match in self.matches.values() if match.delivery is Delivery.UNSURE]
        self._since = {match.id: self._since.get(match.id, now) for match in unsure}
        return unsure

    def _silence(self, unsure: Sequence[LiveMatch], polled: Polled, began: float, now: float) -> None:
        """Finds matches that the site has been silent about: in a long poll, or while it spoke of others."""
        named = {request.match for request in polled.requests}
        quiet = polled.is_quiet and now - began >= self._pace.silence
        for match in unsure:
            long = now - self._since[match.id] >= 2 * self._pace.silence
            if match.id not in named and (quiet or long):
                match.silence()

    def _take(self, polled: Polled) -> bool:
        for problem in polled.problems:
            self._say(problem)
        adopted = self.starter.adopted if self.starter is not None else lambda: None
        taken = [self.registry.take_request(request, adopted) for request in polled.requests]
        asked = [match for match in taken if match is not None]
        for match_name, count in Counter(match.id for match in asked).items():
            if count > 1 and match_name not in self._contradicted:
                self._contradicted.add(match_name)
                self._say(
                    f"match {match_name}: {count} requests in one answer contradict each other; the last one counts"
                )
        for match in asked:
            self._think(match)
        ends = [self.registry.take_end(ended, adopted) for ended in polled.ended]
        return bool(asked) or any(ends)

    # Answers.

    def _think(self, match: LiveMatch) -> None:
        if self._stopping:
            return
        before = self._thinking.pop(match.id, None)
        if before is not None:
            before.cancel()
        task = asyncio.create_task(self._decide(match, match.turn))
        self._thinking[match.id] = task
        task.add_done_callback(lambda done: self._forget_task(match.id, done))

    def _forget(self, match: str) -> None:
        """Stops thinking about a match that is over."""
        task = self._thinking.pop(match, None)
        if task is not None:
            task.cancel()
        self._contradicted.discard(match)
        self._decider.forget(match)

    def _forget_task(self, match: str, done: asyncio.Task[None]) -> None:
        if self._thinking.get(match) is done:
            del self._thinking[match]
        if not done.cancelled() and (error := done.exception()) is not None:
            self._say(f"match {match}: {type(error).__name__}: {error!s:.200}")

    async def _decide(self, match: LiveMatch, turn: int) -> None:
        try:
            answer, seconds = await in_thread(partial(timed, self._decider, match.id, match.histories()))
        except UnanswerableError as error:
            self._say(f"match {match.id}: request {turn} is not answered, since no answer is surely legal: {error}")
            return
        if match.turn != turn or match.is_answered or match.id not in self.matches:
            return
        if answer.problem:
            self.tally.fallbacks += 1
            self._say(f"match {match.id}, request {turn}: {answer.problem}; {answer.response} is played")
        match.answer(answer.response, {"seconds": round(seconds, 3), "debug": answer.debug})
        self.registry.save(match)
        self._wake.set()


def _result_of(poll: "asyncio.Task[Polled]") -> Polled | None:
    """Gets what a poll has brought; None if it was cancelled, failed or still waits."""
    done = poll.done() and not poll.cancelled() and poll.exception() is None
    return poll.result() if done else None
