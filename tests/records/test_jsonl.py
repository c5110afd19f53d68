"""The JSON form: it comes back as it was, and a wrong value is named."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddzbot.rules import RULE_SETS, RuleSet
from tests.records.some_records import EXAMPLE, auctions, records
from tools.records.files import records_of, text_of
from tools.records.jsonl import record_json
from tools.records.record import RecordError
from tools.records.text_reader import parse_record

RULES = st.sampled_from(list(RULE_SETS.values()))
GAME = parse_record(EXAMPLE)


@pytest.mark.whole
@given(rules=RULES, data=st.data())
def test_any_record_comes_back_from_its_json(rules: RuleSet, data: st.DataObject) -> None:
    record = data.draw(records(rules))
    line = record_json(record)
    assert "\n" not in line
    assert records_of(line, "json") == [record]
    assert text_of(records_of(line, "json"), "json") == line + "\n"


@given(data=st.data())
def test_a_record_without_a_landlord_comes_back_from_its_json(data: st.DataObject) -> None:
    record = data.draw(auctions(RULE_SETS["icga"]))
    assert records_of(record_json(record), "json") == [record]


def test_the_json_form_has_plain_names_and_texts() -> None:
    value = json.loads(record_json(GAME))
    assert value["format"] == "ddzbot-record"
    assert value["hands"] == ["3344567889TQQKKK2", "3456678999TTJJQAB", "3455678TJJQKAAA2L"]
    assert (value["bottom"], value["bids"], value["landlord"]) == ("722", [0, 1, 3], 2)
    assert value["moves"][3] == {"cards": ""}
    noted = {"cards": "AA222", "seconds": 0.25, "value": 0.9, "debug": {"player": "rule"}}
    assert value["moves"][18] == {**noted, "comment": "nothing can beat it"}
    assert (value["winner"], value["scores"], value["termination"]) == ("landlord", [6, -3, -3], "landlord out")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"format": "pgn"}, "is not an object with the format 'ddzbot-record'"),
        ({"version": 2}, "version 2 is not 1, the only one there is"),
        ({"suits": 4}, "Object contains unknown field `suits`"),
        ({"rules": "uno"}, "rule set 'uno' is unknown"),
        ({"hands": ["3", "x", None]}, "hands[1]: cards 'x': 'x' is not a rank"),
        ({"bids": [0, True, 3]}, "Expected `int | null`, got `bool` - at `$.bids[1]`"),
        ({"moves": [{"cards": "3", "mood": 1}]}, "Object contains unknown field `mood` - at `$.moves[0]`"),
        ({"winner": "ann"}, "Invalid enum value 'ann' - at `$.winner`"),
        ({"scores": [1, 2, "3"]}, "Expected `float`, got `str` - at `$.scores[2]`"),
        ({"scores": [1, 2]}, "Expected `array` of length 3, got 2 - at `$.scores`"),
        ({"tags": {"Seed": 7}}, "tag 'Seed': 7 is not text"),
    ],
)
def test_a_wrong_value_is_named(change: dict[str, Any], sentence: str) -> None:
    text = json.dumps({**json.loads(record_json(GAME)), **change})
    with pytest.raises(RecordError) as caught:
        records_of(text, "json")
    assert sentence in str(caught.value)


def test_a_missing_key_is_named() -> None:
    value = json.loads(record_json(GAME))
    del value["bottom"]
    with pytest.raises(RecordError, match="Object missing required field `bottom`"):
        records_of(json.dumps(value), "json")
