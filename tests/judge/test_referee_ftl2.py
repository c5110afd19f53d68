"""The referee of FightTheLandlord2: the auction, the play, and the auto-pilot after a fault."""

import json
from typing import Any

import pytest

from tests.judge.recorded import transcripts
from tests.judge.tables import SORTED2, auto_pilot, ftl2, go_on, ok, say
from tools.judge.process_answer import VERDICTS
from tools.referee.games import make_referee
from tools.referee.referee import Referee, RefereeError

HANDS = SORTED2["allocation"]
BOTTOM = SORTED2["publiccard"]


def errored(referee: Referee, *responses: Any) -> list[str | None]:
    codes: list[str | None] = say(referee, *responses).display["errored"]
    return codes


# The auction.


def test_a_bid_of_3_ends_the_auction_the_highest_wins_it_and_player_0_where_there_is_none() -> None:
    assert say(ftl2(), 1, 3).display == {"landlord": 1, "bid": [1, 3], "errored": [None, None, None]}
    assert say(ftl2(), 1, 2, 0).display["landlord"] == 1
    request = say(ftl2(), 0, 0, 0).content["0"]
    assert (request["landlord"], request["finalbid"]) == (0, 1)


@pytest.mark.parametrize(
    ("response", "bid"), [("1", 1), (" 2 ", 2), (2.9, 2), (True, 1), (False, 0), (-0.5, 0)], ids=repr
)
def test_a_bid_is_whatever_int_takes(response: Any, bid: int) -> None:
    referee = ftl2()
    assert say(referee, response).content["1"]["bid"] == [bid]
    assert referee.faults == []


@pytest.mark.parametrize("response", [None, {}, {"bid": 3}, "", "x", "1.5", [1], 4, -1, 1e300, float("inf")], ids=repr)
def test_what_is_no_bid_counts_as_0_and_is_a_fault(response: Any) -> None:
    referee = ftl2()
    assert say(referee, response).content["1"]["bid"] == [0]
    assert [(fault.player, fault.code) for fault in referee.faults] == [(0, "INVALID_BID")]


@pytest.mark.parametrize("second", [1, 2])
def test_a_bid_must_exceed_the_earlier_ones(second: int) -> None:
    assert errored(ftl2(), 2, second, 0) == [None, "INVALID_BID", None]


@pytest.mark.parametrize("verdict", VERDICTS[1:])
def test_a_failed_bid_counts_as_0_and_is_a_fault(verdict: str) -> None:
    referee = ftl2()
    referee.first()
    output = referee.answer({"0": {"verdict": verdict}})
    assert output.content["1"]["bid"] == [0]
    assert referee.faults[0].code == "INVALID_BID"


def test_three_bad_bids_end_the_match() -> None:
    output = say(ftl2(), None, None, None)
    assert (output.command, output.content) == ("finish", {"0": -1, "1": -1, "2": -1})
    assert output.display["errored"] == ["INVALID_BID"] * 3


def test_a_missing_bid_is_refused_as_the_platform_crashes_on_it() -> None:
    referee = ftl2()
    referee.first()
    with pytest.raises(RefereeError, match="the bid of player 0 is missing"):
        referee.answer({})


# The play.


def test_the_landlord_alone_may_play_the_bottom() -> None:
    assert errored(ftl2(), 3, [53, 52]) == [None, None, None]
    assert errored(ftl2(), 3, [0], [53]) == [None, "MISSING_CARD", None]


@pytest.mark.parametrize(
    ("response", "code"),
    [
        ([], "INVALID_PASS"),
        ([0, 4], "INVALID_CARDTYPE"),
        ([0, 0], "REPEATED_CARD"),
        ([20], "MISSING_CARD"),
        ([[0]], "MISSING_CARD"),
        ([0.5], "MISSING_CARD"),
        ("0", "INVALID_INPUT_VERDICT_OK"),
        (None, "INVALID_INPUT_VERDICT_OK"),
        ({}, "INVALID_INPUT_VERDICT_OK"),
        (5, "INVALID_INPUT_VERDICT_OK"),
    ],
    ids=repr,
)
def test_after_a_bad_lead_the_lowest_card_is_played(response: Any, code: str) -> None:
    output = say(ftl2(), 3, response)
    assert output.display["errored"] == [code, None, None]
    assert output.display["event"] == {"player": 0, "action": [0]}
    assert "1" in output.content


