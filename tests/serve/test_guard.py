"""What the server lets in: known hosts, own pages, listed files, and small well-formed wishes for a table."""

import asyncio
from typing import Any

import aiohttp
import pytest

from tests.serve.house import serving
from tests.support import settled
from tools.tables.serve import rooms
from tools.tables.serve.guard import HEADERS, is_known_host


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("127.0.0.1:8765", True),
        ("localhost", True),
        ("LOCALHOST:1", True),
        ("[::1]:8765", True),
        ("192.168.1.7:8765", True),
        ("my-machine.lan:8765", True),
        ("evil.example:8765", False),
        ("127.0.0.1.evil.example", False),
        ("localhost.evil.example", False),
        ("127.0.0.1@evil.example", False),
        ("evil.example/127.0.0.1", False),
        ("", False),
        ("[::1", False),
    ],
)
def test_only_addresses_and_given_names_are_known_hosts(host: str, known: bool) -> None:
    assert is_known_host(host, {"my-machine.lan"}) == known


async def test_a_name_that_was_bound_to_this_address_gets_no_page() -> None:
    async with serving() as server:
        made = await server.make()
        for path in ("/", f"/tables/{made['table']}", "/static/live.js"):
            status, text = await server.get(path, Host="evil.example")
            assert status == 403 and "evil.example" in text and "script" not in text


async def test_a_page_from_elsewhere_can_neither_make_a_table_nor_open_a_socket() -> None:
    async with serving() as server:
        made = await server.make()
        wish = {"rules": "mini", "places": ["rule", "rule", "rule"]}
        for origin in ("http://evil.example", "null", "http://127.0.0.1", "http://127.0.0.1:1", None):
            headers = {} if origin is None else {"Origin": origin}
            async with server.session.post(f"{server.address}/tables", json=wish, headers=headers) as answer:
                assert answer.status == 403
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await server.session.ws_connect(f"{server.address}/tables/{made['table']}/socket", headers=headers)
            assert refused.value.status == 403
        assert [room.name for room in server.rooms] == [made["table"]]
        assert not any(chair.taken for room in server.rooms for chair in room.chairs)


async def test_every_answer_carries_the_headers_and_allows_no_other_origin() -> None:
    async with serving() as server:
        made = await server.make()
        for path in ("/", f"/tables/{made['table']}", "/tables/none", "/static/cards.js", "/nothing"):
            async with server.session.get(server.address + path) as answer:
                assert dict(answer.headers).items() >= HEADERS.items()
                assert not any(name.lower().startswith("access-control") for name in answer.headers)


async def test_only_the_listed_files_are_served() -> None:
    async with serving() as server:
        host, port = server.address.removeprefix("http://").split(":")
        for path in ("/static/../room.py", "/static/%2e%2e/room.py", "/static/room.py", "/static/"):
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
            answer = await reader.read()
            writer.close()
            assert answer.startswith(b"HTTP/1.1 404 "), path


# Making tables.


BAD_WISHES: list[tuple[Any, str]] = [
    ([], "a table needs rules and three places: Expected `object`, got `array`"),
    ({"rules": "botzone"}, "Object missing required field `places`"),
    ({"rules": "chess", "places": ["rule"] * 3}, "rules 'chess' are unknown"),
    ({"rules": "botzone", "places": ["rule"] * 2}, "Expected `array` of length 3, got 2 - at `$.places`"),
    ({"rules": "botzone", "places": ["rule", "rule", "python3 bot.py"]}, "place 'python3 bot.py' is unknown"),
    ({"rules": "botzone", "places": ["rule", "rule", "tests.serve.bad_bots:Dies"]}, "is unknown"),
]
BAD_BODIES = [
    (b'{"rules": "mini", "places": ["rule", "rule", "rule"]}', "text/plain", 415),
    (b"rules=mini", "application/x-www-form-urlencoded", 415),
    (b"{", "application/json", 400),
    (b"\xff", "application/json", 400),
    (b"[" * 5000, "application/json", 413),
]


async def test_a_bad_wish_is_one_sentence_and_makes_no_table() -> None:
    async with serving() as server:
        url = f"{server.address}/tables"
        for wish, sentence in BAD_WISHES:
            status, answer = await server.wish(wish)
            assert status == 400 and sentence in answer["error"]["en"] and answer["error"]["zh"]
        for body, kind, refused in BAD_BODIES:
            headers = {**server.origin, "Content-Type": kind}
            async with server.session.post(url, data=body, headers=headers) as found:
                assert found.status == refused, body
        assert list(server.rooms) == []


async def test_there_are_so_many_tables_and_then_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "MOST_ROOMS", 2)
    monkeypatch.setattr(rooms, "SWEEP_SECONDS", 0.02)
    async with serving() as server:
        made = [await server.make() for _ in range(2)]
        status, answer = await server.wish({"rules": "mini", "places": ["rule"] * 3})
        assert status == 400
        assert answer["error"]["en"] == "there are too many tables: wait until one ends"
        assert answer["error"]["zh"]
        room = server.rooms.get(made[0]["table"])
        assert room is not None
        room.close("ended", "结束")
        await settled(lambda: room not in list(server.rooms))
        await server.make()
