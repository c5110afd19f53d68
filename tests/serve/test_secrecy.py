"""
What goes over the wire to each connection, byte by byte: nothing but what its position may know.

What a connection may be told is derived here once more, from the record of the finished game and the rules of the
game alone, and every message that came before the end must be exactly that.
"""

import asyncio
import json
import random
import re
from typing import Any

import pytest

from ddzbot.cards import hand_text, parse_hand
from ddzbot.game import SEATS
from ddzbot.rules import KIND_NAMES, RULE_SETS, STANDARD, explain, read_move
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View
from tests.serve.house import ROOT_SEED, Client, Server, over, play_on, serving
from tools.records.record import GameRecord
from tools.records.text_reader import parse_record
from tools.tables.serve.questions import HintQuestion

PLACES = ("person", "rule", "person")


def heard_bids(record: GameRecord, bids: list[int], in_auction: bool, position: int | None) -> dict[str, int]:
    """All players see open bids; a hidden bid is seen by a later bidder, once it is that one's turn."""
    heard = bids
    if not record.rules.open_bids:
        asked = position is not None and (position <= len(bids) if in_auction else position < len(bids))
        heard = bids[: (position or 0) + 1] if asked else []
    return {str(at): bid for at, bid in enumerate(heard)}


def expected(record: GameRecord, at: int, position: int | None) -> dict[str, Any]:
    """Derives what *position*, or a watcher, may be told after *at* events of an unfinished game."""
    rules, bids = record.rules, [bid or 0 for bid in record.bids]
    landlord = record.landlord_position
    assert landlord is not None
    in_auction = rules.bidding and at < len(bids) + 1
    made = bids[:at] if in_auction else bids
    moves = [] if in_auction else [move.cards for move in record.moves[: at - len(bids) - 1]]
    hands = [hand or 0 for hand in record.hands]
    left = [rules.dealt] * SEATS
    if not in_auction:
        hands[landlord] += record.bottom or 0
        left[landlord] += rules.bottom_size
    kinds = []
    for number, cards in enumerate(moves):
        hands[(landlord + number) % SEATS] -= cards
        left[(landlord + number) % SEATS] -= len(hand_text(cards))
        kinds.append(KIND_NAMES[read_move(rules, cards).kind] if cards else "pass")
    to_move = len(made) if in_auction else (landlord + len(moves)) % SEATS
    mine = position is not None and to_move == position
    return {
        "at": at,
        "rules": rules.name,
        "has_auction": rules.bidding,
        "you": position,
        "phase": "bidding" if in_auction else "playing",
        "to_move": to_move,
        "bids": heard_bids(record, made, in_auction, position),
        "landlord": None if in_auction else landlord,
        "stake": None if in_auction else max(bids, default=0) or 1,
        "bottom": None if in_auction else hand_text(record.bottom or 0),
        "bottom_size": rules.bottom_size,
        "left": left,
        "plays": [[hand_text(cards), kind] for cards, kind in zip(moves, kinds, strict=True)],
        "fallbacks": {"bids": {}, "plays": {}},
        "hand": None if position is None else hand_text(hands[position]),
        "legal_bids": [0, *range(max(made, default=0) + 1, 4)] if mine and in_auction else None,
        "can_pass": mine and not in_auction and any(moves[-2:]),
        "can_take_back": False,
        "open": None,
        "result": None,
    }


ABOUT_THE_ROOM = {"type", "game", "waiting", "places", "kept", "bots"}


def check_states(client: Client, record: GameRecord, position: int | None, game: int = 1) -> int:
    """Compares every state of a game before its end with what may be told; returns how many there were."""
    messages = [json.loads(text) for text in client.heard]
    states = [one for one in messages if one["type"] == "state" and one["game"] == game and not over(one)]
    for state in states:
        told = {name: value for name, value in state.items() if name not in ABOUT_THE_ROOM}
        assert told == expected(record, state["at"], position)
        assert type(state["waiting"]) is bool and state["kept"] is state["bots"] is None
        assert tuple(place["who"] for place in state["places"]) == record.names
        assert [place["chair"] for place in state["places"]] == [(place + game - 1) % SEATS for place in range(SEATS)]
        for place in state["places"]:
            assert set(place) == {"chair", "who", "here", "pages", "free", "points"}
            types = [type(place[name]) for name in ("here", "pages", "free", "points")]
            assert types == [bool, int, bool, float]
    return len(states)


def before_the_end(client: Client) -> list[str]:
    return [text for text in client.heard if not over({"phase": None, **json.loads(text)})]


async def pages_before_the_end(server: Server, table: str) -> list[str]:
    """Gets every HTTP answer that a table has while the game runs."""
    texts = []
    for path in ["/", f"/tables/{table}"]:
        status, text = await server.get(path)
        assert status == 200
        texts.append(text)
    for number in (0, 1, 2):
        for file in ("replay", "record.ddzn"):
            status, text = await server.get(f"/tables/{table}/games/{number}/{file}")
            assert status == 404
            texts.append(text)
    return texts


