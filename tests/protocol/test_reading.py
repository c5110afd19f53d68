"""Lines that would cost a turn its time, or the parser its stack, are read within bounds."""

import json
import resource
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddzbot.protocol.reading import MOST_BYTES, MOST_DEPTH, MOST_DIGITS, _shallow, read_json
from ddzbot.protocol.start import FIRST_TURN
from tests.support import ROOT, find_python, require

OWN = [4, 8, 9, 13, 17, 20, 21, 25, 29, 30, 34, 37, 38, 41, 45, 46, 49, 50, 52, 53]
FIRST = json.dumps({"own": OWN, "history": [[], []], "publiccard": [4, 8, 9]})
NEXT = json.dumps({"history": [[], []]})


def line(requests: str = FIRST, data: str = "0") -> str:
    return f'{{"data":{data},"requests":[{requests}],"responses":[]}}'


HARD_LINES = {
    "digits": line(data="7" * 1_000_000),
    "many numbers": line(data=f"[{','.join(['7' * 399] * 2_600)}]"),
    "lists": line(data=f"[{','.join(['[]'] * 349_000)}]"),
    "levels": line(data="[" * 1000 + "]" * 1000),
    "objects": line(data='{"a":' * 1000 + "1" + "}" * 1000),
    "text": line(data=json.dumps("[" * 1_000_000)),
    "requests": line(",".join([FIRST, *[NEXT] * 43_000])),
    "cards": line(f'{{"own":[{",".join(["1"] * 524_000)}],"history":[[],[]],"publiccard":[]}}'),
    "long": line(data=json.dumps("x" * (MOST_BYTES - 1000))),
    "too long": line(data=json.dumps("x" * MOST_BYTES)),
}
AT_ONCE = ("digits", "levels", "requests", "too long")
LEADS = ("digits", "many numbers", "lists", "levels", "objects", "text", "requests", "cards", "long")
"""Those of which a hand is known, though it may be none of a real deal: a pass would be illegal."""


@pytest.mark.parametrize(
    ("name", "version"),
    # The slowest Python has all of them, the newest one that of the limit that it brought.
    [
        *(pytest.param(name, "3.6", marks=[] if name in AT_ONCE else pytest.mark.whole) for name in HARD_LINES),
        ("digits", "3.13"),
    ],
)
def test_a_hard_line_is_answered_in_time(name: str, version: str) -> None:
    python = require(find_python(version), f"CPython {version}")
    command = [python, str(ROOT / "bot.py"), "--player", "rule"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, input=HARD_LINES[name], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert bool(answer["response"]) is (name in LEADS)
    # Processor time: a busy machine is no fault of the bot's. An eighth of a turn, for as busy a judge.
    assert after.ru_utime - before.ru_utime < FIRST_TURN / 4


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**60), 10**60) | st.text() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@pytest.mark.whole
@given(JSON_VALUES)
def test_what_is_within_the_bounds_is_read_as_ever(value: object) -> None:
    text = json.dumps(value)
    assert read_json(text) == value
    assert _shallow(text) == text


@given(st.integers(0, 300), JSON_VALUES, st.booleans())
def test_what_lies_too_deep_is_null_and_the_rest_is_kept(depth: int, value: object, as_object: bool) -> None:
    inner, shallow = json.dumps([value]), depth < MOST_DEPTH - 1
    deep = '{"a":' * depth + inner + "}" * depth if as_object else "[" * depth + inner + "]" * depth
    found = json.loads(
        _shallow(json.dumps({"before": value})[:-1] + f', "deep": {deep}, "after": {json.dumps(value)}}}')
    )
    assert (found["before"], found["after"]) == (value, value)
    levels, place = 0, found["deep"]
    while isinstance(place, (list, dict)) and levels < depth and place:
        place, levels = (place["a"] if isinstance(place, dict) else place[0]), levels + 1
    assert levels == min(depth, MOST_DEPTH - 1)
    if depth < MOST_DEPTH - 1 and "[" not in json.dumps(value) and "{" not in json.dumps(value):
        assert place == [value] and shallow


def test_a_long_number_is_0_and_a_long_text_is_itself() -> None:
    assert read_json(f"[{'9' * (MOST_DIGITS + 1)}, -{'9' * 5000}, {'9' * MOST_DIGITS}]") == [
        0,
        0,
        int("9" * MOST_DIGITS),
    ]
    assert read_json(json.dumps("a" * 100000)) == "a" * 100000


@pytest.mark.whole
@pytest.mark.parametrize("marks", ["[", '{"a":'])
def test_a_line_of_nothing_but_levels_is_no_json(marks: str) -> None:
    with pytest.raises(ValueError, match="Expecting"):
        read_json(marks * (MOST_BYTES // len(marks)))


def test_all_hard_lines_but_one_are_read_to_their_end() -> None:
    assert [name for name, text in HARD_LINES.items() if len(text) > MOST_BYTES] == ["too long"]
