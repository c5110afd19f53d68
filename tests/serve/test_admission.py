"""How many connections a table and a server let in, on every way in; that keeps no player out."""

import asyncio
import random
import re
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from tests.serve.house import Client, Server, play_on, serving
from tests.support import settled
from tools.tables.serve import app, connection, seats, site
from tools.tables.serve.seats import MOST_OF_SEAT, MOST_WATCHERS

pytestmark = pytest.mark.whole

BOTS = ("rule", "rule", "rule")


async def told_first(client: Client) -> str:
    """The kind of the first message; the sentence must be there if it is a refusal."""
    message = await client.next()
    if message["type"] == "refused":
        assert message["fatal"] and set(message["sentence"]) == {"en", "zh"}
        assert "the table is full" in message["sentence"]["en"]
    return str(message["type"])


@pytest.mark.parametrize("watch", [True, False])
async def test_sockets_that_were_opened_before_anybody_joined_pass_no_limit(watch: bool) -> None:
    async with serving() as server:
        made = await server.make("standard", ("person", "rule", "rule") if watch else BOTS)
        clients = [await server.open(made["table"]) for _ in range(MOST_WATCHERS + 30)]
        await asyncio.gather(*(client.say("join", token="", watch=watch) for client in clients))
        kinds = await asyncio.gather(*map(told_first, clients))
        assert (kinds.count("welcome"), kinds.count("refused")) == (MOST_WATCHERS, 30)
        (room,) = server.rooms
        assert len(room.viewers) == MOST_WATCHERS
        await clients[kinds.index("welcome")].socket.close()
        while len(room.viewers) == MOST_WATCHERS:
            await asyncio.sleep(0.01)
        assert (await server.join(made["table"], watch=True)).state


async def test_watchers_and_old_pages_keep_no_player_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "MOST_WATCHERS", 2)
    async with serving() as server:
        made = await server.make("standard", ("person", "person", "rule"))
        for _ in range(2):
            await server.join(made["table"], watch=True)
        token = made["seats"][0]["token"]
        pages = [await server.join(made["table"], token) for _ in range(MOST_OF_SEAT + 1)]
        assert pages[-1].state["hand"]
        assert f"more than {MOST_OF_SEAT} places" in await pages[0].refusal()
        assert await pages[0].next() is None
        (room,) = server.rooms
        assert len(room.viewers) == 2 + MOST_OF_SEAT
        assert (await server.join(made["table"])).welcome["chair"] == 1
        late = await server.open(made["table"])
        await late.say("join", token="", watch=False)
        assert await told_first(late) == "refused"


# Sockets that do not join.


async def test_a_client_that_only_pings_is_closed_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "JOIN_SECONDS", 0.6)
    async with serving() as server:
        made = await server.make("standard", BOTS)
        client = await server.open(made["table"])

        async def ping() -> None:
            while not client.socket.closed:
                await client.socket.ping()
                await asyncio.sleep(0.1)

        pinging = asyncio.create_task(ping())
        assert await client.refusal() == "no viewer joined within 0.6 s"
        assert await client.next() is None
        pinging.cancel()
        with pytest.raises((asyncio.CancelledError, aiohttp.ClientError, ConnectionError)):
            await pinging


async def test_a_player_that_was_put_out_can_play_no_more() -> None:
    async with serving() as server:
        made = await server.make("standard", ("person", "person", "person"))
        token = made["seats"][0]["token"]
        first = await server.join(made["table"], token)
        (room,) = server.rooms
        (viewer,) = room.viewers
        for seat in made["seats"][1:]:
            await server.join(made["table"], seat["token"])
        state = await first.hear("state", lambda state: not state["waiting"])
        viewer.closing = True  # type: ignore[attr-defined]
        await first.say("play", at=state["at"], cards=state["hand"][0])
        back = await server.join(made["table"], token)
        assert back.state["plays"] == []


# Connections that ask for nothing at all.


