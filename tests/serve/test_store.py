"""The files of tables: what stands in them and what does not, and what is done about broken ones."""

import asyncio
import json
import logging
import os
import random
import stat
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.serve.house import ROOT_SEED, Server, but_pages, over, play_on, serving
from tools.tables.serve import rooms as rooms_module
from tools.tables.serve.finished import MOST_GAMES
from tools.tables.serve.saved_table import FORM, SavedTable
from tools.tables.serve.seats import hash_of
from tools.tables.serve.store import Store

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


def the_table(folder: Path) -> SavedTable:
    return FORM.read(the_file(folder).read_bytes())


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


async def test_old_games_leave_the_file(folder: Path) -> None:
    async with serving(store=Store(folder)) as server:
        made = await server.make("mini", ("rule", "rule", "rule"))
        watcher = await server.join(made["table"], watch=True)
        for game in range(1, MOST_GAMES + 4):
            await watcher.hear("state", lambda state, game=game: state["game"] == game and over(state))
            assert [one.number for one in the_table(folder).games] == [*range(max(1, game - MOST_GAMES + 1), game + 1)]
            await watcher.say("again", game=game)


async def test_a_table_of_another_version_stays_and_the_log_says_so(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder.mkdir(parents=True)
    older = b'{"format":"ddzbot-table","version":1,"name":"holidaypics1"}\n{"game":1,"seed":1,"record":{}}\n'
    (folder / "holidaypics1.table").write_bytes(older)
    (folder / "notes.table").write_bytes(b"of another program")
    async with serving(store=Store(folder)) as server:
        assert not list(server.rooms)
    assert (folder / "holidaypics1.table").read_bytes() == older
    said = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(said) == 2 and "holidaypics1.table is of version 1 and stays as it is" in said[0]
    assert "'notes.table'" in said[1]


async def test_the_file_of_a_table_goes_with_it(
    folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms_module, "SWEEP_SECONDS", 0.02)
    async with serving(store=Store(folder), idle=0.2) as server:
        name = (await server.make("standard"))["table"]
        while list(server.rooms):
            await asyncio.sleep(0.02)
    assert not list(folder.glob("*.table"))
    (record,) = caplog.records
    assert record.getMessage() == f"{folder / name}.table is removed: its table has ended"


async def test_a_whole_table_goes_on_whatever_its_time_says(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with serving(store=Store(folder)) as server:
        names = {(await server.make("standard"))["table"] for _ in range(3)}
    for path, year in zip(folder.glob("*.table"), (1970, 2000, 2100), strict=True):
        os.utime(path, (31_556_952 * (year - 1970),) * 2)
    part = folder / f"{min(names)}.table.77.part"
    part.write_text("what a server was writing when it was killed")
    async with serving(store=Store(folder)) as server:
        assert {room.name for room in server.rooms} == names
        assert {path.name for path in folder.iterdir()} == {f"{name}.table" for name in names} | {"lock"}
    assert caplog.records == []


async def test_a_restart_does_not_begin_to_count_anew_when_a_table_was_used_last(
    folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms_module, "SWEEP_SECONDS", 0.02)

    async with serving(store=Store(folder), idle=1000) as server:
        made = await server.make("standard")
        (room,) = server.rooms
        client = await server.join(made["table"], made["seats"][0]["token"])
        await client.socket.close()
        while room.viewers:
            await asyncio.sleep(0.02)
        room.last_used -= 700
    async with serving(store=Store(folder), idle=1000) as server:
        (room,) = server.rooms
        assert 700 <= asyncio.get_running_loop().time() - room.last_used < 800
        await (await server.join(made["table"], client.welcome["token"])).socket.close()
        # Even a server that is killed now has noted that the table was used.
        assert the_table(folder).unused < 100
        while room.viewers:
            await asyncio.sleep(0.02)
        room.last_used -= 990
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


async def kept_table(folder: Path) -> tuple[Any, Any]:
    """A table in its file, and what its person was shown when it was that one's turn the last time."""
    async with serving(store=Store(folder)) as server:
        made = await some_moves(server, "standard", 6, "kept")
        state = (await states_of(server, made))[0]
    return made, state


DAMAGES: dict[str, Any] = {
    "no game": {"games": []},
    "no record": {"games": [{"number": 1, "text": "hearts"}]},
    "name of another": {"name": "another"},
    "two chairs": {"chairs": [{"who": "rule"}, {"who": "rule"}]},
    "no hash": {"chairs": 3 * [{"who": "person", "token": 64 * "é", "taken": True, "points": 0}]},
    "unused before it began": {"unused": -1},
    "no seed": {"seed": -1},
}


def damaged(whole: bytes, name: str, change: dict[str, Any]) -> bytes:
    return json.dumps({**json.loads(whole), "name": name, **change}, separators=(",", ":")).encode()


def cut(whole: bytes, name: str) -> bytes:
    return damaged(whole, name, {})[:-70]


def an_illegal_move(whole: bytes, name: str) -> bytes:
    value = json.loads(whole)
    record = json.loads(value["games"][-1]["text"])
    record["moves"].append(record["moves"][-1])
    return damaged(whole, name, {"games": [{"number": 1, "text": json.dumps(record)}]})


async def test_a_damaged_file_is_one_sentence_and_set_aside_and_the_others_live(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    broken: dict[str, bytes] = {}
    made, _ = await kept_table(folder)
    whole = the_file(folder).read_bytes()
    damages = [partial(damaged, change=change) for change in DAMAGES.values()]
    for number, damage in enumerate([*damages, cut, an_illegal_move]):
        name = f"damage{number:06d}"
        broken[name] = damage(whole, name)
        (folder / f"{name}.table").write_bytes(broken[name])
    async with serving(store=Store(folder)) as server:
        assert [room.name for room in server.rooms] == [made["table"]]
        assert {(await server.get(f"/tables/{name}"))[0] for name in broken} == {404}
    assert {path.stem: path.read_bytes() for path in folder.glob("*.damaged")} == broken
    sentences = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(sentences) == len(broken) and not any(one.exc_info for one in sentences)
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
    assert "they stay in memory" in sentence.getMessage()


async def test_a_table_goes_on_from_where_a_move_was_taken_back(folder: Path) -> None:
    async with serving(store=Store(folder)) as server:
        made, client = await server.seated("standard")
        first = client.state
        await client.say("back", at=first["at"], moves=None)
        assert await client.refusal() == "there is no move to take back"
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
