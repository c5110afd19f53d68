"""The files of tables: what stands in them and what does not, and what is done about broken ones."""

import asyncio
import json
import logging
import os
import random
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.serve.house import ROOT_SEED, Server, but_pages, over, play_on, serving
from tools.tables.serve import rooms as rooms_module
from tools.tables.serve.finished import MOST_GAMES
from tools.tables.serve.saved import saved
from tools.tables.serve.seats import hash_of
from tools.tables.serve.store import Store, read_lines

pytestmark = pytest.mark.whole


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that the store has to make, where nothing but the store keeps others from reading what is in it."""
    umask = os.umask(0)
    yield tmp_path / "state" / "tables"
    os.umask(umask)


def the_file(folder: Path) -> Path:
    (path,) = folder.glob("*.table")
    return path


async def states_of(server: Server, made: Any) -> list[Any]:
    """What every seat of the table is shown, and a watcher."""
    clients = [await server.join(made["table"], seat["token"]) for seat in made["seats"]]
    clients.append(await server.join(made["table"], watch=True))
    for client in clients:
        await client.drain()
    return [but_pages(client.state) for client in clients]


async def some_moves(server: Server, rules: str, number: int, name: str) -> Any:
    made = await server.make(rules, ("person", "rule", "random"))
    client = await server.join(made["table"], made["seats"][0]["token"])
    await play_on(client, random.Random(name), lambda state: state["at"] >= number and state["to_move"] == state["you"])
    return made


@pytest.mark.parametrize(("rules", "number"), [("botzone2", 2), ("icga", 0), ("mini", 9), ("standard", 2)])
async def test_a_table_goes_on_with_every_hand_and_move(folder: Path, rules: str, number: int) -> None:
    async with serving(store=Store(folder)) as server:
        made = await some_moves(server, rules, number, f"{rules}/{number}")
        before = await states_of(server, made)
    async with serving(store=Store(folder)) as server:
        assert await states_of(server, made) == before
        client = await server.join(made["table"], made["seats"][0]["token"])
        await play_on(client, random.Random("on"), over)
        assert (await server.get(f"/tables/{made['table']}/games/1/replay"))[0] == 200


async def test_games_points_and_records_are_found_again(folder: Path) -> None:
    async def record_texts(server: Server, made: Any) -> list[str]:
        return [(await server.get(f"/tables/{made['table']}/games/{n}/record.ddzn"))[1] for n in (1, 2, 3)]

    async with serving(store=Store(folder)) as server:
        made, client = await server.seated("botzone2")
        for game in (1, 2, 3):
            await play_on(client, random.Random(f"{game}"), over)
            if game < 3:
                await client.say("again", game=game)
                await client.hear("state", lambda state, game=game: state["game"] == game + 1)
        before = await states_of(server, made), await record_texts(server, made)
    for _ in range(2):  # a file that was written anew is as good
        async with serving(store=Store(folder)) as server:
            assert (await states_of(server, made), await record_texts(server, made)) == before
    async with serving(store=Store(folder)) as server:
        client = await server.join(made["table"], made["seats"][0]["token"])
        await client.say("again", game=3)
        state = await client.hear("state", lambda state: state["game"] == 4)
        assert [place["points"] for place in state["places"]] == [
            before[0][0]["places"][(position + 1) % 3]["points"] for position in range(3)
        ]


async def test_files_are_for_their_owner_and_have_no_token_and_no_root(folder: Path) -> None:
    async with serving(store=Store(folder)) as server:
        made = await server.make("botzone2", ("person", "person", "rule"))
        guest = await server.join(made["table"])
        text = the_file(folder).read_text("ascii")
        tokens = [*(seat["token"] for seat in made["seats"]), guest.welcome["token"]]
        assert not any(token in text for token in [*tokens, ROOT_SEED])
        assert hash_of(guest.welcome["token"]) in text
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


async def test_a_file_grows_line_by_line_and_old_games_leave_it(folder: Path) -> None:
    async with serving(store=Store(folder)) as server:
        made = await server.make("mini", ("rule", "rule", "rule"))
        watcher = await server.join(made["table"], watch=True)
        texts, sizes = [the_file(folder).read_bytes()], []
        for game in range(1, 2 * MOST_GAMES + 3):
            await watcher.hear("state", lambda state, game=game: state["game"] == game and over(state))
            texts.append(the_file(folder).read_bytes())
            sizes.append(len(texts[-1]))
            if game < MOST_GAMES - 1:
                assert texts[-1].startswith(texts[-2])
            await watcher.say("again", game=game)
        assert max(sizes) < 2.2 * sizes[MOST_GAMES]
        numbers = sorted(saved(read_lines(the_file(folder))).finished)
        assert len(numbers) <= 2 * MOST_GAMES and numbers[-1] >= 2 * MOST_GAMES


async def test_a_table_of_before_unused_time_was_counted_goes_on(folder: Path) -> None:
    made, state = await kept_table(folder)
    first, *others = whole_lines(the_file(folder))
    line = json.loads(first)
    del line["unused"]
    the_file(folder).write_bytes(b"".join([json.dumps(line).encode() + b"\n", *others]))
    async with serving(store=Store(folder)) as server:
        assert (await states_of(server, made))[0] == state


FOREIGN = {
    **dict.fromkeys(("film.mkv.part", "thesis.part", "holiday.table", "my.damaged", "notes.txt"), b"of somebody else"),
    "holidaypics1.table": b"name, and nothing else, is as of a table\n",
    "holidaypics2.table": b"",
    "holidaypics3.table": b'["ddzbot-table"]\n{"format":"ddzbot-table"}\n',
    "holidaypics4.table": b"[" * 100_000,
    "holidaypics5.table.part": b'{"format":"ddzbot-table"',
    "my.table": b'{"format":"ddzbot-table","version":1}\n',
}


async def test_files_of_others_stay_as_they_are_and_the_log_says_so_once(
    folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms_module, "SWEEP_SECONDS", 0.02)
    folder.mkdir(parents=True)
    for name, content in FOREIGN.items():
        (folder / name).write_bytes(content)
        os.utime(folder / name, (1, 1))
    os.mkfifo(folder / "holidaypics6.table")
    async with serving(store=Store(folder), idle=0.2) as server:
        name = (await server.make("standard"))["table"]
        while list(server.rooms):
            await asyncio.sleep(0.02)
    assert {path.name for path in folder.iterdir()} == {*FOREIGN, "holidaypics6.table"}
    assert {name: (folder / name).read_bytes() for name in FOREIGN} == FOREIGN
    (foreign, removed) = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert removed == f"{folder / name}.table is removed: its table has ended"
    assert foreign.endswith(
        ": no table by name and first line, and left as it is: "
        "'holiday.table', 'holidaypics1.table', 'holidaypics2.table' and 4 more"
    )


async def test_a_whole_table_goes_on_whatever_its_time_says(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with serving(store=Store(folder)) as server:
        names = {(await server.make("standard"))["table"] for _ in range(3)}
    for path, year in zip(folder.glob("*.table"), (1970, 2000, 2100), strict=True):
        os.utime(path, (31_556_952 * (year - 1970),) * 2)
    part = folder / f"{min(names)}.table.part"
    part.write_text("what a server was writing when it was killed")
    async with serving(store=Store(folder)) as server:
        assert {room.name for room in server.rooms} == names
        assert {path.name for path in folder.iterdir()} == {f"{name}.table" for name in names} | {"lock"}
    assert caplog.records == []


async def test_a_restart_does_not_begin_to_count_anew_when_a_table_was_used_last(
    folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms_module, "SWEEP_SECONDS", 0.02)

    def unused() -> float:
        return float(read_lines(the_file(folder))[0]["unused"])

    async with serving(store=Store(folder), idle=1000) as server:
        made = await server.make("standard")
        (room,) = server.rooms
        token = (await server.join(made["table"], made["seats"][0]["token"])).welcome["token"]
        assert unused() < 100
        room.last_used -= 700
        while unused() < 700:
            await asyncio.sleep(0.02)
    async with serving(store=Store(folder), idle=1000) as server:
        (room,) = server.rooms
        assert 700 <= asyncio.get_running_loop().time() - room.last_used < 800
        await (await server.join(made["table"], token)).socket.close()
        while room.viewers or unused() >= 100:
            await asyncio.sleep(0.02)
        room.last_used -= 990
        while unused() < 990:
            await asyncio.sleep(0.02)
    assert [*caplog.records] == []
    async with serving(store=Store(folder), idle=900) as server:
        while list(server.rooms):
            await asyncio.sleep(0.02)
    assert not list(folder.glob("*.table"))
    (record,) = caplog.records
    assert record.getMessage().endswith(".table is removed: its table has ended")


async def test_a_connection_that_the_server_ends_is_no_use_of_its_table(folder: Path) -> None:
    async with serving(store=Store(folder)) as server:
        made = await server.make("standard")
        client = await server.join(made["table"], made["seats"][0]["token"])
        (room,) = server.rooms
        used = room.last_used = room.last_used - 700
        room.pause()
        while room.viewers:
            await asyncio.sleep(0.02)
        assert room.last_used == used
        await client.drain()


# Broken files.


def whole_lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


async def kept_table(folder: Path) -> tuple[Any, Any]:
    """A table in its file, and what its person was shown when it was that one's turn the last time."""
    async with serving(store=Store(folder)) as server:
        made = await some_moves(server, "standard", 6, "kept")
        state = (await states_of(server, made))[0]
    return made, state


