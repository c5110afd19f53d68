"""The tables: their seats, what is refused and changes nothing, and what continues whatever happens."""

import asyncio
import random
import re
import time
from typing import Any
from urllib.parse import urljoin

import pytest

from ddzbot.search.limit import Limit
from ddzbot.view import View
from tests.serve.house import Client, Server, but_pages, over, play_on, serving
from tests.serve.proxy import FOLDER, behind_a_path
from tools.tables.serve import connection
from tools.tables.table.thinking import BotQuestion, Thinkers

TWO_PERSONS = ("person", "person", "rule")


# Seats.


async def test_the_plain_address_takes_a_free_seat_with_a_new_token_and_then_watches() -> None:
    async with serving() as server:
        made = await server.make("standard", TWO_PERSONS)
        creator = await server.join(made["table"], made["seats"][0]["token"])
        guest = await server.join(made["table"])
        assert guest.welcome["chair"] == 1 and guest.state["you"] == 1
        assert guest.welcome["token"] not in {seat["token"] for seat in made["seats"]}
        late = await server.join(made["table"])
        assert late.welcome == {"type": "welcome", "token": "", "chair": None} and late.state["hand"] is None
        assert "its seat has been taken" in await refused_by(server, made, made["seats"][1]["token"])
        again = await server.join(made["table"], guest.welcome["token"])
        assert again.state["hand"] == guest.state["hand"] != creator.state["hand"]


async def refused_by(server: Server, made: Any, token: str) -> str:
    """Why a page cannot join with that token; it is told nothing else."""
    client = await server.open(made["table"])
    await client.say("join", token=token, watch=False)
    sentence = await client.refusal()
    assert await client.next() is None and len(client.heard) == 1
    return sentence


async def test_the_link_of_an_invitation_ends_when_a_player_sits_down_with_it() -> None:
    async with serving() as server:
        made = await server.make("standard", TWO_PERSONS)
        invited = [seat["token"] for seat in made["seats"]]
        pages = [await server.join(made["table"], token) for token in invited]
        for token in invited:
            assert "its seat has been taken" in await refused_by(server, made, token)
        fresh = [page.welcome["token"] for page in pages]
        assert len({*fresh, *invited}) == 4
        for number, token in enumerate(fresh):
            back = await server.join(made["table"], token)
            assert back.welcome == {"type": "welcome", "token": token, "chair": number}
            assert back.state["hand"] == pages[number].state["hand"]


async def test_a_seat_that_is_open_in_two_places_is_known_to_all() -> None:
    async with serving() as server:
        made = await server.make("standard", TWO_PERSONS)
        first = await server.join(made["table"], made["seats"][0]["token"])
        assert [place["pages"] for place in first.state["places"]] == [1, 0, 0]
        second = await server.join(made["table"], first.welcome["token"])
        watcher = await server.join(made["table"], watch=True)
        for client in (first, second, watcher):
            await client.drain()
            assert [place["pages"] for place in client.state["places"]] == [2, 0, 0]
        await second.socket.close()
        state = await first.hear("state")
        assert [place["pages"] for place in state["places"]] == [1, 0, 0]


async def test_nobody_plays_before_everybody_has_come() -> None:
    async with serving() as server:
        made = await server.make("standard", ("person", "rule", "person"))
        first = await server.join(made["table"], made["seats"][0]["token"])
        assert first.state["waiting"]
        await first.say("play", at=first.state["at"], cards=first.state["hand"][0])
        assert await first.refusal() == "a player is missing"
        await server.join(made["table"], made["seats"][1]["token"])
        await first.hear("state", lambda state: not state["waiting"])
        await first.say("play", at=first.state["at"], cards=first.state["hand"][0])
        assert (await first.hear("state"))["plays"]


async def test_a_player_that_comes_back_is_shown_the_same_state() -> None:
    async with serving() as server:
        made = await server.make("botzone2")
        token = made["seats"][0]["token"]
        client = await server.join(made["table"], token)
        await play_on(client, random.Random("back"), lambda state: len(state["plays"]) > 9 and mine(state))
        state = client.state
        await client.socket.close()
        back = await server.join(made["table"], token)
        assert back.state == state


def mine(state: Any) -> bool:
    return bool(state["to_move"] == state["you"])


# What changes nothing.