@asynccontextmanager
async def raw(server: Server, first: bytes) -> AsyncIterator[asyncio.StreamReader]:
    host, port = server.address.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(first)
    try:
        yield reader
    finally:
        writer.close()


@pytest.mark.parametrize("first", [b"", b"GET / HTTP/1.1\r\nHost: local"], ids=["nothing", "half a request"])
async def test_a_client_that_asks_for_nothing_is_closed_in_time_and_one_that_joined_is_not(
    first: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "SILENT_SECONDS", 0.5)
    async with serving() as server:
        watcher = await server.join((await server.make("standard", BOTS))["table"], watch=True)
        async with raw(server, first) as reader:
            await asyncio.wait_for(reader.read(), 60)
        await watcher.say("hint", at=0)
        assert await watcher.refusal() == "watchers cannot play"


# How many connections there are.


@asynccontextmanager
async def asking(server: Server, path: str, times: int = 1) -> AsyncIterator[socket.socket]:
    """Asks for something over a connection that buffers almost nothing."""
    host, port = server.address.removeprefix("http://").split(":")
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        one.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(one, (host, int(port)))
        await loop.sock_sendall(one, f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode() * times)
        yield one


async def rest_of(one: socket.socket) -> int:
    """Reads to the end of the connection; returns how many bytes there were."""
    found = 0
    with suppress(ConnectionError):
        while part := await asyncio.get_running_loop().sock_recv(one, 65536):
            found += len(part)
    return found


PATH, TIMES = "/static/live.js", 3


async def test_a_client_that_reads_nothing_is_closed_and_a_slow_one_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(site, "STALLED_SECONDS", 0.4)
    async with serving(send_buffer=4096) as server:
        length = len((await server.get(PATH))[1].encode())
        async with asking(server, PATH, TIMES) as silent, asking(server, PATH, TIMES) as slow:
            read = 0
            while read < TIMES * length:
                read += len(await asyncio.get_running_loop().sock_recv(slow, 8192))
                await asyncio.sleep(0.04)
            await asyncio.sleep(1.5)
            assert await rest_of(silent) < TIMES * length


async def test_a_spectator_that_reads_nothing_is_closed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(site, "STALLED_SECONDS", 0.3)
    async with serving(send_buffer=4096) as server:
        table = (await server.make("standard", BOTS))["table"]
        watcher = await server.join(table, watch=True)
        assert watcher.socket._conn is not None and watcher.socket._conn.transport is not None
        watcher.socket._conn.transport.pause_reading()  # type: ignore[attr-defined]
        (room,) = server.rooms
        while room.viewers:
            room._tell({"type": "state", "text": random.random(), "rest": "x" * 100000})
            await asyncio.sleep(0.02)


async def test_there_are_so_many_connections_and_a_further_one_is_told_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(site, "MOST_CONNECTIONS", 4)
    async with serving() as server, aiohttp.ClientSession() as fresh:
        table = (await server.make("standard", BOTS))["table"]
        watching = [await server.join(table, watch=True) for _ in range(4)]
        for _ in range(3):
            async with fresh.get(server.address) as answer:
                assert answer.status == 503 and await answer.text() == "too many connections\n"
        assert all(not one.socket.closed for one in watching)
        await watching[0].socket.close()
        (room,) = server.rooms
        await settled(lambda: len(room.viewers) == 3)
        async with fresh.get(server.address) as answer:
            assert answer.status == 200
    assert caplog.records == []


async def test_hundreds_who_hold_connections_end_and_keep_no_player_from_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(site, "MOST_CONNECTIONS", 100)
    monkeypatch.setattr(site, "SILENT_SECONDS", 1.0)
    async with serving() as server, AsyncExitStack() as stack:
        made, person = await server.seated("standard")
        readers = [await stack.enter_async_context(raw(server, b"GET / HTTP")) for _ in range(400)]
        await play_on(person, random.Random("crowd"), lambda state: state["at"] > 6)
        for reader in readers:
            with suppress(ConnectionError):
                await asyncio.wait_for(reader.read(), 60)
        assert (await server.get(f"/tables/{made['table']}"))[0] == 200
        assert (await server.join(made["table"], made["seats"][0]["token"])).state["hand"]


