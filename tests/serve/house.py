"""A running server for tests, and connections that keep every byte they were told."""

import asyncio
import contextlib
import functools
import json
import random
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import aiohttp

from ddzbot.cards import parse_hand
from ddzbot.rules import KIND_NAMES, Move, legal_moves, rule_set
from ddzbot.search.limit import Limit
from tools.records.record import GameRecord
from tools.tables.serve.app import make_app
from tools.tables.serve.plan import ServerConfig
from tools.tables.serve.reviews import ReviewQueue
from tools.tables.serve.rooms import Rooms
from tools.tables.serve.site import served_at
from tools.tables.serve.store import Store
from tools.tables.table.thinking import Thinkers

PATIENCE = 250.0
_ADDRESSES: dict[str, str] = {}
"""By the token of a link: the token that the page which was opened with it has in its address now."""
ROOT_SEED = "a-root-that-nobody-may-see"


class Server:
    """A server at a free port of this machine, with its client session."""

    def __init__(self, address: str, rooms: Rooms, session: aiohttp.ClientSession, stack: AsyncExitStack) -> None:
        self.address, self.rooms, self.session, self._stack = address, rooms, session, stack
        self.origin = {"Origin": address}

    async def make(self, rules: str = "botzone2", places: tuple[str, ...] = ("person", "rule", "rule")) -> Any:
        """Makes a table and returns what the server answers."""
        status, made = await self.wish({"rules": rules, "places": list(places)})
        assert status == 201, made
        return made

    async def wish(self, wish: Any) -> tuple[int, Any]:
        """Asks for a table."""
        async with self.session.post(f"{self.address}/tables", json=wish, headers=self.origin) as answer:
            return answer.status, await answer.json()

    async def seated(self, rules: str = "botzone2") -> tuple[Any, "Client"]:
        """Makes a table with bots and sits down there."""
        made = await self.make(rules)
        return made, await self.join(made["table"], made["seats"][0]["token"])

    async def get(self, path: str, **headers: str) -> tuple[int, str]:
        async with self.session.get(self.address + path, headers=headers) as answer:
            return answer.status, await answer.text()

    async def open(self, table: str) -> "Client":
        """Opens a websocket that has not said anything yet."""
        url = f"{self.address}/tables/{table}/socket"
        socket = await self._stack.enter_async_context(self.session.ws_connect(url, headers=self.origin))
        return Client(socket)

    async def join(self, table: str, token: str = "", watch: bool = False) -> "Client":
        """Opens a websocket and joins as a page does that may be loaded again; the welcome and a state are read."""
        client = await self.open(table)
        await client.say("join", token=_ADDRESSES.get(token, token), watch=watch)
        client.welcome = await client.hear("welcome")
        if token:
            _ADDRESSES[token] = client.welcome["token"]
        await client.hear("state")
        return client


class Client:
    """One websocket, and everything that came over it."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.heard: list[str] = []
        self.state: Any = None
        self.welcome: Any = None

    async def say(self, kind: str, **fields: Any) -> None:
        await self.socket.send_str(json.dumps({"type": kind, **fields}))

    async def next(self, seconds: float = PATIENCE) -> Any:
        """Waits for the next message; None when the connection has ended."""
        message = await self.socket.receive(timeout=seconds)
        if message.type is not aiohttp.WSMsgType.TEXT:
            return None
        self.heard.append(message.data)
        news = json.loads(message.data)
        if news["type"] == "state":
            self.state = news
        return news

    async def hear(self, kind: str, when: Callable[[Any], bool] = lambda _: True) -> Any:
        """Waits for a message of a kind."""
        while True:
            message = await self.next()
            assert message is not None, f"the connection ended before {kind} came"
            if message["type"] == kind and when(message):
                return message

    async def refusal(self) -> str:
        """Waits for a refusal; its English sentence."""
        message = await self.hear("refused")
        assert set(message["sentence"]) == {"en", "zh"} and message["sentence"]["zh"]
        return str(message["sentence"]["en"])

    async def drain(self) -> None:
        """Reads what else is there."""
        with contextlib.suppress(asyncio.TimeoutError):
            while await self.next(0.05) is not None:
                pass


_processes = functools.cache(lambda: Thinkers(1).processes)


class _Kept(Thinkers):
    """Thinkers with a process that stays for the next test: starting one takes most of a short test."""

    def __init__(self, patience: float, grace: float) -> None:
        super().__init__(1, patience, grace)
        self.processes = _processes()

    def close(self) -> None:
        """Leaves the process as it is."""


@asynccontextmanager
async def serving(
    bots: tuple[str, ...] = ("rule", "random"),
    limit: Limit | None = None,
    idle: float = 3600.0,
    processes: int = 0,
    grace: float = 20.0,
    patience: float = 60.0,
    store: Store | None = None,
    review_limit: Limit | None = None,
    send_buffer: int | None = None,
    finished: Callable[[GameRecord], None] = lambda record: None,
) -> AsyncIterator[Server]:
    """
    Runs a server that plays without a pause between the moves; a *store* is closed with it.

    It has so many *processes* of its own, or shares one; *send_buffer* is what the system keeps to be sent. *finished*
    is told of each finished game.
    """
    async with AsyncExitStack() as stack:
        if store is not None:
            stack.callback(store.close)
        thinkers, reviewers = (
            stack.enter_context(Thinkers(processes, patience, grace) if processes else _Kept(patience, grace))
            for _ in range(2)
        )
        review_queue = ReviewQueue(reviewers, review_limit or Limit(playouts=20))
        house = ServerConfig(thinkers, limit or Limit(playouts=10), Limit(playouts=200), 0.0, review_queue, finished)
        rooms = Rooms(house, bots, ROOT_SEED, idle, store)
        if store is not None:
            store.restore(rooms)
        bound = socket.create_server(("127.0.0.1", 0))
        if send_buffer is not None:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
        await stack.enter_async_context(served_at(make_app(rooms), bound))
        host, port = bound.getsockname()
        session = await stack.enter_async_context(aiohttp.ClientSession())
        yield Server(f"http://{host}:{port}", rooms, session, stack)


def to_beat(state: Any) -> Move | None:
    """The move to beat, derived from the public moves alone."""
    for cards, kind in reversed(state["plays"][-2:]):
        if cards:
            return Move(parse_hand(cards), KIND_NAMES.index(kind), 0, 0)
    return None


def some_act(state: Any, dice: random.Random) -> tuple[str, dict[str, Any]]:
    """Chooses a random legal act of the person with this state."""
    if state["phase"] == "bidding":
        return "bid", {"at": state["at"], "bid": dice.choice(state["legal_bids"])}
    moves = legal_moves(rule_set(state["rules"]), parse_hand(state["hand"]), to_beat(state))
    move = dice.choice(moves)
    return "play", {"at": state["at"], "cards": str(move) if move.cards else ""}


async def play_on(client: Client, dice: random.Random, until: Callable[[Any], bool]) -> None:
    """Reads states and acts at random whenever it is this client's turn, until *until* holds of a state."""
    acted = (0, -1)
    while not until(client.state):
        state = client.state
        turn = state["game"], state["at"]
        if state["to_move"] == state["you"] is not None and not state["waiting"] and turn != acted:
            kind, fields = some_act(state, dice)
            await client.say(kind, **fields)
            acted = turn
        await client.hear("state")


def but_pages(state: Any) -> Any:
    """Everything in a state except how many pages show each seat."""
    places = [{field: fact for field, fact in place.items() if field != "pages"} for place in state["places"]]
    return {**state, "places": places}


def over(state: Any) -> bool:
    return bool(state["phase"] == "over")