async def test_refused_acts_change_nothing() -> None:
    async with serving() as server:
        made = await server.make("standard", TWO_PERSONS)
        first = await server.join(made["table"], made["seats"][0]["token"])
        second = await server.join(made["table"], made["seats"][1]["token"])
        watcher = await server.join(made["table"], watch=True)
        await first.drain()
        state = first.state
        at, card = state["at"], state["hand"][0]
        for client, kind, fields, sentence in [
            (second, "play", {"at": at, "cards": second.state["hand"][0]}, "it is not your turn"),
            (second, "hint", {"at": at}, "it is not your turn"),
            (watcher, "play", {"at": at, "cards": card}, "watchers cannot play"),
            (watcher, "hint", {"at": at}, "watchers cannot play"),
            (watcher, "again", {"game": 1}, "watchers cannot start a game"),
            (first, "again", {"game": 1}, "the game is not over"),
            (first, "bid", {"at": at, "bid": 3}, "there is no auction now: play cards"),
            (first, "play", {"at": at - 1, "cards": card}, "the table has moved on: look again"),
            (first, "play", {"at": at + 1, "cards": card}, "the table has moved on: look again"),
            (first, "play", {"at": at, "cards": ""}, "a lead cannot be a pass"),
            (first, "play", {"at": at, "cards": "LB"}, "LB: "),
            (first, "join", {"token": "", "watch": True}, "this connection has joined already"),
        ]:
            await client.say(kind, **fields)
            assert (await client.refusal()).startswith(sentence)
        back = await server.join(made["table"], made["seats"][0]["token"])
        assert but_pages(back.state) == but_pages(state)


async def test_a_second_click_is_refused_and_plays_no_second_card() -> None:
    async with serving() as server:
        made = await server.make("standard", ("person", "person", "person"))
        clients = [await server.join(made["table"], seat["token"]) for seat in made["seats"]]
        await clients[0].drain()
        at, card = clients[0].state["at"], clients[0].state["hand"][0]
        for _ in range(2):
            await clients[0].say("play", at=at, cards=card)
        assert await clients[0].refusal() == "it is not your turn"
        assert clients[0].state["plays"] == [[card, "solo"]]


async def test_garbage_is_refused_and_in_the_end_closes_the_connection_alone() -> None:
    async with serving() as server:
        made, client = await server.seated("standard")
        state = client.state
        for text in ("", "null", "{}", '{"type":"play"}', "\u0000", "<script>", "__import__('os')"):
            await client.socket.send_str(text)
            assert await client.refusal()
        await client.socket.send_bytes(b"\x00\xff")
        assert await client.refusal() == "messages are texts"
        for _ in range(connection.PATIENCE):
            await client.socket.send_str("nonsense")
        while await client.next() is not None:
            pass
        back = await server.join(made["table"], made["seats"][0]["token"])
        assert back.state == state


async def test_a_client_that_does_not_join_first_is_told_nothing_of_the_table() -> None:
    async with serving() as server:
        made = await server.make("standard")
        for first in ('{"type": "hint", "at": 0}', "garbage", '{"type": "join"}'):
            client = await server.open(made["table"])
            await client.socket.send_str(first)
            assert await client.refusal()
            assert await client.next() is None and len(client.heard) == 1


# What continues.


async def game_of(server: Server, *places: str) -> Client:
    made = await server.make("botzone2", places)
    client = await server.join(made["table"], made["seats"][0]["token"])
    await play_on(client, random.Random("bots"), over)
    return client


@pytest.mark.whole
async def test_a_bot_that_dies_does_not_stop_the_table() -> None:
    bad = "tests.serve.bad_bots:Dies"
    async with serving((bad, "rule")) as server:
        client = await game_of(server, "person", bad, "rule")
        assert client.state["result"]["winner"] in ("landlord", "peasants")


@pytest.mark.whole
async def test_a_bot_that_hangs_holds_up_its_own_table_for_its_time_only() -> None:
    bad = "tests.serve.bad_bots:Hangs"
    async with serving((bad, "rule"), Limit(seconds=0.3), processes=2, grace=2.0) as server:
        made = await server.make("standard", (bad, "rule", "rule"))
        watcher = await server.join(made["table"], watch=True)
        assert watcher.state["plays"] == []
        client = await game_of(server, "person", "rule", "rule")
        assert over(client.state)
        assert (await watcher.hear("state", lambda state: state["plays"]))["plays"]


