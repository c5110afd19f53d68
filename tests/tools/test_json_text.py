"""Writing JSON: orjson and the twin of the standard library take the same values and write the same bytes."""

import datetime
import json
import math
import uuid
from typing import Any

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.tools.json_values import (
    ANYTHING,
    FINITE,
    PLAIN,
    STRANGE,
    Colour,
    Data,
    Number,
    Odd,
    Point,
    Shout,
    Word,
    write,
)
from tools.shared import json_text, json_twin


@given(PLAIN, st.booleans())
def test_plain_values_are_written_by_both_alike_and_come_back(value: Any, ascii_only: bool) -> None:
    kind, _ = write(value, ascii_only)
    assert kind == "value"
    text = json_text.json_text(value, ascii_only)
    assert text.encode().decode().splitlines() == [text]
    assert text.isascii() or not ascii_only
    assert repr(json_text.parse_json(text)) == repr(value)
    assert repr(json_twin.parse_json(text)) == repr(value)


@given(PLAIN)
def test_both_write_what_the_standard_library_writes(value: Any) -> None:
    standard = json.dumps(value, separators=(",", ":"))
    assert json_text.json_text(value, ascii_only=True) == standard == json_twin.json_text(value, ascii_only=True)
    assert json.dumps(json_text.parse_json(json_text.json_text(value)), separators=(",", ":")) == standard


@given(ANYTHING, st.booleans())
def test_any_value_is_written_or_refused_by_both_alike(value: Any, ascii_only: bool) -> None:
    write(value, ascii_only)


@pytest.mark.parametrize("value", STRANGE, ids=lambda value: type(value).__name__)
def test_what_json_does_not_have_is_treated_alike_at_every_place(value: Any) -> None:
    for place in (value, [value], [1, [value]], {"a": value}, [None, value], {"a": None, "b": [value, "é"]}):
        write(place)
        write(place, ascii_only=True)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ((1, (2,)), "[1,[2]]"),
        (Point(1, 2.5), "[1,2.5]"),
        ([True, 1, Number.ONE, Odd.FIVE], "[true,1,1,6]"),
        ([Word.WP, Shout("a")], '["wp","a"]'),
        ({1: 2, None: 3, False: 4, 2.5: 5}, '{"1":2,"null":3,"false":4,"2.5":5}'),
        ({1: 2, "1": 3}, '{"1":2,"1":3}'),
        ([2**64 - 1, 2**64, -(2**63) - 1], "[18446744073709551615,18446744073709551616,-9223372036854775809]"),
        ([1e16, 1e15, -0.0, 1e-7, 1e-5, 0.0001], "[1e+16,1000000000000000.0,-0.0,1e-07,1e-05,0.0001]"),
        ([6.0, 5e-324, 1.7976931348623157e308, 0.1 + 0.2], "[6.0,5e-324,1.7976931348623157e+308,0.30000000000000004]"),
        ("\ud800 \x7f \x9f \u2028 é中😀", '"\\ud800 \\u007f \\u009f \\u2028 é中😀"'),
        ('\x00\x1f\b\f\n\r\t"\\/', '"\\u0000\\u001f\\b\\f\\n\\r\\t\\"\\\\/"'),
        ({"a3e4f": "0.00001", "7e-5": [None, 1]}, '{"a3e4f":"0.00001","7e-5":[null,1]}'),
        (orjson.loads("[1]"), "[1]"),
    ],
)
def test_how_a_value_is_written(value: Any, expected: str) -> None:
    assert write(value) == ("value", repr(expected))


def test_with_ascii_only_every_other_character_is_an_escape() -> None:
    assert write("é😀\ud800\x7f", ascii_only=True) == ("value", repr('"\\u00e9\\ud83d\\ude00\\ud800\\u007f"'))
    assert write("\x7f", ascii_only=True) == ("value", repr('"\\u007f"'))


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_not_finite_are_not_written(value: float) -> None:
    for place in (value, [value], [None, value], {"a": [None, {"b": value}]}, (None, value)):
        assert write(place)[0] == "ValueError"


@pytest.mark.parametrize("value", [b"ab", {1, 2}, 1j, Colour.RED, uuid.UUID(int=7), Data(), datetime.date(2022, 2, 2)])
def test_what_json_does_not_have_is_refused(value: Any) -> None:
    for place in (value, [value], [None, value], {"a": value}):
        assert write(place)[0] == "TypeError"


@given(FINITE)
@example(1e16)
@example(9.999999999999999e15)
@example(1e-4)
@example(9.999999999999999e-5)
def test_floats_are_written_as_python_writes_them(number: float) -> None:
    for value in (number, [number], {"a": number}, [1, -number, None]):
        assert write(value)[0] == "value"
    assert json_text.json_text(number) == repr(number)
