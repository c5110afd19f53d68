"""The referee of FightTheLandlord: each rule about requests, answers and faults."""

from typing import Any

import pytest

from tests.judge.tables import SORTED, ftl1, ok, say
from tools.judge.process_answer import VERDICTS
from tools.referee.games import make_referee
from tools.referee.referee import RefereeError

LANDLORD_AT_FAULT = {"0": -1, "1": 2.5, "2": 2.5}
PEASANT_AT_FAULT = {"0": 2.5, "1": -1, "2": -1}
HANDS = SORTED["allocation"]


def test_ids_come_back_sorted() -> None:
    output = say(ftl1(), [7, 4, 5, 6])
    assert output.content["1"]["history"] == [[], [4, 5, 6, 7]]
    assert output.display == {"event": {"player": 0, "action": [4, 5, 6, 7]}}


def test_two_passes_free_the_lead() -> None:
    assert say(ftl1(), [16], [20], [], [], [24, 25]).command == "request"


def test_true_counts_as_card_1() -> None:
    output = say(ftl1(), [True])
    assert output.content["1"]["history"][1][0] is True
    assert say(ftl1(), [True], [], [], [1]).display["errorInfo"] == "REPEATED_CARD"


def test_a_plane_whose_ranks_follow_7_is_accepted() -> None:
    deal = [card for card in range(54) if card not in range(16, 24)]
    hands = [[*range(16, 24), *deal[:12]], deal[12:29], deal[29:]]
    referee = make_referee("FightTheLandlord", {"allocation": hands}, "unused")
    assert say(referee, [16, 17, 18, 20, 21, 22]).command == "request"


@pytest.mark.parametrize(
    ("response", "code"),
    [
        ([], "INVALID_PASS"),
        ("", "INVALID_PASS"),
        ({}, "INVALID_PASS"),
        ([20], "MISSING_CARD"),
        ([54], "MISSING_CARD"),
        (["0"], "MISSING_CARD"),
        ([[0]], "MISSING_CARD"),
        ([0.5], "MISSING_CARD"),
        ("0", "MISSING_CARD"),
        ([0, 0], "REPEATED_CARD"),
        ([0.0], "BAD_FORMAT"),
        ([0, 4], "BAD_FORMAT"),
        (None, "BAD_FORMAT"),
        (True, "BAD_FORMAT"),
    ],
    ids=repr,
)
def test_a_bad_first_move_loses_for_the_landlord(response: Any, code: str) -> None:
    output = say(ftl1(), response)
    assert (output.command, output.display["errorInfo"]) == ("finish", code)
    assert output.content == LANDLORD_AT_FAULT


@pytest.mark.parametrize(
    ("moves", "code"),
    [
        ([[0], [53]], "MISSING_CARD"),
        ([[0], [20, 24]], "BAD_FORMAT"),
        ([[0], {}], "BAD_FORMAT"),
        ([[0], ""], "BAD_FORMAT"),
        ([[0], None], "BAD_FORMAT"),
        ([[0], [20, 21]], "MISMATCH_CARDTYPE"),
        ([[0, 1, 4, 5, 8, 9], [20, 21, 24, 25, 28, 29, 32, 33]], "MISMATCH_CARDLENGTH"),
        ([[0], [36], [37]], "LESS_COMPARE"),
        ([[0, 1, 2, 3], [20]], "LESS_COMPARE"),
        ([[0, 1, 2, 3], [20, 21, 22, 23], [52, 53], [4, 5, 6, 7]], "LESS_COMPARE"),
        ([[0], [20], [37], [], [20]], "REPEATED_CARD"),
        ([[0], [20], [], [], []], "INVALID_PASS"),
    ],
    ids=repr,
)
def test_a_bad_move_ends_the_game_for_the_whole_side(moves: list[Any], code: str) -> None:
    referee = ftl1()
    *good, bad = moves
    output = say(referee, *good)
    (player,) = output.content
    output = referee.answer({player: ok(bad)})
    assert (output.command, output.display["errorInfo"]) == ("finish", code)
    assert output.content == (PEASANT_AT_FAULT if player in "12" else LANDLORD_AT_FAULT)
    assert [(str(fault.player), fault.code) for fault in referee.faults] == [(player, code)]


@pytest.mark.parametrize("verdict", VERDICTS[1:])
@pytest.mark.parametrize("moves", [[], [[5]], [[5], []], [[5], [], []]], ids=len)
def test_a_failed_turn_ends_the_game(verdict: str, moves: list[Any]) -> None:
    referee = ftl1()
    (player,) = say(referee, *moves).content
    output = referee.answer({player: {"verdict": verdict}})
    assert (output.command, output.display["errorInfo"]) == ("finish", f"INVALID_INPUT_VERDICT_{verdict}")
    assert output.content == (PEASANT_AT_FAULT if player in "12" else LANDLORD_AT_FAULT)


def test_after_a_failed_turn_the_display_has_the_move_before_as_its_bot_gave_it() -> None:
    referee = ftl1()
    say(referee, [3, 1, 0, 2])
    output = referee.answer({"1": {"verdict": "RE"}})
    assert output.display["event"] == {"player": 1, "action": [3, 1, 0, 2]}


def test_a_refused_move_is_displayed() -> None:
    assert say(ftl1(), [0], [24, 20]).display["event"] == {"player": 1, "action": [20, 24]}
    assert say(ftl1(), [0], [53, 20]).display["event"] == {"player": 1, "action": [53, 20]}


def test_before_the_first_move_the_display_names_no_player() -> None:
    referee = ftl1()
    referee.first()
    output = referee.answer({"0": {"verdict": "TLE"}})
    assert output.display["event"] == {"player": -1, "action": []}


def test_a_missing_answer_is_a_fault() -> None:
    referee = ftl1()
    say(referee, [0])
    assert referee.answer({}).display["errorInfo"] == "BAD_FORMAT"


def test_no_answer_is_taken_after_the_end() -> None:
    referee = ftl1()
    say(referee, [])
    with pytest.raises(RefereeError, match="the game is over"):
        referee.answer({"1": ok([])})


@pytest.mark.parametrize("initdata", ["12345", "null", None, 5, True, "the seed", ["seed"]], ids=repr)
def test_unreadable_initdata_is_the_landlords_fault(initdata: Any) -> None:
    referee = make_referee("FightTheLandlord", initdata, "unused")
    output = referee.first()
    assert (output.command, output.content) == ("finish", LANDLORD_AT_FAULT)
    assert output.display["errorInfo"] == "BAD_FORMAT"


def test_the_sentence_of_a_fault_says_why() -> None:
    referee = ftl1()
    say(referee, [0], [20, 24])
    assert referee.faults[0].sentence == "89: these cards are not a move (rules botzone)"