@pytest.mark.parametrize("torn", [b'{"move":{"ca', b'{"move":{"cards":"3"}}', b"\x00\x00\x00\n", b"{\n"])
async def test_a_torn_last_line_does_not_count(folder: Path, torn: bytes) -> None:
    made, state = await kept_table(folder)
    path = the_file(folder)
    path.write_bytes(path.read_bytes() + torn)
    async with serving(store=Store(folder)) as server:
        assert (await states_of(server, made))[0] == state
        client = await server.join(made["table"], made["seats"][0]["token"])
        await play_on(client, random.Random("torn"), over)
    assert saved(read_lines(the_file(folder))).over


def changed(lines: list[bytes], number: int, **fields: Any) -> list[bytes]:
    value = {**json.loads(lines[number]), **fields}
    return [*lines[:number], json.dumps(value).encode() + b"\n", *lines[number + 1 :]]


DAMAGES = {
    "no game": lambda lines: lines[:1],
    "two first lines": lambda lines: [lines[0], *lines],
    "no JSON": lambda lines: [*lines[:3], b"{\xff\n", *lines[3:]],
    "no object": lambda lines: [*lines[:3], b"[]\n", *lines[3:]],
    "unknown line": lambda lines: [*lines[:3], b'{"whole":1}\n', *lines[3:]],
    "a move twice": lambda lines: [*lines, lines[-1]],
    "later version": lambda lines: changed(lines, 0, version=2),
    "no such chair": lambda lines: [*lines, b'{"chair":3,"token":"","taken":true}\n'],
    "name of another": lambda lines: changed(lines, 0, name="another"),
    "no hash": lambda lines: [*lines, b'{"chair":0,"token":"\\u00e9","taken":true}\n'],
    "no hash in the first line": lambda lines: changed(
        lines, 0, chairs=[{**chair, "token": "é" * 64} for chair in json.loads(lines[0])["chairs"]]
    ),
    "unused for ever": lambda lines: changed(lines, 0, unused=float("inf")),
    "no cards": lambda lines: [*lines, b'{"move":{"cards":"hearts"}}\n'],
    "over too early": lambda lines: [*lines, b'{"over":1,"result":[null,null,""],"points":[0,0,0]}\n'],
}


