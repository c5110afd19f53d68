"""Reading JSON, and how deep it may be: orjson and the twin of the standard library accept and get the same."""

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.tools.json_values import FLOATS, INTEGERS, PLAIN, TEXTS, nested, read, write
from tools.shared import json_text
from tools.shared.json_twin import NESTING

DIGITS = "[0-9]{1,25}"


@given(st.from_regex(rf"-?{DIGITS}(\.{DIGITS})?([eE][-+]?[0-9]{{1,4}})?", fullmatch=True))
@example("0." + "0" * 400 + "1")
@example("1" + "0" * 308 + ".0")
@example("1" + "0" * 309 + ".0")
@example("0.00000000000000000001")
@example("1.00000000000000000001,18446744073709551616")
@example("9" * 5000)
def test_numbers_are_read_by_both_alike(text: str) -> None:
    read(text)
    read(f'[0.5,{text},{{"a":{text}}}]')


JUNK = '{}[]",:\\/eE+-.0123456789 \t\n\r\x00\x0b\x1f\x7f\x85\xa0\ufeff\u2028ntfrubalsNIy\ud800\udc00é😀'


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


@settings(max_examples=500)
@given(mutated_texts())
def test_texts_are_read_or_refused_by_both_alike(text: str) -> None:
    read(text)


@given(st.text(st.sampled_from(JUNK), max_size=6))
def test_junk_is_read_or_refused_by_both_alike(text: str) -> None:
    read(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("18446744073709551615", 2**64 - 1),
        ("18446744073709551616", 2**64),
        ("-9223372036854775808", -(2**63)),
        ("-9223372036854775809", -(2**63) - 1),
        ("[0.1234567890123456789012345, 12345678901234567890123]", [0.12345678901234568, 12345678901234567890123]),
        ("1" + "0" * 308, 10**308),
        ("[-0, -0.0, 1E5, 1e-400]", [0, -0.0, 100000.0, 0.0]),
        ('{"a":1,"b":2,"a":3}', {"a": 3, "b": 2}),
        ('{"a":1,"\\u0061":2}', {"a": 2}),
        ('"\\ud800"', "\ud800"),
        ('"\ud800"', "\ud800"),
        ('"\\ud83d\\ude00\\ude00"', "😀\ude00"),
        ('"\x7f\x85\u2028é"', "\x7f\x85\u2028é"),
        (" \t\r\n[ ] ", []),
        ('{"":{}}', {"": {}}),
    ],
)
def test_how_a_text_is_read(text: str, expected: Any) -> None:
    assert read(text) == ("value", repr(expected))


NO_VALUE = ["", " ", "\ufeff1", "nul", "True", "'a'", "/**/1", "\x0c1", "\xa01"]
NO_NUMBER = ["01", "-", "+1", "1.", ".5", "1e", "0x10", "1_000", "\uff11"]
NOT_FINITE = ["NaN", "[Infinity]", "-Infinity", "1e400", "[-1e400]", '{"a":1E+999}', "9" * 400 + ".5"]
TOO_LARGE = ["9" * 309, "-1" + "0" * 400, "7" * 5000]
NO_TEXT = ['"', '"\t"', '"\x00"', '"\\x"', '"\\u12"', '["a"', "{1:2}"]
NO_END = ["[", "]", "{", "[1,]", "{,}", '{"a":}', "1 2", "[1]\x00", "[1]]"]


@pytest.mark.parametrize("text", [*NO_VALUE, *NO_NUMBER, *NOT_FINITE, *TOO_LARGE, *NO_TEXT, *NO_END])
def test_what_is_no_json_is_refused(text: str) -> None:
    read(f'{{"a":[0.5,{text}]}}')
    kind, sentence = read(text)
    assert kind in ("ValueError", "JSONDecodeError")
    assert sentence
    assert "\n" not in sentence


@pytest.mark.parametrize("value", [10**309, -(10**400), 10**4299])
def test_an_integer_beyond_a_double_is_not_written_either(value: int) -> None:
    for place in (value, [None, value], {"a": value}, ("x" * 400, value)):
        kind, sentence = write(place)
        assert kind == "ValueError"
        assert sentence.endswith("is too large for a number")
    assert write({value: "9" * 400})[0] == "value"


# Depth.


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
        '["]",' * levels + "1" + "]" * levels,
        '["\\"[{",' * levels + '"\\\\"' + "]" * levels,
    ]


LEVELS = [1, 253, 254, 255, 256, NESTING - 1, NESTING, NESTING + 1, 700, 2000, 100_000]
TOO_DEEP = "ValueError", f"it is nested too deeply: more than {NESTING} levels"


@pytest.mark.parametrize("levels", LEVELS)
def test_a_value_may_have_so_many_levels_and_no_more(levels: int) -> None:
    outcomes = [*map(read, deep_texts(levels)), write(deep(levels)), write([None, deep(levels - 1)])]
    if levels > NESTING:
        assert {*outcomes} == {TOO_DEEP}
    else:
        assert {kind for kind, _ in outcomes} == {"value"}


def test_brackets_in_texts_hide_no_levels() -> None:
    levels = NESTING + 1
    assert read('["]",' * levels + "0" + ',"["]' * levels) == TOO_DEEP
    assert read('["\\"]",' * levels + "0" + ',"[\\""]' * levels) == TOO_DEEP


def test_many_brackets_are_not_deep() -> None:
    value = [{"a": ["]", '"[', "\\"], "b": {}} for _ in range(2 * NESTING)]
    assert write(value)[0] == "value"
    assert read(json.dumps(value)) == ("value", repr(value))
    assert read("[" + "[[]]," * 2 * NESTING + "0]")[0] == "value"


def test_a_value_that_contains_itself_is_refused() -> None:
    line: list[Any] = []
    tree: dict[str, Any] = {}
    line.append(line)
    tree.update(a=tree, b=[tree, None])
    assert write(line)[0] == write(tree)[0] == "ValueError"


@given(st.text(st.sampled_from(JUNK), max_size=3), PLAIN, st.text(st.sampled_from(JUNK), max_size=3))
def test_a_value_is_read_out_of_a_longer_text(before: str, value: Any, after: str) -> None:
    text = json_text.json_text(value)
    found = json_text.parse_json_at(before + text + " " + after, len(before))
    assert repr(found) == repr((value, len(before) + len(text)))


@pytest.mark.parametrize("text", ["x", "x]", "x1e400", "xNaN", "x[1", "x" + "[" * 501 + "]" * 501, "x" + "[" * 100_000])
def test_what_is_no_value_is_not_read_out_of_a_longer_text(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        json_text.parse_json_at(text, 1)
