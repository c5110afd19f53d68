"""JSON of files: what is read is what the standard library reads, within bounds, and what is written comes back."""

import datetime
import importlib.util
import json
import math
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import Struct

import tools.shared.json_text as json_text_module
from tests.tools.json_values import FLOATS, INTEGERS, PLAIN, TEXTS, nested, outcome
from tools.shared.json_text import LONGEST_KEPT, NESTING, checked, json_line, json_text, kept, parse_json, parse_json_at

JUNK = '{}[]",:\\/eE+-.0123456789 \t\n\r\x00\x0b\x1f\x7f\x85\xa0\ufeff\u2028ntfrubalsNIy\ud800\udc00é😀'


@given(PLAIN, st.booleans())
@example([1e-4, 9.99e-5, 1e-5, 1.5e-7, 1e15, 1e16, 1e17, 123456789012345678.0, 5e-324, 1.7976931348623157e308], False)
def test_plain_values_come_back(value: Any, ascii_only: bool) -> None:
    text = json_text(value, ascii_only)
    assert text.encode().decode().splitlines() == [text]
    assert text.isascii() or not ascii_only
    assert repr(parse_json(text)) == repr(value)
    assert json.dumps(value, separators=(",", ":")) == json_text(value, ascii_only=True)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ((1, (2,)), "[1,[2]]"),
        ({1: 2, None: 3, False: 4, 2.5: 5}, '{"1":2,"null":3,"false":4,"2.5":5}'),
        ([2**64, 1e16, -0.0, 1e-7, 6.0, np.float64(1.5)], "[18446744073709551616,1e+16,-0.0,1e-07,6.0,1.5]"),
        ("\ud800 \x7f \x9f \u2028 é中😀", '"\\ud800 \\u007f \\u009f \\u2028 é中😀"'),
        ('\x00\x1f\b\f\n\r\t"\\/', '"\\u0000\\u001f\\b\\f\\n\\r\\t\\"\\\\/"'),
    ],
)
def test_how_a_value_is_written(value: Any, expected: str) -> None:
    assert json_text(value) == expected


def test_a_program_reads_a_line_of_ascii() -> None:
    assert json_line({"é": [1, "中\x7f"]}) == b'{"\\u00e9":[1,"\\u4e2d\\u007f"]}\n'


def test_with_ascii_only_every_other_character_is_an_escape() -> None:
    assert json_text("é😀\ud800", ascii_only=True) == '"\\u00e9\\ud83d\\ude00\\ud800"'


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 10**309, -(10**400), 10**4299])
def test_numbers_that_are_not_finite_or_beyond_a_double_are_not_written(value: float) -> None:
    for place in (value, [value], {"a": [None, {"b": value}]}, ("x" * 400, value)):
        assert outcome(json_text, place)[0] == "ValueError"
    assert outcome(json_text, {1: "9" * 400})[0] == "value"


@pytest.mark.parametrize("value", [b"ab", {1, 2}, 1j, datetime.date(2022, 2, 2), np.int64(3), np.array([1])])
def test_what_json_does_not_have_is_refused(value: Any) -> None:
    for place in (value, [value], {"a": [value]}):
        assert outcome(json_text, place)[0] == "TypeError"


def test_a_value_that_contains_itself_is_refused() -> None:
    line: list[Any] = []
    tree: dict[str, Any] = {}
    line.append(line)
    tree.update(a=tree, b=[tree, None])
    assert outcome(json_text, line)[0] == outcome(json_text, tree)[0] == "ValueError"


# Reading.


def standard(text: str) -> Any:
    """Reads as the standard library does, which takes a number beyond a double for infinity."""
    value = json.loads(text, parse_constant=int)
    json.dumps(value, allow_nan=False)
    return value


def same_as_standard(text: str) -> None:
    found, wanted = outcome(parse_json, text), outcome(standard, text)
    assert found == wanted or (found[0] != "value" and wanted[0] != "value")


