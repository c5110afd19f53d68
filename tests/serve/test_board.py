"""Boards: a game continues from any move with open hands, one person plays for all, goes back, and lets bots play."""

import json
from pathlib import Path
from typing import Any

import pytest

from ddzbot.cards import hand_text
from ddzbot.search.limit import Limit
from tests.serve.house import Client, Server, over, serving
from tests.support import ROOT
from tools.records.files import read_records
from tools.records.jsonl import record_json
from tools.records.notation import position_text
from tools.study.analyse.analyse import analyse
from tools.tables.serve.board import EXAMPLE
from tools.tables.serve.store import Store

(GAME,) = read_records(ROOT / "tests/data/rule-demo-1.ddzn")
MOVE = 15


def start(moves: int) -> Any:
    return json.loads(record_json(GAME.begun(moves)))


async def wish(server: Server, wish: Any) -> Any:
    return (await server.wish(wish))[1]


async def board(server: Server, moves: int = MOVE) -> tuple[Any, Client]:
    made = await wish(server, {"start": start(moves)})
    (seat,) = made["seats"]
    return made, await server.join(made["table"], seat["token"])


async def moved(client: Client, number: int) -> Any:
    return await client.hear("state", lambda state: len(state["plays"]) == number)


async def test_one_person_plays_for_every_seat_goes_back_and_hints_are_the_analysis() -> None:
    async with serving() as server:
        _, client = await board(server)
        state = client.state
        game = GAME.game(MOVE)
        assert state["open"] == texts(game.hands)
        assert state["to_move"] == state["you"] == 0 and state["bots"] == [] and state["can_take_back"]
        await client.say("hint", at=state["at"])
        hint = (await client.hear("hint"))["analysis"]
        own = analyse(GAME.view(MOVE), Limit(playouts=200)).as_json()
        assert [(one["move"], one["win"]) for one in hint["moves"]] == [
            (one["move"], one["win"]) for one in own["moves"]
        ]
        for number, move in enumerate(GAME.moves[MOVE:18], MOVE + 1):
            await client.say("play", at=client.state["at"], cards=texts([move.cards])[0])
            state = await moved(client, number)
            assert state["to_move"] == state["you"] == number % 3
        await client.say("back", at=state["at"], moves=None)
        assert (await moved(client, 17))["to_move"] == 2
        await client.say("back", at=client.state["at"], moves=4)
        assert (await moved(client, 4))["open"] == texts(GAME.game(4).hands)
        await client.say("back", at=client.state["at"], moves=4)
        assert await client.refusal() == "there is no move to take back"


def texts(hands: Any) -> list[str]:
    return [hand_text(cards) for cards in hands]


async def test_bots_play_on_where_they_are_told_to_and_after_the_end_one_goes_back() -> None:
    async with serving() as server:
        made, client = await board(server)
        await client.say("bots", positions=[1, 2])
        await client.say("play", at=client.state["at"], cards="55")
        state = await client.hear("state", lambda state: state["to_move"] == 0 and len(state["plays"]) > MOVE)
        await client.say("back", at=state["at"], moves=None)
        assert (await moved(client, MOVE))["bots"] == [1, 2]
        await client.say("bots", positions=[0, 1, 2])
        state = await client.hear("state", over)
        assert state["result"] and state["open"] and state["can_take_back"] and state["places"][0]["points"] == 0
        await client.say("back", at=state["at"], moves=None)
        await moved(client, len(state["plays"]) - 1)
        assert (await client.hear("state"))["bots"] == []
        await client.say("again", game=1)
        assert await client.refusal() == "a board has one game"
        watcher = await server.join(made["table"], watch=True)
        assert watcher.state["you"] is None
        await watcher.say("bots", positions=[0])
        assert await watcher.refusal() == "watchers cannot play"
        table = await server.make("standard")
        person = await server.join(table["table"], table["seats"][0]["token"])
        await person.say("bots", positions=[0])
        assert "only at a board" in await person.refusal()


async def test_a_board_is_kept_and_a_position_in_one_line_makes_one(tmp_path: Path) -> None:
    async with serving(store=Store(tmp_path)) as server:
        made, client = await board(server, 3)
        await client.say("play", at=client.state["at"], cards="88")
        before = await moved(client, 4)
        token = client.welcome["token"]
    async with serving(store=Store(tmp_path)) as server:
        client = await server.join(made["table"], token)
        assert client.state["open"] == before["open"] and len(client.state["plays"]) == 4
        line = position_text(GAME.game(MOVE))
        other = await wish(server, {"start": line})
        client = await server.join(other["table"], other["seats"][0]["token"])
        assert client.state["open"] == texts(GAME.game(MOVE).hands)


VIEW = "botzone 0 99TTQKKA 345 -@0 334455,-,-,8,9,A,2,-,-,6777,-,4JJJ,-,-,88"


async def test_the_example_makes_a_board_and_what_one_seat_knows_is_called_so() -> None:
    async with serving() as server:
        assert "table" in await wish(server, {"start": EXAMPLE})
        error = (await wish(server, {"start": VIEW}))["error"]
        assert error["en"].startswith("this line is a view, what one seat knows"), error
        assert "三家手牌" in error["zh"]


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("mini", "position 'mini': it must have 7 words, not 1"),
        ("standard 4667788QK2/334455QK2/9 ? -@0 - 0 -/-/-", "a board needs all cards, and a landlord"),
        ({"format": "x"}, "is not an object with the format"),
        (7, "7 is not an object with the format"),
        ({**start(2), "moves": [{"cards": "3"}, {"cards": "K"}]}, "K: the hand 334557789TTJQA22L does not hold"),
    ],
)
async def test_what_is_no_whole_position_makes_no_board(value: Any, sentence: str) -> None:
    async with serving() as server:
        error = (await wish(server, {"start": value}))["error"]
        assert sentence in error["en"] and error["zh"].startswith("无法摆出这个局面：")