@pytest.mark.parametrize("rules", RULE_SETS)
async def test_every_connection_is_told_what_its_position_may_know_and_nothing_else(rules: str) -> None:
    async with serving() as server:
        made = await server.make(rules, PLACES)
        table, tokens = made["table"], [seat["token"] for seat in made["seats"]]
        first = await server.join(table, tokens[0])
        watcher = await server.join(table, watch=True)
        third = await server.join(table, tokens[1])
        clients = {0: first, 2: third, None: watcher}
        pages = await pages_before_the_end(server, table)
        dice = random.Random(f"secrecy/{rules}")
        await asyncio.gather(play_on(first, dice, over), play_on(third, dice, over), watcher.hear("state", over))
        status, text = await server.get(f"/tables/{table}/games/1/record.ddzn")
        assert status == 200
        record = parse_record(text)
        assert record.names == PLACES
        for position, client in clients.items():
            assert check_states(client, record, position) > len(record.moves) // 2
            kinds = {json.loads(message)["type"] for message in client.heard}
            assert kinds == {"welcome", "state"}
        check_raw_texts(clients, tokens, record, pages)


def check_raw_texts(clients: dict[int | None, Client], tokens: list[str], record: GameRecord, pages: list[str]) -> None:
    """Looks for tokens of others and for seeds, in every byte that came before the end."""
    (seed,) = re.findall(r"\d{6,}", record.tags["Deal"].split("/")[1])
    own = {position: client.welcome["token"] for position, client in clients.items()}
    assert own[None] == "" and len({*tokens, *own.values()}) == 5
    for position, client in clients.items():
        assert json.loads(client.heard[0]) == {"type": "welcome", "token": own[position], "chair": position}
        for text in [*before_the_end(client), *pages]:
            assert ROOT_SEED not in text and seed not in text
            others = {*tokens, own[0], own[2]} - {own[position]}
            assert not any(token in text for token in others)
    for page in pages:
        assert not any(token in page for token in own.values() if token)


async def test_the_next_game_is_as_secret_and_everybody_moves_on_by_one_position() -> None:
    async with serving() as server:
        made = await server.make("botzone2", PLACES)
        table, tokens = made["table"], [seat["token"] for seat in made["seats"]]
        clients = {0: await server.join(table, tokens[0]), 2: await server.join(table, tokens[1])}
        clients[None] = await server.join(table, watch=True)  # type: ignore[index]
        dice = random.Random("again")
        for game in (1, 2, 3):
            if game > 1:
                await clients[0].say("again", game=game - 1)
                for client in clients.values():
                    await client.hear("state", lambda state, game=game: state["game"] == game)
            await asyncio.gather(*(play_on(client, dice, over) for client in clients.values()))
            record = parse_record((await server.get(f"/tables/{table}/games/{game}/record.ddzn"))[1])
            for chair, client in clients.items():
                position = None if chair is None else (chair - game + 1) % SEATS
                assert check_states(client, record, position, game) > len(record.moves) // 2


@pytest.mark.parametrize("rules", ["botzone2", "standard"])
async def test_at_the_end_all_hands_are_open_to_everybody(rules: str) -> None:
    async with serving() as server:
        made = await server.make(rules)
        person = await server.join(made["table"], made["seats"][0]["token"])
        watcher = await server.join(made["table"], watch=True)
        await play_on(person, random.Random("end"), over)
        await watcher.hear("state", over)
        _, text = await server.get(f"/tables/{made['table']}/games/1/record.ddzn")
        record = parse_record(text)
        for client in (person, watcher):
            result = client.state["result"]
            assert result["dealt"] == [hand_text(hand or 0) for hand in record.hands]
            rest = record.game().hands
            assert result["hands"] == [
                hand_text(rest[(position - record.position_of(0)) % SEATS]) for position in range(SEATS)
            ]
            assert result["winner"] == record.result.winner
            assert client.state["bids"] == {str(at): bid for at, bid in enumerate(record.bids)}


async def test_a_hint_is_the_analysis_of_the_own_view_and_goes_to_nobody_else() -> None:
    async with serving() as server:
        made, person = await server.seated("botzone2")
        other = await server.join(made["table"], made["seats"][0]["token"])
        watcher = await server.join(made["table"], watch=True)
        await person.say("hint", at=0)
        bid_hint = await person.hear("hint")
        await person.say("bid", at=0, bid=3)
        await person.hear("state", lambda state: state["phase"] == "playing")
        await person.say("hint", at=person.state["at"])
        hint = await person.hear("hint")
        hand = person.state["hand"]
        await play_on(person, random.Random("hint"), over)
        for client in (other, watcher):
            await client.hear("state", over)
            assert {json.loads(text)["type"] for text in client.heard} <= {"welcome", "state"}
        record = parse_record((await server.get(f"/tables/{made['table']}/games/1/record.ddzn"))[1])
        bidder = BidView(record.rules, record.hands[0] or 0, ())
        leader = record.view(0, 0)
        assert hand_text(leader.hand) == hand
        for told, view in ((bid_hint, bidder), (hint, leader)):
            assert without_seconds(told["analysis"]) == without_seconds(analysis(view))


def analysis(view: View | BidView) -> dict[str, Any]:
    return dict(json.loads(json.dumps(HintQuestion(view, Limit(playouts=200)).answer())))


def without_seconds(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if name != "seconds"}


async def test_a_refused_move_tells_the_own_hand_and_only_its_owner() -> None:
    async with serving() as server:
        made, person = await server.seated("standard")
        watcher = await server.join(made["table"], watch=True)
        await person.say("play", at=person.state["at"], cards="333344445555")
        sentence = await person.refusal()
        await play_on(person, random.Random("refused"), over)
        record = parse_record((await server.get(f"/tables/{made['table']}/games/1/record.ddzn"))[1])
        assert sentence == str(explain(STANDARD, record.view(0, 0).hand, parse_hand("333344445555")))
        await watcher.hear("state", over)
        assert all(sentence not in text for text in watcher.heard)