def test_a_float_that_equals_a_card_is_a_fault_where_the_platform_crashes() -> None:
    assert errored(ftl2(), 3, [0.0]) == ["BAD_FORMAT", None, None]
    referee = ftl2()
    output = say(referee, 3, [12.0])
    assert (referee.faults[0].code, referee.faults[0].sentence) == ("BAD_FORMAT", "card 12.0 is not an integer")
    assert (output.command, output.display["event"]) == ("request", {"player": 0, "action": [0]})
    # The word is that of FightTheLandlord's judge, which was recorded with such an answer.
    recorded = transcripts()["errors/ftl1_landlord_float"]
    assert json.loads(recorded.printed[-1])["display"]["errorInfo"] == "BAD_FORMAT"


@pytest.mark.parametrize(
    ("moves", "code"),
    [
        ([[0], [53]], "MISSING_CARD"),
        ([[0], [20, 24]], "INVALID_CARDTYPE"),
        ([[0], [20, 21]], "MISMATCH_CARDTYPE"),
        ([[0, 1, 4, 5, 8, 9], [20, 21, 24, 25, 28, 29, 32, 33]], "MISMATCH_CARDLENGTH"),
        ([[0, 1, 2, 3], [20]], "LESS_COMPARE"),
    ],
    ids=repr,
)
def test_a_bad_answer_counts_as_a_pass(moves: list[Any], code: str) -> None:
    output = say(ftl2(), 3, *moves)
    assert output.display["errored"] == [None, code, None]
    assert output.display["event"] == {"player": 1, "action": []}
    assert output.command == "request"


@pytest.mark.parametrize("verdict", VERDICTS[1:])
@pytest.mark.parametrize(("said", "player", "action"), [([3], 0, [0]), ([3, [0]], 1, [])], ids=["lead", "follow"])
def test_a_failed_turn_is_a_pass_on_a_follow_and_the_lowest_card_on_a_lead(
    said: list[Any], player: int, action: list[int], verdict: str
) -> None:
    referee = ftl2()
    say(referee, *said)
    output = referee.answer({str(player): {"verdict": verdict}})
    assert output.display["errored"][player] == f"INVALID_INPUT_VERDICT_{verdict}"
    assert output.display["event"] == {"player": player, "action": action}


def test_after_a_fault_the_player_is_asked_no_more() -> None:
    referee = ftl2()
    output = say(referee, 3, [0], None, [], [1])
    assert (output.command, output.content) == ("request", {})
    output = referee.answer({})
    assert output.display["event"] == {"player": 1, "action": []}
    assert list(output.content) == ["2"]


def test_a_bidder_at_fault_who_becomes_the_landlord_leads_the_lowest_card() -> None:
    referee = ftl2()
    output = say(referee, "x", 0, 0)
    assert output.content == {}
    assert referee.answer({}).display["event"] == {"player": 0, "action": [0]}


def test_the_auto_pilot_counts_the_bottom_as_its_own() -> None:
    hands = [list(range(3, 20)), list(range(20, 37)), list(range(37, 54))]
    referee = make_referee("FightTheLandlord2", {"allocation": hands, "publiccard": [2, 0, 1]}, "unused")
    assert say(referee, 3, []).display["event"]["action"] == [0]


def test_the_first_fault_of_a_player_is_the_one_that_is_kept() -> None:
    referee = ftl2()
    output = auto_pilot(referee, say(referee, None, 0, 0))
    output = auto_pilot(referee, go_on(referee, output, [], []))
    assert output.display["errored"] == ["INVALID_BID", None, None]


def test_three_faults_end_the_match_with_a_point_lost_by_each() -> None:
    output = say(ftl2(), 3, None, None, None)
    assert (output.command, output.content) == ("finish", {"0": -1, "1": -1, "2": -1})


def test_a_game_with_auto_pilots_is_scored_as_usual() -> None:
    referee = ftl2()
    output = say(referee, 0, 0, 3, [34], None, None)
    for card in [*range(35, 51), *BOTTOM]:
        output = auto_pilot(referee, go_on(referee, output, [card]))
    assert (output.command, output.content) == ("finish", {"0": -6, "1": -6, "2": 12})


def test_bombs_of_both_sides_double() -> None:
    referee = ftl2()
    output = say(referee, 3, [0], [20, 21, 22, 23], [40, 41, 42, 43], [], [])
    for card in [*range(34, 40), *range(44, 50)]:
        output = go_on(referee, output, [card], [], [])
    output = go_on(referee, output, [50])
    assert (output.command, output.content) == ("finish", {"0": -48, "1": 24, "2": 24})


def test_no_answer_is_taken_after_the_end() -> None:
    referee = ftl2()
    say(referee, None, None, None)
    with pytest.raises(RefereeError, match="the game is over"):
        referee.answer({"0": ok([])})
