"""
A mock of the platform's server: it speaks the interface, and referees matches of one account against bots of ours.

It follows the public samples of the interface where they say something, and is naive where a naive server would be: an
answer counts for whatever request waits. But its report (:class:`tests.live.faults.ServerTally`) has every answer that
a correct client would not have sent.
"""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Sequence
from hashlib import sha256
from typing import NamedTuple

from aiohttp import web

from ddzbot.players.registry import PlayerError, checked_player
from tests.live.faults import Fault, FaultDraw, ServerTally
from tests.live.mock_match import MockMatch
from tools.referee.games import GAMES
from tools.referee.referee import RefereeError

LOOK_SECONDS = 0.25
ANSWER = "x-match-"


class ServerBehaviour(NamedTuple):
    """How the server behaves where the behaviour of the platform is not known."""

    hold: float = 25.0
    """Seconds that a poll waits for news."""
    repeats: bool = True
    """A request comes with every poll until it is answered; otherwise with one that arrived."""
    envelopes: bool = False
    """A request comes with all requests and responses before it."""
    delay: float = 0.0
    """Seconds at most that another player thinks."""
    turn_seconds: float = 60.0
    """A client that does not answer in so long is at fault."""
    most_running: int = 20
    """Matches at a time."""


class MockServer:
    """The server of one account, *user* and *secret*. ``report`` says what it saw."""

    def __init__(
        self,
        user: str,
        secret: str,
        seed: int = 0,
        plan: FaultDraw | None = None,
        behaviour: ServerBehaviour | None = None,
    ) -> None:
        self.report = ServerTally()
        self.matches: dict[str, MockMatch] = {}
        self._user, self._secret, self._seed = user, secret, seed
        self._plan = plan or FaultDraw(seed)
        self._temper = behaviour or ServerBehaviour()
        self._news = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def running(self) -> list[MockMatch]:
        """The matches that run."""
        return [match for match in self.matches.values() if not match.is_over]

    def app(self) -> web.Application:
        """Makes the web application."""
        app = web.Application()
        app.router.add_get("/api/{user}/{secret}/localai", self._localai)
        app.router.add_get("/api/{user}/{secret}/runmatch", self._runmatch)
        app.cleanup_ctx.append(self._watching)
        return app

    async def _watching(self, _app: web.Application) -> AsyncIterator[None]:
        task = asyncio.create_task(self._watch())
        yield
        for running in (task, *self._tasks):
            running.cancel()
        await asyncio.gather(task, *self._tasks, return_exceptions=True)

    async def _watch(self) -> None:
        """Finds clients at fault that let a request wait too long."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            for match in self.running:
                if match.waited() > self._temper.turn_seconds:
                    self._judge(match, None)

    # Starting.

    async def _runmatch(self, request: web.Request) -> web.StreamResponse:
        self._check(request)
        fault = self._plan.for_start()
        if fault is not None:
            self.report.faults[fault.kind] += 1
            if not fault.counted:
                if "refused" in fault.kind:
                    return web.Response(status=403, text="You may not create another table so soon")
                return _dropped(request)
        match = self._begin(request)
        return _dropped(request) if fault is not None else web.Response(text=match.id)

    def _begin(self, request: web.Request) -> MockMatch:
        game = request.headers.get("X-Game", "")
        players: list[str] = []
        while (name := f"X-Player-{len(players)}") in request.headers:
            players.append(request.headers[name])
        if game not in GAMES or len(players) != 3 or players.count("me") != 1:
            raise web.HTTPBadRequest(text="X-Game must be a game of three players, and exactly one of them is me")
        if len(self.running) >= self._temper.most_running:
            raise web.HTTPForbidden(text="You have too many running matches")
        index = len(self.matches)
        name = sha256(f"{self._seed}/match/{index}".encode()).hexdigest()[:24]
        try:
            bots = [player if player == "me" else checked_player(player).text for player in players]
            match = MockMatch(name, game, bots, request.headers.get("X-Initdata", ""), f"{self._seed}/{index}")
        except (PlayerError, RefereeError) as error:
            raise web.HTTPBadRequest(text=str(error)) from None
        match.broken_off_at = self._plan.for_match()
        self.matches[name] = match
        self.report.started += 1
        self._go_on(match)
        return match

    def _go_on(self, match: MockMatch) -> None:
        task = asyncio.create_task(self._play(match))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _play(self, match: MockMatch) -> None:
        """Lets the others play until the client is asked or the match is over."""
        while not match.is_over and not match.is_asked:
            # No poll waits for an auto-pilot, but it gives way to others too.
            await asyncio.sleep(self._plan.seconds(self._temper.delay))
            match.step()
        if match.is_asked and match.broken_off_at == match.number:
            match.break_off()
            self.report.faults["match broken off"] += 1
            self.report.broken_off += 1
        elif match.is_over:
            self.report.finished += 1
            if match.fault:
                self.report.lost.append(f"match {match.id}: {match.fault}")
        self._news.set()

    # Polls.

    async def _localai(self, request: web.Request) -> web.StreamResponse:
        self._check(request)
        self.report.polls += 1
        answers = {
            key[len(ANSWER) :]: header for key, header in request.headers.items() if key.lower().startswith(ANSWER)
        }
        # Matches with an answer that hangs by this poll alone, and could be taken for another one afterwards.
        led = [match for key in answers if (match := self.matches.get(key)) and match.is_asked and match.is_led]
        fault = self._drawn(led)
        if fault is None or fault.counted:
            for key, header in answers.items():
                self._take(key, header)
        try:
            early = None if fault is None else await self._early(request, fault)
            if early is not None:
                return early
            await self._wait_for_news()
            return await self._tell(request, fault)
        except asyncio.CancelledError:
            _doubt(led)  # the client went away
            raise

    def _drawn(self, led: Sequence[MockMatch]) -> Fault | None:
        """
        Draws a fault for a poll. One thing is spared: no match has two answers of unknown fate to two passes.

        After one the client still finds out what it holds, at the latest when it has nothing left. After two it
        cannot: the interface does not number its requests.
        """
        fault = self._plan.for_poll()
        if fault is None or (fault.hides and not self._temper.envelopes and any(match.doubts for match in led)):
            return None
        self.report.faults[fault.kind] += 1
        if fault.hides:
            _doubt(led)
        return fault

    async def _early(self, request: web.Request, fault: Fault) -> web.StreamResponse | None:
        """Ends a poll without news, if the fault wants that."""
        if fault.kind.startswith("dropped"):
            return _dropped(request)
        if fault.kind.startswith("HTTP"):
            status = int(fault.kind.split()[1])
            return web.Response(status=status, text=f"<html><body>{request.path} is in maintenance</body></html>")
        if fault.kind == "garbage":
            return web.Response(text=f"<!doctype html><p>please log in again at {request.path}</p>")
        if fault.kind.startswith("empty"):
            return web.Response(text="0 0\n")
        if fault.kind == "slow":
            await asyncio.sleep(self._plan.seconds(0.3))
        return None

    def _take(self, name: str, text: str) -> None:
        """Takes an answer as a naive server does, and notes what is wrong with it."""
        match = self.matches.get(name)
        if match is None:
            self.report.doubled.append(f"match {name}: there is no such match")
            return
        problem = match.problem_of(text)
        if problem == match.REPEATED:
            self.report.resent += 1
            return
        if problem:
            self.report.doubled.append(f"match {name}, request {match.number}: {problem}")
        if match.is_asked:
            self.report.answers += 1
            self._judge(match, text)

    def _judge(self, match: MockMatch, text: str | None) -> None:
        match.answer(text)
        self._go_on(match)

    async def _wait_for_news(self) -> None:
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._some_news(), self._temper.hold)

    async def _some_news(self) -> None:
        while not any(match.has_news(self._temper.repeats) for match in self.matches.values()):
            self._news.clear()
            await self._news.wait()

    async def _tell(self, request: web.Request, fault: Fault | None) -> web.StreamResponse:
        """Sends the news; what did not arrive whole is news still."""
        news = [match for match in self.matches.values() if match.has_news(self._temper.repeats)]
        asked = [match for match in news if match.is_asked]
        pairs = [(match.id, match.request_text(self._temper.envelopes)) for match in asked]
        ends = [match.end_line() for match in news if match.is_over]
        if fault is not None and fault.kind == "a request twice":
            pairs += [pair for match in self.matches.values() for pair in match.once_more(self._temper.envelopes)]
        if fault is not None and fault.kind == "bad lines":
            pairs.append(("0123456789abcdef01234567", '{"history":[[],'))
            ends.append("0123456789abcdef01234567 0 three 1 2 3")
        body = _body(pairs, ends)
        response = web.StreamResponse(headers={"Content-Type": "text/plain; charset=utf-8"})
        if fault is not None and fault.kind == "cut off in the middle":
            response.content_length = len(body) + 10
            await response.prepare(request)
            await response.write(body[: len(body) // 2])
            return _dropped(request)
        if fault is None or fault.kind != "in small pieces":
            response.content_length = len(body)
        await response.prepare(request)
        for part in _parts(body, 7 if fault is not None and fault.kind == "in small pieces" else len(body)):
            await response.write(part)
        await response.write_eof()
        for match in news:
            match.is_told = True
        return response

    def _check(self, request: web.Request) -> None:
        if request.match_info["user"] != self._user or request.match_info["secret"] != self._secret:
            raise web.HTTPUnauthorized(text=f"Invalid secret in {request.path}")


def _doubt(led: Sequence[MockMatch]) -> None:
    for match in led:
        match.doubts += 1


def _body(pairs: Sequence[tuple[str, str]], ends: Sequence[str]) -> bytes:
    lines = [f"{len(pairs)} {len(ends)}", *(part for pair in pairs for part in pair), *ends]
    return "\n".join(lines).encode()


def _parts(body: bytes, size: int) -> list[bytes]:
    return [body[start : start + size] for start in range(0, len(body), size)]


def _dropped(request: web.Request) -> web.StreamResponse:
    """Cuts the connection; what is returned does not arrive."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=500)


@contextlib.asynccontextmanager
async def served(server: MockServer) -> AsyncIterator[str]:
    """Serves the mock server at a free port, and gets its address."""
    # A poll whose client is gone ends at once: what it would have told is news for the next one.
    runner = web.AppRunner(server.app(), access_log=None, shutdown_timeout=0.2, handler_cancellation=True)
    await runner.setup()
    bound = socket.create_server(("127.0.0.1", 0))
    try:
        await web.SockSite(runner, bound).start()
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"
    finally:
        await runner.cleanup()
        bound.close()
