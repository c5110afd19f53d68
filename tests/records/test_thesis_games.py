"""The 40 games of the thesis in tests/data/records."""

import pytest

from ddzbot.cards import hand_text
from ddzbot.rules import RULE_SETS
from tests.records.some_records import DATA
from tools.records.check import problems_of, under_rules
from tools.records.files import read_records, records_of
from tools.records.jsonl import record_json
from tools.records.text import record_text
from tools.records.text_reader import parse_record

GAMES = read_records(DATA / "records" / "thesis_games.jsonl.gz")


def test_a_game_of_the_thesis_comes_back_from_every_form() -> None:
    assert len(GAMES) == 40
    for number, record in enumerate(GAMES):
        assert parse_record(record_text(record)) == record, number
        assert records_of(record_json(record), "json") == [record], number


@pytest.mark.parametrize("rules", ["standard", "botzone", "botzone2", "icga"])
def test_a_whole_game_of_the_thesis_is_legal_under_every_rule_set_of_54_cards(rules: str) -> None:
    for number, record in enumerate(GAMES[:34]):
        assert problems_of(under_rules(record, RULE_SETS[rules])) == [], number


def test_what_a_program_held_at_a_decision_is_what_the_replay_says() -> None:
    for number, record in enumerate(GAMES[:38]):
        plies = [ply for ply in record.plies() if ply.seat not in record.unknown_seats]
        debugs = {ply.number: record.moves[ply.number].note.debug for ply in plies}
        said = {ply.number: debugs[ply.number]["hand"] for ply in plies if debugs[ply.number]}
        held = {ply.number: hand_text(ply.before.hands[ply.seat]) for ply in plies if ply.number in said}
        assert held == said != {}, number


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
    assert problems_of(GAMES[number])[0] == problem
