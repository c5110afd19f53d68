"""Rows of research logs, and the 40 games of the thesis in tests/data/records."""

import gzip
import json
import re
from typing import Any

import pytest

from ddzbot.cards import hand_text, parse_hand
from ddzbot.rules import RULE_SETS
from tests.records.some_records import DATA
from tools.records.check import problems_of, under_rules
from tools.records.files import records_of
from tools.records.from_rows import SEAT_KEYS, record_of_row
from tools.records.jsonl import record_json
from tools.records.record import RecordError, Result
from tools.records.text import record_text
from tools.records.text_reader import parse_record

with gzip.open(DATA / "records" / "thesis_games.jsonl.gz", "rt", encoding="utf-8") as lines:
    ROWS: list[dict[str, Any]] = [json.loads(line) for line in lines]

ROW: dict[str, Any] = {
    "source": "log/1.txt",
    "segment": 2,
    "agents": {"landlord": "CQL", "peasant_next": "MCM", "peasant_prev": None},
    "hands": {"landlord": "33344456789TJQKAAA22", "peasant_next": "56789TJQK35678922", "peasant_prev": None},
    "bottom": "345",
    "moves": ["333444AA", "pass", "", "A"],
    "winner": None,
    "decisions": [{"ply": 3, "candidates": {"A": {"value": 0.5}, "2": {"value": 0.25}}, "played": "A", "seconds": 3}],
}


def test_there_are_forty_games_of_the_thesis() -> None:
    assert len(ROWS) == 40
    assert sum(all(row["hands"].values()) for row in ROWS) == 32
    assert sum(row["bottom"] is None for row in ROWS) == sum(record_of_row(row).bottom is None for row in ROWS) > 10


def test_a_game_of_the_thesis_is_that_of_its_row_and_comes_back_from_every_form() -> None:
    for number, row in enumerate(ROWS):
        record = record_of_row(row)
        assert parse_record(record_text(record)) == record, number
        assert records_of(record_json(record), "json") == [record], number
        assert [hand_text(move.cards) for move in record.moves] == row["moves"], number
        assert record.result.winner == row["winner"], number
        assert list(record.names) == [row["agents"][seat] for seat in SEAT_KEYS], number


@pytest.mark.parametrize("rules", ["standard", "botzone", "botzone2", "icga"])
def test_a_whole_game_of_the_thesis_is_legal_under_every_rule_set_of_54_cards(rules: str) -> None:
    for number, row in enumerate(ROWS[:34]):
        assert problems_of(under_rules(record_of_row(row), RULE_SETS[rules])) == [], number


def test_what_a_program_held_at_a_decision_is_what_the_replay_says() -> None:
    for number, row in enumerate(ROWS[:38]):
        record = record_of_row(row)
        plies = list(record.plies())
        checked = 0
        for decision in row["decisions"]:
            ply = plies[decision["ply"]]
            if ply.seat not in record.unknown_seats:
                assert hand_text(ply.before.hands[ply.seat]) == decision["hand"], number
                checked += 1
        assert checked, number


@pytest.mark.parametrize(
    ("number", "problem"),
    [
        (34, "round 1, landlord_down: 33445566: the answer to 8899TT must have 6 cards"),
        (35, "round 1, landlord_up: 99TTJJQQ: the answer to 334455 must have 6 cards"),
        (36, "round 2, landlord: JJQQKKAA: the answer to TTJJQQ must have 6 cards"),
        (37, "round 1, landlord_down: JJQQKKAA: the answer to 445566 must have 6 cards"),
        (38, "round 5, landlord_down: pass: the game is over"),
        (39, "round 1, landlord: a lead cannot be a pass"),
    ],
)
def test_an_illegal_game_of_the_thesis_says_which_move_and_why(number: int, problem: str) -> None:
    assert problems_of(record_of_row(ROWS[number]))[0] == problem


def test_a_row_gives_its_fields_to_the_record_and_a_decision_to_the_note_of_its_move() -> None:
    record = record_of_row(ROW)
    assert record.names == ("CQL", "MCM", "")
    assert record.tags == {"Source": "log/1.txt", "Segment": "2"}
    assert record.hands == (parse_hand("33446789TJQKAAA22"), parse_hand("35566778899TJQK22"), None)
    assert [hand_text(move.cards) for move in record.moves] == ["333444AA", "", "", "A"]
    assert record.result == Result()
    note = record_of_row(ROW).moves[3].note
    assert (note.seconds, note.value) == (3.0, 0.5)
    assert note.debug == {"candidates": ROW["decisions"][0]["candidates"]}


def test_a_winner_without_a_seat_that_is_out_is_refused() -> None:
    result = record_of_row({**ROW, "winner": "peasants", "winner_seat": "peasant_prev"}).result
    assert result == Result("peasants", None, "landlord_up out")
    with pytest.raises(RecordError, match="the winner is peasants, but there is no winner_seat"):
        record_of_row({**ROW, "winner": "peasants"})


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"agents": {"landlord": "x"}}, "Object missing required field `peasant_next` - at `$.agents`"),
        ({"bottom": "LB2"}, "the landlord's hand '33344456789TJQKAAA22' does not have the bottom"),
        ({"moves": ["3", "?4"]}, "moves[1]: cards '?4': '?' is not a rank"),
        ({"decisions": [{"ply": 9}]}, "the decision at ply 9 is about no move"),
        (
            {"decisions": [{"ply": 0, "seconds": "x"}]},
            "Expected `float | null`, got `str` - at `$.decisions[0].seconds`",
        ),
    ],
)
def test_a_wrong_row_is_refused_in_one_sentence(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RecordError, match=re.escape(sentence)):
        record_of_row({**ROW, **change})
