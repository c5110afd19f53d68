"""Endgames over the wire: the game after the moves of the page, and what is refused."""

import json
from typing import Any

import pytest

from tests.serve.house import Server, serving
from tools.tables.table.endgames import PUZZLES

pytestmark = pytest.mark.usefixtures("with_kernel")


async def after(server: Server, number: int, *moves: str) -> Any:
    status, text = await server.get(f"/endgames/{number}/game?moves={','.join(moves)}")
    assert status == 200
    return json.loads(text)


async def test_a_puzzle_is_won_by_what_wins() -> None:
    async with serving() as server:
        for number in (1, 2, 16):
            state = await after(server, number)
            while state["winner"] is None:
                moves = [cards or "pass" for cards, _ in state["plays"]]
                state = await after(server, number, *moves, state["winning"][0] or "pass")
            assert state["winner"] == state["you"] and state["slip"] is None and "" in state["hands"]


async def test_the_reply_and_the_slip_are_told() -> None:
    async with serving() as server:
        state = await after(server, 16, "6")
        assert state == {
            "hands": ["467788QK2", "334455K2"],
            "you": 0,
            "plays": [["6", "solo"], ["Q", "solo"]],
            "leads": False,
            "winner": None,
            "winning": [],
            "slip": {"number": 1, "winning": ["4"]},
        }
        state = await after(server, 16, "6", "Q", "pass")
        assert state["plays"][-1] == ["334455", "pair_chain"] and state["winning"] == []


async def test_what_is_no_move_is_refused_in_both_languages_and_other_numbers_are_no_pages() -> None:
    async with serving() as server:
        for moves, en, zh in [
            (("pass",), "a lead cannot be a pass", "轮到你先出牌，不能不出"),
            (("9",), "9: the hand 4667788QK2 does not hold these cards", "9：你手里没有这些牌"),
            (("4", "Q", "6"), "6: it does not beat Q", "6：压不过 Q"),
            (("x",), "cards 'x': 'x' is not a rank; ranks are 3456789TJQKA2LB", ""),
        ]:
            error = (await after(server, 16, *moves))["error"]
            assert error["en"] == en and error["zh"].startswith(zh or "消息有误：")
        assert (await after(server, 1, "3", "4"))["error"]["en"] == "the game is over"
        for path in ("/endgames/0", "/endgames/23", "/endgames/23/game"):
            assert await server.get(path) == (404, "there is no such endgame: they are 1 to 22\n")
        status, page = await server.get("/endgames/22")
        assert status == 200 and 'data-number="22"' in page
        _, start = await server.get("/")
        assert all(f">{n}. {hands.replace(' ', ' : ')}</option>" in start for n, hands in enumerate(PUZZLES, 1))
