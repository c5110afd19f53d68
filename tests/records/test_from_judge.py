"""The judge's records and the platform's bare logs: 42 recorded matches of the real judges, and our own."""

import gzip
import json
import re
from typing import Any

import pytest

from ddzbot.cards import hand_of_ids, hand_text
from ddzbot.game import SEATS
from tests.records.some_records import DATA
from tools.records.check import problems_of
from tools.records.files import records_of
from tools.records.from_judge import record_of_log, record_of_match
from tools.records.jsonl import record_json
from tools.records.record import GameRecord, Note, RecordError, Result
from tools.records.text import record_text
from tools.records.text_reader import parse_record
from tools.referee.games import make_referee


def transcripts() -> dict[str, dict[str, Any]]:
    with gzip.open(DATA / "botzone" / "transcripts.jsonl.gz", "rt", encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    return {transcript["name"]: transcript for transcript in found if transcript["final"]}


TRANSCRIPTS = transcripts()
EVERY = pytest.mark.parametrize("name", TRANSCRIPTS)


def bare_log(name: str) -> dict[str, Any]:
    """Gets the log as the judge was handed it last: its own last words are not in it."""
    message = TRANSCRIPTS[name]["last_judge_stdin"]
    return dict(json.loads(message) if isinstance(message, str) else message)


def whole_log(name: str) -> dict[str, Any]:
    """Gets the log with the judge's last words."""
    message = bare_log(name)
    last = {"output": TRANSCRIPTS[name]["final"], "verdict": "OK"}
    return {**message, "log": [*message["log"], last]}


def scores_by_player(record: GameRecord) -> list[float]:
    assert record.result.scores
    first = record.landlord_position or 0
    return [record.result.scores[(player - first) % SEATS] for player in range(SEATS)]


@EVERY
def test_a_log_of_the_real_judge_becomes_a_record_with_its_moves_and_scores(name: str) -> None:
    final, message = TRANSCRIPTS[name]["final"], bare_log(name)
    record = record_of_log(whole_log(name))
    assert parse_record(record_text(record)) == record
    assert records_of(record_json(record), "json") == [record]
    assert problems_of(record) == []
    if final["command"] == "finish":
        assert scores_by_player(record) == [final["content"][str(player)] for player in range(SEATS)]
    else:
        assert record.result == Result()
    # Without the last words our referee completes it.
    assert record_of_log(message) == record
    deal = message["log"][0]["output"]["display"]
    initdata = {key: deal[key] for key in ("allocation", "publiccard")}
    referee = make_referee(TRANSCRIPTS[name]["game"], initdata, "")
    referee.first()
    for answers in message["log"][1::2]:
        referee.answer(answers)
    plays = referee.game.plays if referee.game else ()
    assert [move.cards for move in record.moves] == [move.cards for move in plays]
    assert record.bids == referee.bids or len(referee.faults) == SEATS


@pytest.mark.parametrize(
    ("name", "termination", "winner"),
    [
        ("ftl1_game1", "landlord_up out", "peasants"),
        ("ftl2_game3_keeprunning_bid3_by_p1", "landlord out", "landlord"),
        ("errors/ftl1_landlord_tle_first", "fault: TLE by position 0", "peasants"),
        ("errors/ftl1_p1_re", "fault: RE by position 1", "landlord"),
        ("errors/ftl1_p2_nj", "fault: NJ by position 2", "landlord"),
        ("errors/ftl1_p1_bad_type", "fault: BAD_FORMAT by position 1", "landlord"),
        ("errors/ftl2_all_errored", "fault: all three positions", None),
    ],
)
def test_the_end_is_described_in_words(name: str, termination: str, winner: str | None) -> None:
    result = record_of_log(whole_log(name)).result
    assert (result.termination, result.winner) == (termination, winner)


def test_thirty_cards_are_the_mini_game() -> None:
    assert record_of_log(whole_log("mini30_on_ftl1_judge")).rules.name == "mini"


def test_what_an_auto_pilot_plays_is_marked_and_its_fault_is_a_tag() -> None:
    record = record_of_log(whole_log("errors/ftl2_p1_missing_then_auto"))
    seat = (1 - record.position_of(0)) % SEATS
    comments = [move.note.comment for move in record.moves[seat::SEATS]]
    assert comments[0] == "MISSING_CARD: auto-pilot"
    assert set(comments[1:]) == {"auto-pilot"}
    assert record.tags["Faults"] == "MISSING_CARD by position 1"


def test_times_and_debug_come_from_the_answers() -> None:
    message = bare_log("ftl1_game1")
    message["log"][1]["0"].update(time=1250, debug={"worlds": 3})
    message["log"][3]["1"].update(time=80, debug="n=17")
    record = record_of_log(message)
    assert record.moves[0].note == Note(seconds=1.25, debug={"worlds": 3})
    assert record.moves[1].note == Note(seconds=0.08, debug={"debug": "n=17"})


def test_a_record_of_the_local_judge_has_names_seed_game_and_sentences_about_faults() -> None:
    match = {"game": "FightTheLandlord", "bots": ["a", "b", "c"], "faults": [], **whole_log("ftl1_game1")}
    record = record_of_match(match)
    assert record.names == ("a", "b", "c")
    assert record.tags == {"Game": "FightTheLandlord", "Seed": "1739687466"}
    faults = [{"player": 1, "sentence": "player 1 said nothing in 6 s (TLE)"}]
    match = {"game": "FightTheLandlord", "bots": ["a", "b", "c"], "faults": faults, **whole_log("errors/ftl1_p1_re")}
    assert record_of_match(match).tags["Faults"] == "player 1 said nothing in 6 s (TLE)"


def test_the_deal_is_that_of_the_first_output() -> None:
    message = bare_log("ftl1_game2")
    record = record_of_log(message)
    display = message["log"][0]["output"]["display"]
    assert record.seat_hands == tuple(map(hand_of_ids, display["allocation"]))
    assert hand_text(record.bottom or 0) == hand_text(hand_of_ids(display["publiccard"]))


def test_a_match_that_has_only_been_dealt_is_a_record_without_moves() -> None:
    message = bare_log("ftl2_game1_randombids")
    record = record_of_log({"log": message["log"][:1]})
    assert (record.landlord_position, record.bids, record.moves, record.result) == (None, (), (), Result())
    assert parse_record(record_text(record)) == record


def broken(place: int, entry: Any) -> dict[str, Any]:
    log = list(whole_log("ftl1_game1")["log"])
    log[place] = entry
    return {"log": log}


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ({}, "log None has no match"),
        (broken(0, {"verdict": "RE"}), "log: entry 0: Object missing required field `output`"),
        (broken(0, {"output": {"content": {}, "display": {}}}), "the first output does not show the deal"),
        (broken(2, {"output": {"display": 3}}), "log: entry 2: Expected `object`, got `int` - at `$.output.display`"),
        (
            broken(2, {"output": {"display": {"event": {"player": 7}}}}),
            "Expected `int` <= 2 - at `$.output.display.event.player`",
        ),
        (broken(2, {"output": {"display": {"event": {"player": 0, "action": [60]}}}}), "action [60]: card id 60"),
        (broken(2, {"output": {"display": {"bid": "no"}}}), "Expected `array`, got `str` - at `$.output.display.bid`"),
        (
            broken(2, {"output": {"display": {"errored": ["TLE"]}}}),
            "Expected `array` of length 3, got 1 - at `$.output.display.errored`",
        ),
    ],
)
def test_a_broken_log_is_refused_in_one_sentence(message: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RecordError, match=re.escape(sentence)):
        record_of_log(message)


def test_bots_must_be_three() -> None:
    with pytest.raises(RecordError, match=re.escape("Expected `array` of length 3, got 1 - at `$.bots`")):
        record_of_match({**whole_log("ftl1_game1"), "bots": ["a"]})
