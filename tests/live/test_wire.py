"""What a poll brings, whatever it is; what goes into headers."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.tables.live.wire import (
    Ended,
    GarbledError,
    Polled,
    Request,
    answer_header,
    match_id,
    parse_poll,
    wish_headers,
)

pytestmark = pytest.mark.whole

FIRST = '{"own":[1,2],"bid":[]}'


def test_requests_come_first_then_the_ends_and_without_news_it_is_quiet() -> None:
    text = f'2 2\nmatch1\n{FIRST}\nmatch2\n{{"history":[[],[5]]}}\nmatch3 1 3 -2 4 -2\nmatch4 0 0\n'
    assert parse_poll(text) == Polled(
        [Request("match1", {"own": [1, 2], "bid": []}), Request("match2", {"history": [[], [5]]})],
        [Ended("match3", 1, (-2.0, 4.0, -2.0)), Ended("match4", 0, ())],
        [],
    )
    assert parse_poll("0 0").is_quiet
    assert parse_poll("0 0\r\n").is_quiet
    assert not parse_poll("0 1\nmatch 0 0").is_quiet
    assert parse_poll(f"1 0\nmatch1\n{json.dumps(FIRST)}").requests == [Request("match1", json.loads(FIRST))]


@pytest.mark.parametrize("text", ["", "<html>502</html>", "1", "1 2 3", "-1 0", "a b", "9999999 0", "1001 0"])
def test_what_is_no_poll_is_said_in_one_sentence(text: str) -> None:
    with pytest.raises(GarbledError, match=r"^the site's answer begins with .*, not with two numbers$"):
        parse_poll(text)


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (f"2 0\nmatch1\n{FIRST}\nmatch2\n[1,", 1),
        (f"2 0\nmatch1\n{FIRST}\nmatch/2\n{FIRST}", 1),
        (f"2 0\nmatch1\n{FIRST}", 1),
        (f"1 2\nmatch1\n{FIRST}\nmatch2 0 three 1 2 3\nmatch3 5 3 1 2 3", 2),
        (f"1 2\nmatch1\n{FIRST}\nmatch2 0 3 1 nan 3\nmatch2", 2),
    ],
)
def test_a_bad_line_costs_nothing_but_itself(text: str, problems: int) -> None:
    polled = parse_poll(text)
    assert [request.match for request in polled.requests] == ["match1"]
    assert len(polled.problems) == problems
    assert not any("\n" in problem for problem in polled.problems)


@given(st.text() | st.from_regex(r"\A[0-3] [0-3]\n(.*\n){0,8}\Z"))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        polled = parse_poll(text)
    except GarbledError:
        return
    assert all(problem.isprintable() for problem in polled.problems)


def test_an_answer_is_one_header_of_ascii() -> None:
    assert answer_header("594553a2", [3, 7]) == ("X-Match-594553a2", "[3,7]")
    assert answer_header("a", "出")[1] == '"\\u51fa"'


def test_a_wish_names_game_and_players() -> None:
    assert wish_headers("FightTheLandlord2", ["me", "b1", "b2"], '{"seed":"7"}') == {
        "X-Game": "FightTheLandlord2",
        "X-Player-0": "me",
        "X-Player-1": "b1",
        "X-Player-2": "b2",
        "X-Initdata": '{"seed":"7"}',
    }
    assert "X-Initdata" not in wish_headers("FightTheLandlord", ["me", "a", "b"])


@pytest.mark.parametrize("text", ["594553a2", " 594553a2\n", '"594553a2"', '{"matchid":"594553a2"}'])
def test_the_name_of_a_match_in_any_form(text: str) -> None:
    assert match_id(text) == "594553a2"


@pytest.mark.parametrize("text", ["", "no such bot", "{", '{"error":1}', "<html>", "[1]", "{}"])
def test_what_names_no_match(text: str) -> None:
    assert match_id(text) is None