@st.composite
def mutated_texts(draw: st.DrawFn) -> str:
    """JSON in any layout, in which a few characters were lost, added, changed or doubled."""
    value = draw(nested(st.none() | st.booleans() | INTEGERS | FLOATS | TEXTS, TEXTS))
    layout = draw(st.sampled_from([(",", ":"), (", ", ": "), (" ,\t", "\n: ")]))
    text = json.dumps(value, ensure_ascii=draw(st.booleans()), separators=layout)
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(start + 4, len(text))))
        middle = draw(st.text(st.sampled_from(JUNK), max_size=3) | st.just(2 * text[start:end]))
        text = text[:start] + middle + text[end:]
    return text


@given(mutated_texts() | st.text(st.sampled_from(JUNK), max_size=6))
def test_a_text_is_read_or_refused_as_the_standard_library_does(text: str) -> None:
    same_as_standard(text)


@given(st.from_regex(r"-?[0-9]{1,25}(\.[0-9]{1,25})?([eE][-+]?[0-9]{1,4})?", fullmatch=True))
@example("0." + "0" * 400 + "1")
@example("1" + "0" * 308)
@example("0.00000000000000000001")
def test_numbers_are_read_as_the_standard_library_does(text: str) -> None:
    same_as_standard(f'[0.5,{text},{{"a":{text}}}]')


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[18446744073709551616, -9223372036854775809]", [2**64, -(2**63) - 1]),
        ("[-0, -0.0, 1E5, 1e-400]", [0, -0.0, 100000.0, 0.0]),
        ('{"a":1,"b":2,"\\u0061":3}', {"a": 3, "b": 2}),
        ('["\\ud800", 1]', ["\ud800", 1]),
        ('"\ud800"', "\ud800"),
        ('"\\ud83d\\ude00\\ude00"', "😀\ude00"),
        (" \t\r\n[ ] ", []),
    ],
)
def test_how_a_text_is_read(text: str, expected: Any) -> None:
    assert repr(parse_json(text)) == repr(expected)


NO_VALUE = ["", "nul", "'a'", "/**/1", "01", "+1", "1.", ".5", "0x10", '"', '"\t"', '"\\x"', "[1,]", "{1:2}", "1 2"]
NO_NUMBER = ["NaN", "[Infinity]", "1e400", "9" * 400 + ".5", "9" * 309, "-1" + "0" * 400, "7" * 5000]


@pytest.mark.parametrize("text", [*NO_VALUE, *NO_NUMBER])
def test_what_is_no_json_is_refused_in_one_sentence(text: str) -> None:
    for whole in (text, f'{{"a":[0.5,{text}]}}', f'["\\ud800",{text}]'):
        kind, sentence = outcome(parse_json, whole)
        assert kind in ("ValueError", "JSONDecodeError")
        assert sentence and "\n" not in sentence and len(sentence) < 100


# Depth.


def test_a_value_is_kept_by_the_bytes_of_its_json() -> None:
    for character in ("a", "é", "牌", "🂡"):
        fits = (LONGEST_KEPT - 2) // len(character.encode())  # with its quotes
        assert kept(fits * character) == fits * character
        cut = kept((fits + 1) * character)
        assert len(cut) < fits and cut == f'"{fits * character}'[: len(cut)]
    assert kept({1, 2}) == "{1, 2}" and len(kept({"a": float("nan"), "b": 9 * LONGEST_KEPT * "b"})) <= 1000


def deep(levels: int) -> Any:
    """A value of so many levels, in turn lists and objects."""
    value: Any = "]"
    for level in range(levels):
        value = [value] if level % 2 else {"[": value}
    return value


def deep_texts(levels: int) -> list[str]:
    return [
        "[" * levels + "]" * levels,
        '{"a":' * levels + "1" + "}" * levels,
        '["\\"[{",' * levels + '"\\\\"' + "]" * levels,
        '["\\ud800",' * levels + "1" + "]" * levels,
    ]


TOO_DEEP = "ValueError", f"it is nested too deeply: more than {NESTING} levels"


