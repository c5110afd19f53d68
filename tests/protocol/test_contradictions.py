"""Requests whose history contradicts the order of turns: the answer is legal by the last request alone."""

import json
from itertools import product
from typing import Any

import pytest

from ddzbot.cards import hand_of_ids
from ddzbot.game import to_beat
from ddzbot.protocol.budget import Budget
from ddzbot.protocol.session import Session
from ddzbot.protocol.watchdog import Settings
from ddzbot.rules import BOTZONE, BOTZONE2, MINI, PASS, RuleSet, explain, read_move
from ddzbot.search.deadline import Clock

OTHERS = [[], [40], [32, 33]]
"""What the others played: nothing, a K, a pair of J."""
BOTTOM = [4, 5, 6]
OWN = [44, 45, 48, 52, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29, 30]
"""Beats what the others played, and has no bomb."""
FEW = [44, 45, 48, 52, 24, 28, 29, 30, 36]
MINI_BOTTOM = [25, 26, 27]


def answer(line: dict[str, Any], player: str) -> dict[str, Any]:
    session = Session(Settings(player, 0, 40, Budget(60.0, 60.0)))
    answered: dict[str, Any] = json.loads(session.answer(json.dumps(line), Clock.starting_now()))
    return answered


def is_legal(rules: RuleSet, own: list[int], request: dict[str, Any], response: list[int]) -> bool:
    """Checks an answer against the hand and the two entries of one request."""
    plays = [read_move(rules, hand_of_ids(ids)) if ids else PASS for ids in request["history"]]
    held = set(response) <= set(own)
    return held and explain(rules, hand_of_ids(own), hand_of_ids(response), to_beat(plays)) is None


def player_failed(answered: dict[str, Any]) -> bool:
    return any(name.startswith("failed_") for name in answered["debug"])


@pytest.mark.parametrize("player", ["champion", "mcm", "rule"])
@pytest.mark.parametrize(("landlord", "pos"), list(product(range(3), range(3))))
def test_every_first_request_after_an_auction_is_answered_legally(landlord: int, pos: int, player: str) -> None:
    for history in product(OTHERS, OTHERS):
        place = {"landlord": landlord, "pos": pos, "finalbid": 2}
        request = {"history": list(history), "publiccard": BOTTOM, "own": OWN, **place}
        answered = answer({"requests": [request], "responses": []}, player)
        own = [*OWN, *BOTTOM] if landlord == pos else OWN
        assert is_legal(BOTZONE2, own, request, answered["response"]), (history, answered)
        assert not player_failed(answered), answered
        # A move before the landlord's first is impossible, and so is a landlord that passes first.
        first = (pos - landlord) % 3
        early, landlords = history[: 2 - first], history[2 - first :][:1]
        assert ("error" in answered["debug"]) == (any(early) or landlords == ([],)), (history, answered)


@pytest.mark.parametrize("player", ["champion", "rule"])
@pytest.mark.parametrize(
    ("rules", "own", "bottom"),
    [
        (BOTZONE, OWN, BOTTOM),
        (BOTZONE, [*OWN, *BOTTOM], BOTTOM),
        (MINI, FEW, MINI_BOTTOM),
        (MINI, [*FEW, *MINI_BOTTOM], MINI_BOTTOM),
    ],
    ids=["botzone", "botzone landlord", "mini", "mini landlord"],
)
def test_every_first_request_without_an_auction_is_answered_legally(
    rules: RuleSet, own: list[int], bottom: list[int], player: str
) -> None:
    for history in product(OTHERS, OTHERS):
        request = {"history": list(history), "publiccard": bottom, "own": own}
        answered = answer({"requests": [request], "responses": []}, player)
        assert is_legal(rules, own, request, answered["response"]), (history, answered)
        assert not player_failed(answered), answered


@pytest.mark.parametrize("player", ["champion", "rule"])
@pytest.mark.parametrize("first", [[[], [40]], [[40], []]], ids=["landlord_down", "landlord_up"])
def test_every_second_request_is_answered_legally(first: list[list[int]], player: str) -> None:
    """Also where a third pass in a row should have been a lead, and where a seat plays what it cannot have."""
    dealt = {"history": first, "publiccard": BOTTOM, "own": OWN}
    for response, history in product(([], [44]), product([*OTHERS, [53], [44]], repeat=2)):
        request = {"history": list(history)}
        answered = answer({"requests": [dealt, request], "responses": [response]}, player)
        left = [card for card in OWN if card not in response]
        assert is_legal(BOTZONE, left, request, answered["response"]), (response, history, answered)
        assert not player_failed(answered), answered


def test_a_game_with_a_winner_is_over_and_gets_a_legal_answer() -> None:
    dealt = {"history": [[], [*range(34, 44)]], "publiccard": BOTTOM, "own": OWN}
    won = {"history": [[], [0, 1, 2, 4, 5, 6, 7, 46, 49, 50]]}
    answered = answer({"requests": [dealt, won], "responses": [[]]}, "champion")
    assert answered["response"] == [] and "game is over" in answered["debug"]["error"]