async def test_a_damaged_file_is_one_sentence_and_laid_aside_and_the_others_live(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    broken: dict[str, bytes] = {}
    made, _ = await kept_table(folder)
    whole = the_file(folder).read_bytes()
    for number, damage in enumerate(DAMAGES.values()):
        name = f"damage{number:06d}"
        lines = whole.replace(made["table"].encode(), name.encode()).splitlines(keepends=True)
        broken[name] = b"".join(damage(lines))
        (folder / f"{name}.table").write_bytes(broken[name])
    async with serving(store=Store(folder)) as server:
        assert [room.name for room in server.rooms] == [made["table"]]
        assert {(await server.get(f"/tables/{name}"))[0] for name in broken} == {404}
    assert {path.stem: path.read_bytes() for path in folder.glob("*.damaged")} == broken
    sentences = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(sentences) == len(DAMAGES) and not any(one.exc_info for one in sentences)
    assert all("is damaged" in one.getMessage() and "\n" not in one.getMessage() for one in sentences)


# Folders.


async def test_a_folder_that_cannot_be_is_one_sentence_and_tables_live_in_memory(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("x")
    async with serving(store=Store(tmp_path / "file" / "tables")) as server:
        assert 'data-word="not_kept"' in (await server.get("/"))[1]
        _, client = await server.seated("standard")
        assert client.state["kept"] is False
        await play_on(client, random.Random("memory"), over)
    (sentence,) = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert "they go on in memory" in sentence.getMessage()


async def test_a_disk_that_is_full_while_nobody_plays_costs_the_table_nothing(
    folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms_module, "SWEEP_SECONDS", 0.02)
    real, tried = os.write, 0

    def full(file: int, data: bytes) -> int:
        nonlocal tried
        if b'"format"' not in data:
            return real(file, data)
        tried += 1
        raise OSError(28, "No space left on device")

    async with serving(store=Store(folder)) as server:
        made = await some_moves(server, "standard", 3, "idle")
        monkeypatch.setattr(os, "write", full)
        (room,) = server.rooms
        before = the_file(folder).read_bytes()
        room.last_used -= 1000
        while not tried:
            await asyncio.sleep(0.02)
        assert the_file(folder).read_bytes() == before and not server.rooms.failing
        client = await server.join(made["table"], made["seats"][0]["token"])
        at = client.state["at"]
        await play_on(client, random.Random("on"), lambda state: state["at"] > at)
        assert client.state["kept"] is True and the_file(folder).read_bytes().startswith(before)
    monkeypatch.setattr(os, "write", real)
    async with serving(store=Store(folder)) as server:
        assert [room.name for room in server.rooms] == [made["table"]]
    assert caplog.records == []


async def test_a_table_goes_on_from_where_a_move_was_taken_back(folder: Path) -> None:
    async with serving(store=Store(folder)) as server:
        made, client = await server.seated("standard")
        first = client.state
        await client.say("back", at=first["at"], moves=None)
        assert await client.refusal() == "there is nothing that you could take back"
        await client.say("play", at=first["at"], cards=first["hand"][0])
        await client.hear("state", lambda state: state["can_take_back"])
        await client.say("back", at=client.state["at"], moves=None)
        state = await client.hear("state")
        assert {**state, "at": 0} == {**first, "at": 0} and state["at"] > first["at"]
    async with serving(store=Store(folder)) as server:
        again = await server.join(made["table"], made["seats"][0]["token"])
        assert again.state["plays"] == [] and again.state["hand"] == first["hand"]
        two = await server.make("standard", ("person", "person", "rule"))
        (client, _) = [await server.join(two["table"], seat["token"]) for seat in two["seats"]]
        await client.say("play", at=client.state["at"], cards=client.state["hand"][0])
        state = await client.hear("state", lambda state: len(state["plays"]) == 1)
        assert not state["can_take_back"]