@pytest.mark.parametrize("levels", [1, 255, NESTING, NESTING + 1, 700, 2000, 100_000])
def test_a_value_may_have_so_many_levels_and_no_more(levels: int) -> None:
    outcomes = [outcome(parse_json, text) for text in deep_texts(levels)]
    outcomes += [outcome(json_text, deep(levels)), outcome(json_text, [None, deep(levels - 1)])]
    if levels > NESTING:
        assert {*outcomes} == {TOO_DEEP}
    else:
        assert {kind for kind, _ in outcomes} == {"value"}


def test_many_brackets_are_not_deep() -> None:
    value = [{"a": ["]", '"[', "\\"], "b": {}} for _ in range(2 * NESTING)]
    assert parse_json(json_text(value)) == value
    assert outcome(parse_json, "[" + "[[]]," * 2 * NESTING + "0]")[0] == "value"


# A value in a longer text, and one of a type.


@given(st.text(st.sampled_from(JUNK), max_size=3), PLAIN, st.text(st.sampled_from(JUNK), max_size=3))
def test_a_value_is_read_out_of_a_longer_text(before: str, value: Any, after: str) -> None:
    text = json_text(value)
    found = parse_json_at(before + text + " " + after, len(before))
    assert repr(found) == repr((value, len(before) + len(text)))


@pytest.mark.parametrize("text", ["x", "x]", "x1e400", "xNaN", "x[1", "x" + "[" * 501 + "]" * 501, "x" + "[" * 100_000])
def test_what_is_no_value_is_not_read_out_of_a_longer_text(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_json_at(text, 1)


class Row(Struct, forbid_unknown_fields=True):
    name: str
    points: list[float]


def test_a_value_of_another_type_is_refused_with_its_place() -> None:
    assert checked({"name": "\ud800", "points": [1, 2.5]}, Row) == Row("\ud800", [1.0, 2.5])
    for value, sentence in (
        ({"name": "a", "points": [1, True]}, "Expected `float`, got `bool` - at `$.points[1]`"),
        ({"name": "a", "points": [10**400]}, "Number out of range - at `$.points[0]`"),
        ({"name": "a", "points": [], "\x1b[31m": 1}, "Object contains unknown field `\\x1b[31m`"),
    ):
        with pytest.raises(KeyError) as refused:
            checked(value, Row, KeyError)  # type: ignore[arg-type]
        assert refused.value.args == (sentence,)


# A Python without orjson, as that of a web page.


@pytest.fixture(scope="module")
def page() -> ModuleType:
    """Gets the module as that Python imports it."""
    found = importlib.util.spec_from_file_location("tools.shared.json_text_of_a_page", json_text_module.__file__)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "orjson", None)
        found.loader.exec_module(module)
    assert (module.HAS_ORJSON, json_text_module.HAS_ORJSON) == (False, True)
    return module


@given(text=mutated_texts() | st.text(st.sampled_from(JUNK), max_size=6))
@example(text="[18446744073709551616, -9223372036854775809, 1e400]")
def test_a_page_reads_or_refuses_the_same(page: ModuleType, text: str) -> None:
    assert outcome(page.parse_json, text) == outcome(parse_json, text)


def same_as_page(page: ModuleType, value: Any) -> None:
    def written_and_read(module: Any) -> Any:
        return parse_json(module.json_text(value))

    assert outcome(written_and_read, page) == outcome(written_and_read, json_text_module)


@given(value=PLAIN)
@example(value=[math.nan, None])
@example(value={"a": -(10**400)})
@example(value={1: b"ab"})
def test_a_page_writes_or_refuses_the_same(page: ModuleType, value: Any) -> None:
    same_as_page(page, value)


@pytest.mark.parametrize("levels", [254, 255, NESTING, NESTING + 1, 2000])
def test_a_page_writes_as_many_levels(page: ModuleType, levels: int) -> None:
    same_as_page(page, deep(levels))