@pytest.mark.parametrize("large", ["join", "body", "header"])
async def test_what_is_too_large_ends_one_connection_and_nothing_else(large: str) -> None:
    async with serving() as server:
        made, person = await server.seated("standard")
        if large == "join":
            client = await server.open(made["table"])
            with suppress(ConnectionError):
                await client.say("join", token="x" * 1_000_000, watch=False)
            assert await client.next() is None
        elif large == "body":
            data = b"[" * 1_000_000
            headers = {**server.origin, "Content-Type": "application/json"}
            with suppress(aiohttp.ClientError):
                async with server.session.post(f"{server.address}/tables", data=data, headers=headers) as answer:
                    assert answer.status == 413
        else:
            async with raw(server, b"GET / HTTP/1.1\r\nHost: " + b"x" * 10_000_000) as reader:
                with suppress(ConnectionError):
                    assert b" 400 " in await asyncio.wait_for(reader.readline(), 60)
        await play_on(person, random.Random("large"), lambda state: state["at"] > 3)


# What the log has of connections that make no sense.

MALFORMED = [
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"GET / HTTP/1.1\nHost: 127.0.0.1\n\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 9000 + b"\r\n\r\n",
    b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX y: z\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: \x00\r\n\r\n",
    b"GET / HTTP/9.9.9\r\nHost: 127.0.0.1\r\n\r\n",
    b"\x1b[2J / HTTP/1.1\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: nonsense\r\n\r\n",
    b"POST /tables HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\nnonsense\r\n",
]


async def test_malformed_requests_are_one_line_of_each_kind(caplog: pytest.LogCaptureFixture) -> None:
    async with serving() as server:
        for first in MALFORMED * 3:
            async with raw(server, first) as reader:
                assert b" 400 " in await asyncio.wait_for(reader.readline(), 20), first
    lines = [record.getMessage() for record in caplog.records]
    assert lines and len(lines) == len(set(lines))
    assert all(re.fullmatch(r"malformed request \(\w+\)", line) for line in lines)
    assert not any(record.exc_info for record in caplog.records)


@pytest.mark.parametrize("name", ["prepare", "pong"])
async def test_a_client_that_leaves_before_the_answer_is_not_logged(
    name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    prepare, pong = web.WebSocketResponse.prepare, web.WebSocketResponse.pong
    requests: list[web.BaseRequest] = []

    async def leave() -> None:
        assert requests[-1].transport is not None
        requests[-1].transport.abort()
        await asyncio.sleep(0.01)

    async def late_prepare(self: web.WebSocketResponse, request: web.BaseRequest) -> Any:
        requests.append(request)
        if name == "prepare":
            await leave()
        return await prepare(self, request)

    async def late_pong(self: web.WebSocketResponse, message: bytes = b"") -> None:
        await leave()
        await pong(self, message)

    monkeypatch.setattr(web.WebSocketResponse, "prepare", late_prepare)
    monkeypatch.setattr(web.WebSocketResponse, "pong", late_pong)
    async with serving() as server:
        table = (await server.make("standard", BOTS))["table"]
        if name == "prepare":
            with pytest.raises(aiohttp.ClientError):
                await server.open(table)
        else:
            watcher = await server.join(table, watch=True)
            await watcher.socket.ping()
            assert await watcher.next() is None
        assert (await server.get("/"))[0] == 200
    assert [record.getMessage() for record in caplog.records] == []


async def test_a_fault_of_our_own_is_logged_as_a_whole(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(app, "_page", broken)
    async with serving() as server:
        assert (await server.get("/"))[0] == 500
    (record,) = caplog.records
    assert record.exc_info and record.exc_info[0] is ZeroDivisionError
