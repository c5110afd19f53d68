"""How many connections a table and a server let in, on every way in, and whom that keeps out: no player."""

import asyncio
import random
import re
import select
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from tests.serve.house import Client, Server, serving
from tests.support import settled
from tools.tables.serve import app, connection, seats, site
from tools.tables.serve.guard import source_of
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
async def test_sockets_that_were_opened_before_anybody_joined_pass_no_limit(
    watch: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "MOST_STRANGERS", 200)
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


async def opened(server: Server, table: str, number: int) -> list[Client]:
    return [await server.open(table) for _ in range(number)]


async def test_open_sockets_that_do_not_join_are_few_and_keep_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MOST_STRANGERS", 3)
    async with serving() as server:
        made = await server.make("standard", BOTS)
        silent = await opened(server, made["table"], 8)
        for client in silent[:5]:
            refused = await client.hear("refused")
            assert refused["sentence"]["en"] == "too many connections are waiting: try again"
            assert not refused["fatal"]  # so that the page does
            assert await client.next() is None
        assert (await server.join(made["table"], watch=True)).state


async def test_of_sockets_that_do_not_join_those_end_first_whose_address_has_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection, "MOST_STRANGERS", 3)
    addresses = iter(["1.1.1.1", *["2.2.2.2"] * 6])
    monkeypatch.setattr(connection, "source_of", lambda _: next(addresses))
    async with serving() as server:
        table = (await server.make("standard", BOTS))["table"]
        first, *crowd = await opened(server, table, 7)
        for client in crowd[:4]:
            assert "try again" in await client.refusal()
        await first.say("join", token="", watch=True)
        assert await told_first(first) == "welcome"


async def test_who_does_not_join_in_time_is_closed_although_it_sends_pings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "JOIN_SECONDS", 0.6)
    async with serving() as server:
        made = await server.make("standard", BOTS)
        (client,) = await opened(server, made["table"], 1)

        async def ping() -> None:
            while not client.socket.closed:
                await client.socket.ping()
                await asyncio.sleep(0.1)

        pinging = asyncio.create_task(ping())
        assert await client.refusal() == "nobody joined within 0.6 s"
        assert await client.next() is None
        pinging.cancel()
        with pytest.raises((asyncio.CancelledError, aiohttp.ClientError, ConnectionError)):
            await pinging


async def test_who_was_put_out_can_play_no_more() -> None:
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
async def test_who_asks_for_nothing_is_closed_in_time_and_who_joined_is_not(
    first: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "JOIN_SECONDS", 0.5)
    async with serving() as server:
        watcher = await server.join((await server.make("standard", BOTS))["table"], watch=True)
        async with raw(server, first) as reader:
            await asyncio.wait_for(reader.read(), 60)
        await watcher.say("hint", at=0)
        assert await watcher.refusal() == "watchers cannot play"


async def test_many_who_ask_for_nothing_keep_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "MOST_STRANGERS", 3)
    async with serving() as server, AsyncExitStack() as stack:
        readers = [await stack.enter_async_context(raw(server, b"")) for _ in range(8)]
        ended = [asyncio.create_task(reader.read()) for reader in readers]
        while sum(task.done() for task in ended) < 5:
            await asyncio.sleep(0.02)
        await asyncio.sleep(2 * site.LOOK_SECONDS)
        assert sum(task.done() for task in ended) == 5
        assert (await server.get("/"))[0] == 200
        for task in ended:
            task.cancel()


# How many connections there are.


@asynccontextmanager
async def asking(server: Server, path: str, times: int = 1) -> AsyncIterator[socket.socket]:
    """Asks for something over a connection that holds next to nothing that was not read."""
    host, port = server.address.removeprefix("http://").split(":")
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        one.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(one, (host, int(port)))
        await loop.sock_sendall(one, f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode() * times)
        yield one


def was_reset(one: socket.socket) -> bool:
    poll = select.poll()
    poll.register(one, 0)
    return bool(poll.poll(0))


PATH, TIMES = "/static/live.js", 3


async def test_who_reads_nothing_is_closed_and_who_reads_slowly_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(site, "STALLED_SECONDS", 0.4)
    async with serving(send_buffer=4096) as server:
        length = len((await server.get(PATH))[1].encode())
        async with asking(server, PATH, TIMES) as silent, asking(server, PATH, TIMES) as slow:
            read = 0
            while read < TIMES * length:
                read += len(await asyncio.get_running_loop().sock_recv(slow, 8192))
                await asyncio.sleep(0.04)
            await settled(lambda: was_reset(silent))


async def test_who_watches_and_reads_nothing_is_closed_too(monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert [record.getMessage() for record in caplog.records] == [
        "too many connections: one more from this machine is refused"
    ]


async def test_where_there_is_no_room_whoever_has_been_idle_for_longest_makes_some(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(site, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(site, "LAGGING_SECONDS", 0.2)
    monkeypatch.setattr(site, "MOST_CONNECTIONS", 4)
    async with serving(send_buffer=4096) as server:
        watcher = await server.join((await server.make("standard", BOTS))["table"], watch=True)
        async with asking(server, PATH, TIMES) as first, asking(server, PATH, TIMES) as second:
            await asyncio.sleep(0.4)
            async with asking(server, "/") as third, asking(server, "/") as fourth:
                loop = asyncio.get_running_loop()
                assert (await loop.sock_recv(third, 12), await loop.sock_recv(fourth, 12)) == (b"HTTP/1.1 200",) * 2
                assert was_reset(first) and not was_reset(second)
        await watcher.say("hint", at=0)
        assert await watcher.refusal() == "watchers cannot play"


async def test_one_address_has_so_many_connections_and_keeps_no_other_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "MOST_OF_SOURCE", 2)
    monkeypatch.setattr(site, "source_of", str)
    async with serving() as server, aiohttp.ClientSession() as fresh:
        table = (await server.make("standard", BOTS))["table"]
        watching = [await server.join(table, watch=True) for _ in range(2)]
        async with fresh.get(server.address) as answer:
            assert answer.status == 503
        elsewhere = aiohttp.TCPConnector(local_addr=("127.0.0.2", 0))
        async with aiohttp.ClientSession(connector=elsewhere) as other, other.get(server.address) as answer:
            assert answer.status == 200
        assert all(not one.socket.closed for one in watching)


@pytest.mark.parametrize(
    ("host", "source"),
    [
        ("::ffff:192.168.1.7", "192.168.1.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("127.0.0.1", ""),
        ("::1", ""),
        ("::ffff:127.0.0.1", ""),
        (None, ""),
    ],
)
def test_connections_are_counted_by_the_address_of_their_network(host: str | None, source: str) -> None:
    assert source_of(host) == source


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
    assert all(re.fullmatch(r"malformed request \(\w+\): from this machine", line) for line in lines)
    assert not any(record.exc_info for record in caplog.records)


def test_after_a_while_the_log_says_how_many_more_there_were(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    guests = site._Guests(None)  # type: ignore[arg-type]
    for _ in range(3):
        guests.say("malformed request (LineTooLong)", "from 10.0.0.1")
    monkeypatch.setattr(site, "LOG_SECONDS", 0.0)
    guests.say("malformed request (LineTooLong)", "from 10.0.0.2")
    assert [record.getMessage() for record in caplog.records] == [
        "malformed request (LineTooLong): from 10.0.0.1",
        "malformed request (LineTooLong): from 10.0.0.2, after 2 more",
    ]


@pytest.mark.parametrize("name", ["prepare", "pong"])
async def test_who_leaves_before_the_answer_is_nothing_to_log(
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
