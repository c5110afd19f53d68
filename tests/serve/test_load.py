"""Many tables at once: which thoughts come first, which are dropped, and which tables end."""

import asyncio
import random
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from ddzbot.engine import Engine
from ddzbot.view import View
from tests.serve.house import Client, Server, over, play_on, serving
from tests.support import settled
from tools.shared.work.answering import Answering
from tools.tables.serve import rooms
from tools.tables.serve.questions import HintQuestion
from tools.tables.table.thinking import BotQuestion, TimedAnswer

pytestmark = pytest.mark.whole

BOTS = ("rule", "rule", "rule")
CROWD = 12


class Thoughts:
    """What the only process is asked, in order; it answers while :attr:`free` is set, and a hint is empty."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.free = threading.Event()

    def ask(self, question: BotQuestion | HintQuestion) -> TimedAnswer | dict[str, Any]:
        self.asked.append("hint" if isinstance(question, HintQuestion) else question.view.rules.name)
        self.free.wait(250)
        time.sleep(0.01)  # longer than a table needs to ask again
        if isinstance(question, HintQuestion):
            return {}
        assert isinstance(question.view, View)
        return TimedAnswer(Engine(question.spec, question.seed).choose(question.view, question.limit))


@pytest.fixture
def thoughts(monkeypatch: pytest.MonkeyPatch) -> Iterator[Thoughts]:
    made = Thoughts()
    monkeypatch.setattr(Answering, "ask", lambda _, question, seconds: made.ask(question))
    yield made
    made.free.set()


async def crowd(server: Server) -> list[Client]:
    """Watches tables of bots, each of which waits for its first thought."""
    return [await server.join((await server.make("mini", BOTS))["table"], watch=True) for _ in range(CROWD)]


async def seated(server: Server) -> Client:
    """Sits down as landlord under rules without an auction."""
    return (await server.seated("botzone"))[1]


async def play(client: Client, cards: str) -> None:
    await client.say("play", at=client.state["at"], cards=cards)


async def test_tables_that_are_only_watched_hold_up_a_person_by_one_thought_each_time(thoughts: Thoughts) -> None:
    async with serving() as server:
        watching = await crowd(server)
        person = await seated(server)
        await play(person, person.state["hand"][0])
        await person.hear("state", lambda state: len(state["plays"]) == 1)
        thoughts.free.set()
        await person.hear("state", lambda state: len(state["plays"]) == 3)
        # A bot without a choice is not asked.
        last = len(thoughts.asked) - 1 - thoughts.asked[::-1].index("botzone")
        before = thoughts.asked[:last]
        assert before.count("mini") <= 2 < CROWD
        await asyncio.gather(*(one.hear("state", lambda state: state["plays"]) for one in watching))


async def test_a_hint_is_dropped_with_its_asker_and_with_its_table(thoughts: Thoughts) -> None:
    async with serving() as server:
        await crowd(server)
        threads = threading.active_count()
        leaving, staying, ending = [await seated(server) for _ in range(3)]
        for client in (leaving, staying, ending):
            await client.say("hint", at=client.state["at"])
            # Whatever is said after it is answered, so that it was read.
            await client.say("play", at=99, cards="")
            await client.refusal()
        assert threading.active_count() == threads
        await leaving.socket.close()
        *_, room = server.rooms
        room.close("ended", "结束")
        await settled(lambda: sum(len(one.viewers) for one in server.rooms) == CROWD + 1)
        thoughts.free.set()
        await staying.hear("hint")
        await settled(lambda: thoughts.asked.count("mini") > CROWD)
        assert thoughts.asked.count("hint") == 1


async def test_a_player_that_comes_back_may_ask_for_a_hint_again(thoughts: Thoughts) -> None:
    async with serving() as server:
        await crowd(server)
        made = await server.make("botzone")
        token = made["seats"][0]["token"]
        first = await server.join(made["table"], token)
        await first.say("hint", at=first.state["at"])
        await first.say("hint", at=first.state["at"])
        assert await first.refusal() == "a hint is on its way"
        await first.socket.close()
        back = await server.join(made["table"], token)
        await back.say("hint", at=back.state["at"])
        thoughts.free.set()
        assert await back.hear("hint")


async def test_bots_wait_while_nobody_is_there(thoughts: Thoughts) -> None:
    async with serving() as server:
        table = (await server.make("mini", BOTS))["table"]
        watcher = await server.join(table, watch=True)
        await settled(lambda: bool(thoughts.asked))
        await watcher.socket.close()
        (room,) = server.rooms
        await settled(lambda: not room.viewers)
        thoughts.free.set()
        await settled(lambda: room.state_for(None)["plays"] != [])
        await asyncio.sleep(0.05)
        assert len(room.state_for(None)["plays"]) == 1 == len(thoughts.asked)
        back = await server.join(table, watch=True)
        await back.hear("state", lambda state: state["phase"] == "over")


async def test_tables_that_everybody_has_left_give_up_their_turn(thoughts: Thoughts) -> None:
    async with serving() as server:
        watching = await crowd(server)
        await settled(lambda: bool(thoughts.asked))
        await asyncio.gather(*(one.socket.close() for one in watching))
        await settled(lambda: not any(room.viewers for room in server.rooms))
        person = await seated(server)
        await play(person, person.state["hand"][0])
        await person.hear("state", lambda state: len(state["plays"]) == 1)
        thoughts.free.set()
        await person.hear("state", lambda state: len(state["plays"]) == 3)
        assert thoughts.asked.count("mini") == 1


async def test_a_table_where_nobody_is_ends_soon_and_others_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "EMPTY_SECONDS", 0.2)
    monkeypatch.setattr(rooms, "SWEEP_SECONDS", 0.02)
    async with serving() as server:
        await server.make("mini", BOTS)
        await server.make("standard")
        watched = await server.make("mini", BOTS)
        watcher = await server.join(watched["table"], watch=True)
        sitting = await server.make("standard")
        person = await server.join(sitting["table"], sitting["seats"][0]["token"])
        await person.socket.close()
        await settled(lambda: {room.name for room in server.rooms} == {watched["table"], sitting["table"]})
        await asyncio.sleep(0.3)
        assert len(list(server.rooms)) == 2
        await watcher.socket.close()
        await settled(lambda: [room.name for room in server.rooms] == [sitting["table"]])


async def test_thirty_students_at_ten_tables_play_to_the_end() -> None:
    async with serving() as server:
        clients = []
        for _ in range(10):
            made = await server.make("mini", ("person", "person", "person"))
            clients += [await server.join(made["table"], seat["token"]) for seat in made["seats"]]
        dice = [random.Random(number) for number in range(len(clients))]
        await asyncio.gather(*(play_on(one, die, over) for one, die in zip(clients, dice, strict=True)))
        assert all(one.state["result"]["scores"] for one in clients)
