"""Whatever comes over the wire gets one sentence or a clean close, and never a traceback in the log."""

import asyncio
import json
import logging
import random
from typing import Any

import pytest
from aiohttp import ClientError, WSMsgType

from tests.serve.house import PATIENCE, Client, Server, serving
from tools.tables.serve.connection import POLICY_VIOLATION
from tools.tables.serve.wire import MOST_BYTES

pytestmark = pytest.mark.whole

WORDS = "", "é", "令牌", "\ud800", "\u0000", "😀" * 50, "x" * 900, "__proto__"
ODD = [None, True, -1, 0, 3.5, 10**200, [], {}, [[[[[]]]]], {"token": "a"}, *WORDS]
TEXTS = [
    "",
    "null",
    "{}",
    "[" * 900,
    '{"type":' * 120,
    '{"type": "join", "token": "\\ud800", "watch": false}',
    '{"type": "join", "token": "a", "watch": false, "watch": 1}',
    '{"type": "bid", "at": 1e999, "bid": NaN}',
    '{"type": "bid", "at": ' + "9" * 990 + ', "bid": 0}',
    "\ufeff{}",
    "x" * (MOST_BYTES + 1),
    "x" * 100_000,
]


def messages(dice: random.Random) -> list[str | bytes]:
    """Every kind of message with each field left out, added, and of every odd value; and what is no message at all."""
    good: dict[str, dict[str, Any]] = {
        "join": {"token": "", "watch": True},
        "bid": {"at": 0, "bid": 1},
        "play": {"at": 1, "cards": "3"},
        "hint": {"at": 1},
        "again": {"game": 1},
        "shout": {"at": 1},
    }
    found: list[str | bytes] = [*TEXTS, b"", b"\xff\x00", b"x" * 5000, json.dumps(good["join"]).encode()]
    for kind, fields in good.items():
        wholes = [{"type": odd, **fields} for odd in ODD]
        for name in fields:
            wholes += [{"type": kind, **fields, name: odd} for odd in ODD]
            wholes.append({"type": kind, **{other: fields[other] for other in fields if other != name}})
        wholes += [{"type": kind, **fields, "more": odd} for odd in dice.sample(ODD, 3)]
        found += [json.dumps(whole, ensure_ascii=dice.random() < 0.5) for whole in wholes]
    return [one for one in found if not isinstance(one, str) or _is_text(one)]


def _is_text(text: str) -> bool:
    """A lone surrogate gets into no text of a websocket but as an escape."""
    return all(not 0xD800 <= ord(letter) < 0xE000 for letter in text)


async def said(client: Client, message: str | bytes) -> str:
    """Says it, and gets what comes back: the kind of the answer, or that the connection was closed cleanly."""
    try:
        if isinstance(message, bytes):
            await client.socket.send_bytes(message)
        else:
            await client.socket.send_str(message)
    except (ClientError, ConnectionError):
        return "closed"
    answer = await client.socket.receive(timeout=PATIENCE)
    if answer.type is WSMsgType.TEXT:
        value = json.loads(answer.data)
        if value["type"] == "refused":
            assert value["sentence"]["en"] and value["sentence"]["zh"] and "\n" not in value["sentence"]["en"]
        return str(value["type"])
    assert answer.type in (WSMsgType.CLOSE, WSMsgType.CLOSED)
    assert answer.type is not WSMsgType.CLOSE or answer.data in (1000, 1007, POLICY_VIOLATION, 1009)
    return "closed"


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.DEBUG)
    return caplog


def tracebacks(log: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in log.records if record.exc_info or record.levelno >= logging.WARNING]


async def test_no_first_message_gets_anything_but_a_sentence_or_a_close(log: pytest.LogCaptureFixture) -> None:
    async with serving() as server:
        table = (await server.make("botzone2"))["table"]
        kinds = []
        for message in messages(random.Random("first")):
            client = await server.open(table)
            kinds.append(await said(client, message))
            if kinds[-1] == "refused":
                assert await client.next() is None
            await client.socket.close()
        assert set(kinds) == {"refused", "closed", "welcome"} and kinds.count("refused") > 200
        assert await good(server, table)
    assert tracebacks(log) == []


async def test_no_later_message_gets_anything_but_a_sentence_or_a_close(log: pytest.LogCaptureFixture) -> None:
    async with serving() as server:
        table = (await server.make("botzone2"))["table"]
        client = await server.join(table, watch=True)
        kinds = []
        for message in messages(random.Random("later")):
            kinds.append(await said(client, message))
            if kinds[-1] == "closed":
                client = await server.join(table, watch=True)
        assert set(kinds) == {"refused", "closed"} and kinds.count("refused") > 200
        assert await good(server, table)
    assert tracebacks(log) == []


async def good(server: Server, table: str) -> bool:
    return bool((await server.join(table)).state)


async def test_a_token_of_any_letters_is_refused_as_any_wrong_one(log: pytest.LogCaptureFixture) -> None:
    async with serving() as server:
        made = await server.make()
        right = made["seats"][0]["token"]
        for token in ("é", "令牌", "\ud800", "\u0000", "x" * 900, "wrong", right + "x", right[:-1]):
            client = await server.open(made["table"])
            await client.socket.send_str(json.dumps({"type": "join", "token": token, "watch": False}))
            assert "this link belongs to no seat" in await client.refusal()
            assert await client.next() is None and len(client.heard) == 1
            assert client.socket.close_code == POLICY_VIOLATION
        watcher = await server.join(made["table"], watch=True)
        assert [place["free"] for place in watcher.state["places"]] == [True, False, False]
    assert tracebacks(log) == []


async def test_no_wish_for_a_table_is_a_traceback(log: pytest.LogCaptureFixture) -> None:
    async with serving() as server:
        url, places = f"{server.address}/tables", ["rule"] * 3
        wishes = [{"rules": odd, "places": places} for odd in ODD] + [{"rules": "mini", "places": odd} for odd in ODD]
        wishes += [{"rules": "mini", "places": ["rule", "rule", odd]} for odd in ODD]
        bodies = [json.dumps(wish).encode() for wish in wishes]
        bodies += [b"", b"\xff\xfe", b"[" * 4000, "é".encode("latin-1")]
        for body in bodies:
            for kind in (
                "application/json",
                "application/json; charset=nonsense",
                "application/json; charset=utf-16",
            ):
                headers = {**server.origin, "Content-Type": kind}
                async with server.session.post(url, data=body, headers=headers) as answer:
                    assert answer.status == 400 and (await answer.json())["error"]["zh"]
        assert list(server.rooms) == []
    assert tracebacks(log) == []


async def test_bytes_that_are_no_websocket_close_only_their_connection(log: pytest.LogCaptureFixture) -> None:
    async with serving() as server:
        table = (await server.make("botzone2"))["table"]
        host, port = server.address.removeprefix("http://").split(":")
        dice = random.Random("frames")
        for _ in range(30):
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(
                f"GET /tables/{table}/socket HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: {server.address}\r\n"
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
            )
            assert b" 101 " in await reader.readline()
            writer.write(dice.randbytes(dice.choice((1, 2, 6, 14, 200))))
            if dice.random() < 0.5:
                writer.write_eof()
            writer.close()
        assert await good(server, table)
    assert tracebacks(log) == []
