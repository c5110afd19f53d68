"""The real server is killed in the middle of games and started again: players resume with their tokens and hands."""

import asyncio
import random
import re
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.serve.house import Client, over, play_on, some_act
from tests.support import ROOT
from tools.records.text_reader import parse_record

pytestmark = pytest.mark.whole

PLACES = ["person", "rule", "person"]
# A game of these deals, with what the tests let its persons do, is longer than every stop.
DEALS = ("--seed", "5", "--open-seed")


class Command:
    """The command in a process of its own, with what it wrote to its log."""

    def __init__(self, folder: Path, *options: str) -> None:
        command = [sys.executable, "-u", "-m", "tools", "serve", "--port", "0", "--bot", "rule", "--limit", "20p"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [*command, "--pace", "0", "--tables", str(folder), *options],
            cwd=ROOT,
            stdout=pipe,
            stderr=pipe,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        found = re.search(r"http://\S+[^/\s]", self.process.stdout.readline())
        assert found, self.process.communicate()[1]
        self.address = found[0]
        self.log: list[str] = []
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        self.log += self.process.stderr

    def end(self, number: signal.Signals = signal.SIGKILL) -> None:
        self.process.send_signal(number)
        self.process.wait(250)
        self._reading.join(250)
        assert self.process.stdout is not None and self.process.stderr is not None
        self.process.stdout.close()
        self.process.stderr.close()


@asynccontextmanager
async def commands() -> AsyncIterator[list[Command]]:
    """The commands of a test, of which none outlives it."""
    started: list[Command] = []
    try:
        yield started
    finally:
        for one in started:
            if one.process.poll() is None:
                one.end()


@asynccontextmanager
async def joined(command: Command, table: str, tokens: list[str]) -> AsyncIterator[list[Client]]:
    """Clients that join with their tokens, and have read their first state; each has the token that it was given."""
    async with aiohttp.ClientSession(headers={"Origin": command.address}) as session:
        clients = []
        for token in tokens:
            client = Client(await session.ws_connect(f"{command.address}/tables/{table}/socket"))
            await client.say("join", token=token, watch=False)
            client.welcome = await client.hear("welcome")
            await client.hear("state")
            clients.append(client)
        tokens[:] = [client.welcome["token"] for client in clients]
        yield clients


async def make(command: Command) -> Any:
    async with aiohttp.ClientSession(headers={"Origin": command.address}) as session:
        wish = {"rules": "botzone2", "places": PLACES}
        async with session.post(f"{command.address}/tables", json=wish) as answer:
            return await answer.json()


async def play_all(clients: list[Client], name: str, number: int) -> list[Any]:
    """Lets the persons act at random until *number* events have come and a person is to move; their last states."""
    here = {client.state["you"]: client for client in clients}
    while True:
        state = max((client.state for client in clients), key=lambda state: state["at"])
        for client in clients:
            while client.state["at"] < state["at"]:
                await client.hear("state")
        if over(state) or (state["at"] >= number and state["to_move"] in here):
            return [client.state for client in clients]
        mover = here.get(state["to_move"])
        if mover is not None and not state["waiting"]:
            kind, fields = some_act(mover.state, random.Random(f"{name}/{state['at']}"))
            await mover.say(kind, **fields)
        await clients[0].hear("state")


def secret_parts(state: Any) -> dict[str, Any]:
    """What must be the same after the restart: all but the viewers, who are known when all have come back."""
    return {name: value for name, value in state.items() if name != "places"}


async def test_players_go_on_after_the_server_was_killed_and_the_game_ends_as_it_would_have(tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    async with commands() as started:
        started.append(Command(folder, *DEALS))
        made = await make(started[-1])
        table, tokens = made["table"], [seat["token"] for seat in made["seats"]]
        at = 0
        for stop, number in ((3, signal.SIGKILL), (12, signal.SIGTERM)):
            async with joined(started[-1], table, tokens) as clients:
                before = await play_all(clients, "kill", stop)
                assert at < before[0]["at"] and not over(before[0])
                at = before[0]["at"]
                started[-1].end(number)
                for client in clients:
                    while (message := await client.next()) is not None:
                        assert message["type"] == "state"  # no message says that the table has ended
            started.append(Command(folder, *DEALS))
            shown = list(tokens)
            async with joined(started[-1], table, tokens) as clients:
                assert tokens == shown
                assert [client.welcome["chair"] for client in clients] == [0, 2]
                assert [*map(secret_parts, (c.state for c in clients))] == [*map(secret_parts, before)]
        async with joined(started[-1], table, tokens) as clients:
            await asyncio.gather(*(play_on(client, random.Random("end"), over) for client in clients))
            result = clients[0].state["result"]
            assert result["hands"] and sum(result["scores"]) == 0
            assert result["dealt"][0] and parse_hand_of(result, before)
            record = await record_of(started[-1], table)
            assert not record.illegal_moves() and record.result.scores is not None
            assert len(record.moves) == len(clients[0].state["plays"])
            points = [place["points"] for place in clients[0].state["places"]]
            assert points == [round(score, 4) for score in result["scores"]]
        started[-1].end()
        assert not any("Traceback" in line for one in started for line in one.log)
        assert started[0].log == []


def parse_hand_of(result: Any, before: list[Any]) -> bool:
    """The hands that were dealt hold what the players held in the middle of the game."""
    return all(
        not set(state["hand"]) - set(result["dealt"][state["you"]]) - set(state["bottom"] or "") for state in before
    )


async def record_of(command: Command, table: str) -> Any:
    url = f"{command.address}/tables/{table}/games/1/record.ddzn"
    async with aiohttp.ClientSession() as session, session.get(url) as answer:
        return parse_record(await answer.text())


async def test_the_killed_game_goes_as_one_that_nobody_killed(tmp_path: Path) -> None:
    async def result(folder: Path, stops: tuple[int, ...]) -> Any:
        """Plays one game of a seed, with the server killed after so many events; what the record says in the end."""
        async with commands() as started:
            started.append(Command(folder, *DEALS))
            made = await make(started[-1])
            tokens = [seat["token"] for seat in made["seats"]]
            for stop in (*stops, 1000):
                async with joined(started[-1], made["table"], tokens) as clients:
                    await play_all(clients, "one game", stop)
                    if stop < 1000:
                        started[-1].end()
                        started.append(Command(folder, *DEALS))
                    else:
                        record = await record_of(started[-1], made["table"])
            return record.hands, record.bids, [move.cards for move in record.moves], record.result

    assert await result(tmp_path / "one", ()) == await result(tmp_path / "two", (2, 14))


async def test_a_full_disk_costs_nobody_the_game_and_the_page_is_told(tmp_path: Path) -> None:
    async with commands() as started:
        started.append(Command(tmp_path / "tables", *DEALS))
        made = await make(started[-1])
        pid = started[-1].process.pid
        tokens = [seat["token"] for seat in made["seats"]]
        async with joined(started[-1], made["table"], tokens) as clients:
            assert clients[0].state["kept"] is True
            _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, hard))
            states = await play_all(clients, "full", 8)
            assert states[0]["kept"] is False and states[0]["at"] >= 8
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))
            before = await play_all(clients, "on", states[0]["at"] + 2)
            assert before[0]["kept"] is True
        started[-1].end()
        assert len(started[-1].log) == 2 and "they stay in memory" in started[-1].log[0]
        started.append(Command(tmp_path / "tables", *DEALS))
        async with joined(started[-1], made["table"], tokens) as clients:
            assert [*map(secret_parts, (c.state for c in clients))] == [*map(secret_parts, before)]