@pytest.mark.parametrize("name", ["HoldsTheInterpreter", pytest.param("Hangs", marks=pytest.mark.whole)])
async def test_a_game_with_a_bot_that_hangs_at_every_move_ends_soon_and_says_who_played(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = f"tests.serve.bad_bots:{name}"

    def seconds(_thinkers: Thinkers, question: BotQuestion) -> float:
        # On a busy machine a process that has to start may need more than a bot that hangs is given here.
        hangs = question.spec == bad and (isinstance(question.view, View) or name == "HoldsTheInterpreter")
        return 0.1 if hangs else 60.0

    monkeypatch.setattr(Thinkers, "seconds", seconds)
    async with serving((bad, "rule"), Limit(playouts=20), processes=2, grace=0.7) as server:
        began = time.monotonic()
        made = await server.make("icga", (bad, bad, "rule"))
        client = await server.join(made["table"], watch=True)
        await client.hear("state", over)
        assert time.monotonic() - began < 250
        told, landlord = client.state["fallbacks"], client.state["landlord"]
        assert {(landlord + int(ply)) % 3 for ply in told["plays"]} == {0, 1}
        assert len(told["plays"]) > 4 and set(told["plays"].values()) == {"mctshs"}
        asked = {place: "mctshs" for place in client.state["bids"] if place in "01"}
        assert asked and told["bids"] == (asked if name == "HoldsTheInterpreter" else {})


async def test_a_table_of_bots_plays_when_a_spectator_comes_and_goes_on_when_asked() -> None:
    async with serving() as server:
        made = await server.make("mini", ("rule", "random", "rule"))
        assert made["seats"] == []
        watcher = await server.join(made["table"], watch=True)
        await watcher.hear("state", over)
        await watcher.say("again", game=1)
        await watcher.hear("state", lambda state: state["game"] == 2 and over(state))
        await watcher.say("again", game=1)
        assert await watcher.refusal() == "the game is not over"


async def test_points_add_up_over_the_games_of_a_chair() -> None:
    async with serving() as server:
        _, client = await server.seated("botzone2")
        points = dict.fromkeys(range(3), 0.0)
        for game in (1, 2, 3):
            await play_on(client, random.Random(f"points/{game}"), over)
            scores = client.state["result"]["scores"]
            assert sum(scores) == 0
            for place, score in zip(client.state["places"], scores, strict=True):
                points[place["chair"]] += score
                assert place["points"] == points[place["chair"]]
            await client.say("again", game=game)
            await client.hear("state", lambda state, game=game: state["game"] == game + 1)


async def test_a_table_that_nobody_uses_ends() -> None:
    async with serving(idle=0.3) as server:
        made, client = await server.seated("standard")
        closed = await client.hear("closed")
        assert "it was not used for a long time" in closed["sentence"]["en"] and closed["sentence"]["zh"]
        assert await client.next() is None
        while list(server.rooms):
            await asyncio.sleep(0.02)
        status, text = await server.get(f"/tables/{made['table']}")
        assert status == 404 and 'data-word="gone"' in text


async def test_the_files_of_a_finished_game() -> None:
    async with serving() as server:
        made, client = await server.seated("botzone2")
        await play_on(client, random.Random("files"), over)
        files = f"{server.address}/tables/{made['table']}/games/1/"
        async with server.session.get(files + "record.ddzn") as answer:
            assert answer.headers["Content-Disposition"] == 'attachment; filename="botzone2-1.ddzn"'
        async with server.session.get(files + "replay") as answer:
            assert answer.status == 200
            assert "sha256-" in await answer.text()
            assert answer.headers["Content-Security-Policy"] == "frame-ancestors 'none'"
        status, _ = await server.get(f"/tables/{made['table']}/games/2/replay")
        assert status == 404


async def test_the_start_page_lists_tables_with_a_free_seat() -> None:
    async with serving() as server:
        made = await server.make("standard", TWO_PERSONS)
        link = f'href="./tables/{made["table"]}"'
        assert link in (await server.get("/"))[1]
        await server.join(made["table"])
        await server.join(made["table"])
        assert link not in (await server.get("/"))[1]


# Behind a proxy.


async def test_pages_and_sockets_of_a_server_that_has_a_path_of_its_own_stay_in_it() -> None:
    async with serving() as server:
        made, own = await server.seated("mini")
        while not over(own.state):
            await play_on(own, random.Random(7), over)
        waits = await server.make("standard", TWO_PERSONS)
        with behind_a_path(server.address) as (home, strays):
            assert await addresses(server, home) >= {home + "static/link.js", f"{home}tables/{waits['table']}"}
            for page in (f"tables/{made['table']}", "tables/none", "endgames/3"):
                found = await addresses(server, home + page)
                assert home + "static/cards.css" in found and all(one.startswith(home) for one in found)
            replay = f"{home}tables/{made['table']}/games/1/replay"
            async with server.session.get(replay) as answer:
                board = re.search('"board":"([^"]+)"', await answer.text())
                assert board and urljoin(replay, board[1]) == home
            url = f"{home}tables/{waits['table']}/socket"
            origin = {"Origin": home.removesuffix(FOLDER)}
            async with server.session.ws_connect(url, headers=origin) as socket:
                guest = Client(socket)
                await guest.say("join", token="", watch=False)
                assert (await guest.hear("welcome"))["chair"] == 0
            assert strays == []


async def addresses(server: Server, page: str) -> set[str]:
    """Lists where the links of a page lead, all of which are there."""
    async with server.session.get(page) as answer:
        text = await answer.text()
    loaded = {
        urljoin(page, name) for name in re.findall('(?:src|href)="([^"]+)"', text) if not name.startswith("data:")
    }
    for address in loaded:
        async with server.session.get(address) as answer:
            assert answer.status == 200, (page, address)
    return loaded
