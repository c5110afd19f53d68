"""How many connections a table and a server let in, on every way in, and whom that keeps out: no player."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import aiohttp
import pytest

from tests.serve.house import Client, Server, run, serving
from tools.serve import connection, seats, site
from tools.serve.seats import MOST_OF_SEAT, MOST_WATCHERS

BOTS = ("rule", "rule", "rule")


async def told_first(client: Client) -> str:
    """The kind of the first message; the sentence must be there if it is a refusal."""
    message = await client.next()
    if message["type"] == "refused":
        assert message["fatal"] and set(message["sentence"]) == {"en", "zh"}
        assert "the table is full" in message["sentence"]["en"]
    return str(message["type"])


@pytest.mark.parametrize("watch", [True, False])
def test_sockets_that_were_opened_before_anybody_joined_pass_no_limit(
    watch: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "MOST_STRANGERS", 200)

    async def test() -> None:
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

    run(test)


def test_watchers_and_old_pages_keep_no_player_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "MOST_WATCHERS", 2)

    async def test() -> None:
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

    run(test)


# Sockets that do not join.


async def opened(server: Server, table: str, number: int) -> list[Client]:
    return [await server.open(table) for _ in range(number)]


def test_open_sockets_that_do_not_join_are_few_and_keep_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MOST_STRANGERS", 3)

    async def test() -> None:
        async with serving() as server:
            made = await server.make("standard", BOTS)
            silent = await opened(server, made["table"], 8)
            for client in silent[:5]:
                assert await client.refusal() == "too many connections are waiting: try again"
                assert await client.next() is None
            assert (await server.join(made["table"], watch=True)).state

    run(test)


def test_who_does_not_join_in_time_is_closed_although_it_sends_pings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "JOIN_SECONDS", 0.6)

    async def test() -> None:
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

    run(test)


def test_who_was_put_out_can_play_no_more() -> None:
    async def test() -> None:
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

    run(test)


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
def test_who_asks_for_nothing_is_closed_in_time_and_who_joined_is_not(
    first: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "JOIN_SECONDS", 0.5)

    async def test() -> None:
        async with serving() as server:
            watcher = await server.join((await server.make("standard", BOTS))["table"], watch=True)
            async with raw(server, first) as reader:
                await asyncio.wait_for(reader.read(), 60)
            await watcher.say("hint", at=0)
            assert await watcher.refusal() == "watchers cannot play"

    run(test)


def test_many_who_ask_for_nothing_keep_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "MOST_STRANGERS", 3)

    async def test() -> None:
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

    run(test)
