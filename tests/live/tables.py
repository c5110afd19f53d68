"""Matches, deciders and servers for tests of the live client."""

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from aiohttp import web

from ddzbot.engine import Engine
from ddzbot.search.limit import Limit
from tests.live.mock_match import MockMatch
from tests.live.mock_server import MockServer, served
from tools.tables.live.account import Account, Secret
from tools.tables.live.client import Client
from tools.tables.live.deciding import Response, by_engine, parse
from tools.tables.live.games import Games
from tools.tables.live.match import History, consistent
from tools.tables.live.pauses import Pace
from tools.tables.live.site import Site
from tools.tables.live.starting import MatchRequest
from tools.tables.live.store import Store

USER, SECRET = "user-1", "hush-0815-4711"
PACE = Pace(
    first_pause=0.01, most_pause=0.05, least=0.001, gather=5.0, idle=0.005, most_idle=0.05, silence=0.2, late=0.1
)
RULE = Limit(playouts=10)


class RuleHere:
    """The player rule in this process: starting others takes most of a short test."""

    name = "rule"

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []
        self.forgotten: list[str] = []

    def decide(self, match: str, histories: Sequence[History]) -> Response:
        history = consistent(histories)
        self.asked.append((match, len(history.requests)))
        parsed = parse(history)
        if parsed.turn is None:
            return Response(parsed.response, {}, parsed.error)
        return by_engine(Engine("rule", 3), parsed.turn, RULE)

    def forget(self, match: str) -> None:
        self.forgotten.append(match)

    def close(self) -> None:
        pass


def played(game: str, position: int, seed: str) -> tuple[MockMatch, list[Any], list[Any]]:
    """Plays a match of the mock server without HTTP; returns it with the client's requests and responses."""
    players = ["rule", "rule", "rule"]
    players[position] = "me"
    match = MockMatch("match1", game, players, "", seed)
    decider = RuleHere()
    requests: list[Any] = []
    responses: list[Any] = []
    while not match.is_over:
        if not match.is_asked:
            match.step()
            continue
        requests.append(match.request)
        response = decider.decide("match1", [History(requests, responses)]).response
        responses.append(response)
        match.is_told = True
        match.answer(str(response))
    return match, requests, responses


Reply = tuple[int, str] | tuple[int, str, Mapping[str, str]]


@asynccontextmanager
async def scripted(
    replies: Callable[[int, web.Request], Reply | None],
) -> AsyncIterator[tuple[str, list[dict[str, str]]]]:
    """
    Serves what *replies* say of the number of each request, from 0; None drops the connection.

    Gets the address, and the answers that came with each request.
    """
    heard: list[dict[str, str]] = []

    async def reply(request: web.Request) -> web.StreamResponse:
        heard.append({header[8:]: value for header, value in request.headers.items() if header.startswith("X-Match-")})
        script = replies(len(heard) - 1, request)
        if script is None:
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        return web.Response(status=script[0], text=script[1], headers=script[2] if len(script) > 2 else {})

    async with answering(reply) as address:
        yield address, heard


@asynccontextmanager
async def answering(handler: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> AsyncIterator[str]:
    """Serves every address with *handler*, which ends where its client goes away; gets the address."""
    app = web.Application()
    app.router.add_get("/{path:.*}", handler)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1, handler_cancellation=True)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


class Desk:
    """A client with all that it needs in a folder; what it says is kept."""

    def __init__(self, folder: Path, address: str, poll_seconds: float = 5.0, **options: Any) -> None:
        self.said: list[str] = []
        self.store = Store(folder / "state", self.said.append)
        self.games = Games(folder / "games.jsonl")
        self.site = Site(Account(address, USER, Secret(SECRET)), poll_seconds)
        self.decider = options.pop("decider", None) or RuleHere()
        self.client = Client(
            self.site, self.decider, self.store, self.games, self.said.append, **{"pace": PACE, **options}
        )

    async def run(self, seconds: float = 20.0) -> None:
        """Runs the client to its end, which must come in time."""
        try:
            async with self.site:
                await asyncio.wait_for(self.client.run(), seconds)
        finally:
            self.store.close()


def wish(count: int, game: str = "FightTheLandlord", **more: Any) -> MatchRequest:
    return MatchRequest(game, ("rule",), count, more.pop("at_once", 3), more.pop("slot", None), **more)


@contextmanager
def serving(server: MockServer) -> Iterator[str]:
    """Serves a mock server from a thread of its own, for a command that runs a loop itself."""
    ready: list[str] = []
    started, stop = threading.Event(), threading.Event()

    async def serve() -> None:
        async with served(server) as address:
            ready.append(address)
            started.set()
            while not stop.is_set():
                await asyncio.sleep(0.02)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert started.wait(250)
    try:
        yield ready[0]
    finally:
        stop.set()
        thread.join(250)
