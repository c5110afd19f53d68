"""Processes that answer: one that dies, hangs or has answered very often is replaced, and all end when told."""

import os
import re
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import psutil
import pytest

from tools.shared.work import answering
from tools.shared.work.answering import Answering, HangError, NoAnswerError

Asked = Answering[str, object]


def answer(question: str) -> object:
    print("what is printed gets into no answer", flush=True)
    return WAYS[question]()


def half_an_answer() -> None:
    """Writes the beginning of one where answers go, and then hangs."""
    for file in range(3, 64):
        with suppress(OSError):
            os.write(file, struct.pack("!i", 1000) + b"half of it")
    time.sleep(3600)


WAYS: dict[str, Callable[[], object]] = {
    "pid": os.getpid,
    "nice": lambda: os.nice(0),
    "fail": lambda: int("x"),
    "leave": lambda: sys.exit("without a word"),
    "die": lambda: os._exit(3),
    "sleep": lambda: time.sleep(3600),
    "hold the interpreter": lambda: re.fullmatch("(a|a)*b", "a" * 60),
    "half an answer": half_an_answer,
}


def begin() -> None:
    os.nice(3)


@pytest.fixture
def asked() -> Iterator[Asked]:
    made = Asked(1, answer, begin)
    yield made
    made.close()


def test_a_process_begins_when_it_is_needed_and_stays(asked: Asked, capfd: pytest.CaptureFixture[str]) -> None:
    assert asked.pids == []
    pid = asked.ask("pid")
    assert (asked.pids, asked.ask("pid", 60.0)) == ([pid], pid)
    assert asked.ask("nice") == min(19, os.nice(0) + 3)
    assert "what is printed" not in capfd.readouterr().out


def test_what_is_raised_there_is_one_sentence_and_costs_no_process(asked: Asked) -> None:
    pid = asked.ask("pid")
    with pytest.raises(NoAnswerError, match=r"^ValueError: invalid literal for int\(\) with base 10: 'x'$"):
        asked.ask("fail")
    with pytest.raises(NoAnswerError, match=r"^SystemExit: without a word$"):
        asked.ask("leave")
    assert asked.ask("pid") == pid


@pytest.mark.whole
def test_a_process_that_dies_is_replaced(asked: Asked) -> None:
    pid = asked.ask("pid")
    with pytest.raises(NoAnswerError, match="the process ended"):
        asked.ask("die")
    assert asked.ask("pid") != pid


@pytest.mark.whole
@pytest.mark.parametrize("way", ["hold the interpreter", "half an answer"])
def test_whatever_a_process_hangs_in_it_is_ended_in_time_and_replaced(asked: Asked, way: str) -> None:
    pid = asked.ask("pid")
    began = time.monotonic()
    with pytest.raises(HangError, match=r"^no answer within 0\.6 s: its process was ended$"):
        asked.ask(way, 0.6)
    assert time.monotonic() - began < 250
    assert isinstance(pid, int) and not psutil.pid_exists(pid)
    assert asked.ask("pid") != pid


@pytest.mark.whole
def test_a_process_that_has_answered_very_often_is_replaced(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "MOST_ANSWERS", 2)
    seen = []
    for _ in range(4):
        asked.ask("pid")
        seen.append(asked.pids)
    assert [len(pids) for pids in seen] == [1, 0, 1, 0] and seen[0] != seen[2]
    assert not psutil.pid_exists(seen[0][0])


def test_closing_ends_what_is_under_way_and_refuses_what_comes_later() -> None:
    asked = Asked(2, answer)
    failures: list[str] = []

    def ask() -> None:
        try:
            asked.ask("sleep")
        except NoAnswerError as error:
            failures.append(str(error))

    asking = threading.Thread(target=ask)
    asking.start()
    while not asked.pids:
        time.sleep(0.01)
    (pid,) = asked.pids
    asked.close()
    asking.join(250)
    assert not asking.is_alive() and len(failures) == 1
    assert (psutil.pid_exists(pid), asked.pids) == (False, [])
    with pytest.raises(NoAnswerError, match="this program is stopping"):
        asked.ask("pid")


def test_two_threads_may_close_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: Asked = Answering(2, answer, begin)
    get = asked._free.get

    def slowly() -> object:
        place = get()
        time.sleep(0.1)  # so that another thread could take the other place
        return place

    monkeypatch.setattr(asked._free, "get", slowly)
    closing = [threading.Thread(target=asked.close, daemon=True) for _ in range(2)]
    for thread in closing:
        thread.start()
    for thread in closing:
        thread.join(250)
    assert not any(thread.is_alive() for thread in closing)
