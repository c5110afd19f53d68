"""Lines of bytes, the line of waiting queries, and processes that end before their time."""

import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddzbot.search.limit import Limit
from tests.support import eventually
from tools.records.notation import parse_view
from tools.shared.bounds import LONGEST_QUERY
from tools.study.analyse import answer, serve
from tools.study.analyse.answer import answer_of
from tools.study.analyse.lanes import Answer, Lanes
from tools.study.analyse.query import Id, Query
from tools.study.analyse.serve import lines_of

VIEW = parse_view("mini 0 99TJQQKA222L TQA -@0 .")
OPENING = parse_view("botzone2 0 444567788TTTTJJQQQA2 TJ2 3@0 .")
"""A search of it takes seconds, until there is no room for more worlds."""
QUICK, LONG = Limit(playouts=10), Limit(seconds=300.0)


def query(query_id: Id, limit: Limit = QUICK) -> Query:
    return Query(query_id, OPENING if limit is LONG else VIEW, limit, 1, 0)


@pytest.fixture
def answers() -> list[Answer]:
    return []


@pytest.fixture
def lanes(answers: list[Answer]) -> Iterator[Lanes]:
    one = Lanes(1, answers.append, room=3)
    yield one
    one.stop()


def test_all_are_answered_before_the_end(lanes: Lanes, answers: list[Answer]) -> None:
    for number in range(3):
        assert lanes.add(query(number))
    lanes.finish()
    assert [one["id"] for one in answers] == [0, 1, 2]
    assert all("moves" in one for one in answers)


def test_an_id_in_flight_is_refused_and_free_again_afterwards(lanes: Lanes, answers: list[Answer]) -> None:
    assert lanes.add(query("same", Limit(seconds=0.5)))
    assert not lanes.add(query("same"))
    assert eventually(lambda: bool(answers))
    assert lanes.add(query("same"))
    lanes.finish()
    assert len(answers) == 2


@pytest.mark.whole
def test_a_query_that_waits_can_be_dropped_and_a_running_one_cannot(lanes: Lanes, answers: list[Answer]) -> None:
    lanes.add(query("running", Limit(seconds=1.0)))
    lanes.add(query("waiting"))
    assert eventually(lambda: bool(lanes._running))
    assert lanes.drop("waiting")
    assert answers == [{"id": "waiting", "dropped": True}]
    assert not lanes.drop("waiting")
    assert not lanes.drop("running")
    lanes.finish()
    assert [one["id"] for one in answers] == ["waiting", "running"]


def test_no_more_wait_than_there_is_room_for(lanes: Lanes) -> None:
    for number in range(4):
        lanes.add(query(number, LONG))
        assert eventually(lambda: bool(lanes._running))
    late = threading.Thread(target=lanes.add, args=(query("late"),))
    late.start()
    late.join(0.2)
    assert late.is_alive(), "a fifth query found room for three that wait"
    assert lanes.drop(3)
    late.join(250)
    assert not late.is_alive()


def test_stopping_ends_a_long_analysis_at_once(answers: list[Answer]) -> None:
    lanes = Lanes(2, answers.append)
    for number in range(5):
        lanes.add(query(number, LONG))
    assert eventually(lambda: len(lanes._running) == 2)
    begun = time.monotonic()
    lanes.stop()
    assert time.monotonic() - begun < 250
    assert answers == []


def test_a_process_that_ends_costs_one_answer(lanes: Lanes, answers: list[Answer]) -> None:
    lanes.add(query("unlucky", LONG))
    assert eventually(lambda: bool(lanes._processes.pids))
    for process in lanes._processes.pids:
        os.kill(process, signal.SIGKILL)
    lanes.add(query("next"))
    lanes.finish()
    assert answers[0] == {"id": "unlucky", "error": "the process that analysed this query has ended", "field": None}
    assert (answers[1]["id"], "moves" in answers[1]) == ("next", True)


def test_a_failure_becomes_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError("no room")

    monkeypatch.setattr(answer, "analyse_any", fail)
    assert answer_of(query(4)) == {"id": 4, "error": "the analysis failed: MemoryError('no room')", "field": None}


@given(st.lists(st.binary(max_size=12), max_size=8), st.integers(1, 5), st.booleans())
def test_lines_come_as_they_were_sent(lines: list[bytes], block: int, ends: bool) -> None:
    lines = [line.replace(b"\n", b"") for line in lines]
    sent = b"\n".join(lines) + (b"\n" if ends and lines else b"")
    expected = sent.split(b"\n")
    if expected[-1] == b"":
        expected.pop()
    reading, writing = os.pipe()
    os.write(writing, sent)
    os.close(writing)
    usual, serve._BLOCK = serve._BLOCK, block
    try:
        assert list(lines_of(reading)) == expected
    finally:
        serve._BLOCK = usual
        os.close(reading)


def test_a_line_that_is_too_long_is_one_line() -> None:
    reading, writing = os.pipe()
    sent = b"a\n" + b"x" * (3 * LONGEST_QUERY) + b"\nb\n" + b"y" * (LONGEST_QUERY + 1)

    def write() -> None:
        with os.fdopen(writing, "wb") as file:
            file.write(sent)

    writer = threading.Thread(target=write)
    writer.start()
    assert list(lines_of(reading)) == [b"a", None, b"b", None]
    writer.join()
    os.close(reading)
