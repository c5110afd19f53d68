"""How the turn of a program ends is found once, by its first process, and goes for all that ask it again."""

import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.judge.test_process import (
    FIRST,
    FOLLOW,
    LEAD,
    MARKER,
    PASS,
    PATIENT,
    bad_bot,
    first_turn,
    seconds,
    shell_bot,
)
from tests.support import require
from tools.judge import process_exchange, turn_end
from tools.judge.process import BotProcess
from tools.judge.process_answer import Answer
from tools.judge.process_group import ProcessGroup
from tools.judge.process_limits import Limits
from tools.judge.turn_end import InputWatch, TurnEnd, turn_end_of

TURNS: list[tuple[list[Any], list[Any]]] = [([FIRST], []), ([FIRST, FOLLOW], [[5]]), ([FIRST, FOLLOW, LEAD], [[5], []])]
C_TO_THE_END = """
#include <stdio.h>
int main(void) {
    while (getchar() != EOF) {}
    puts("{\\"response\\":[5]}");
    return 0;
}
"""


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_end, "_found", {})


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The programs of which nobody knows how their turns end."""
    found: list[object] = []

    class Counted(InputWatch):
        def __init__(self, group: Any) -> None:
            super().__init__(group)
            found.append(group)

    monkeypatch.setattr(process_exchange, "InputWatch", Counted)
    return found


def turns_of(bot: BotProcess) -> list[Answer]:
    with bot:
        return [bot.turn(*turn) for turn in TURNS]


# What the first process shows


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("read_to_the_end", TurnEnd.INPUT),
        ("read_line_by_line", TurnEnd.INPUT),
        ("obedient_one_shot", TurnEnd.LINE),
        ("obedient_keep_running", TurnEnd.STAYS),
    ],
)
def test_how_a_bot_ends_its_turn_is_found_out_once(name: str, end: TurnEnd, watched: list[object]) -> None:
    answers = [*turns_of(bot := bad_bot(name)), *turns_of(bad_bot(name))]
    assert [(answer.verdict, answer.response) for answer in answers] == 2 * [("OK", [5]), ("OK", []), ("OK", [9])]
    assert [answer.fresh for answer in answers] == 2 * [True, *2 * [end is not TurnEnd.STAYS]]
    assert turn_end_of(bot.command) is end
    assert len(watched) == 1


def test_a_compiled_bot_that_reads_to_the_end_plays(tmp_path: Path) -> None:
    compiler = require(shutil.which("cc"), "a C compiler")
    (tmp_path / "bot.c").write_text(C_TO_THE_END)
    subprocess.run([compiler, "bot.c", "-o", "bot"], cwd=tmp_path, check=True)
    assert first_turn(BotProcess([str(tmp_path / "bot")], limits=PATIENT)).response == [5]


def test_a_bot_that_rests_before_it_asks_to_stay_loses_no_turn(watched: list[object]) -> None:
    turn = f"echo '{PASS}'; echo '{MARKER}'"
    answers = turns_of(shell_bot(f"read line; sleep 1; {turn}; while read line; do {turn}; done"))
    assert [(answer.verdict, answer.fresh, answer.kept) for answer in answers] == [
        ("OK", True, True),
        ("OK", False, True),
        ("OK", False, True),
    ]
    assert len(watched) == 1


def test_a_bot_that_prints_its_marker_only_at_the_end_of_its_input_is_late() -> None:
    answer = first_turn(bad_bot("never_flush", seconds(1.5)))
    assert (answer.verdict, answer.problem) == ("TLE", "bot took longer than 1.5 s (TLE)")


def test_a_program_that_has_become_another_one_is_late_once(tmp_path: Path) -> None:
    bot = tmp_path / "bot.sh"
    words = ["sh", str(bot)]
    bot.write_text(f"read line; echo '{PASS}'")
    assert first_turn(BotProcess(words, limits=PATIENT)).ok
    bot.write_text(f"cat > /dev/null; echo '{PASS}'")
    assert turn_end_of(words) is TurnEnd.LINE
    assert first_turn(BotProcess(words, limits=seconds(0.5))).verdict == "TLE"
    assert first_turn(BotProcess(words, limits=PATIENT)).ok
    assert turn_end_of(words) is TurnEnd.INPUT


@pytest.mark.parametrize(
    ("script", "shown"),
    [
        ("cat > /dev/null; exit 1", TurnEnd.UNKNOWN),
        ("read line; exit 1", TurnEnd.UNKNOWN),
        ("cat > /dev/null; echo garbage", TurnEnd.INPUT),
        ("read line; echo garbage", TurnEnd.LINE),
    ],
)
def test_a_crash_shows_nothing_and_a_bad_answer_all(script: str, shown: TurnEnd) -> None:
    bot = shell_bot(script)
    assert not first_turn(bot).ok
    assert turn_end_of(bot.command) is shown


def test_the_same_words_in_another_folder_are_another_program(tmp_path: Path) -> None:
    for name, script in (("one", "cat > /dev/null"), ("other", "read line")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.sh").write_text(f"{script}; echo '{PASS}'")
        assert first_turn(BotProcess("sh bot.sh", limits=PATIENT, cwd=tmp_path / name)).ok
    assert turn_end_of(["sh", "bot.sh"], tmp_path / "one") is TurnEnd.INPUT
    assert turn_end_of(["sh", "bot.sh"], tmp_path / "other") is TurnEnd.LINE


def test_the_modes_that_demand_something_find_out_nothing(watched: list[object]) -> None:
    assert first_turn(bad_bot("read_to_the_end", mode="one_shot", send_limits=False)).ok
    assert first_turn(bad_bot("read_to_the_end", seconds(0.5), mode="keep_running")).verdict == "TLE"
    assert watched == []


# What the wait costs


def test_the_seconds_in_which_nobody_knew_are_not_those_of_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    class Waiting(InputWatch):
        def rested(self) -> float | None:
            return 1000.0

    monkeypatch.setattr(process_exchange, "InputWatch", Waiting)
    with shell_bot(f"cat > /dev/null; sleep 1; echo '{PASS}'", Limits(0.5)) as bot:
        answer = bot.turn([FIRST], [])
    assert answer.ok and answer.seconds < 0


class Group:
    """A program that does as it is told: whether it has taken its line, and the processor time at its looks."""

    def __init__(self) -> None:
        self.taken, self.busy = True, 0.0
        self.works = False
        self.pipes = self

    def took_all(self) -> bool:
        return self.taken

    def busy_at_rest(self) -> float | None:
        return None if self.works else self.busy


def look(watch: InputWatch) -> bool:
    watch.due = 0.0
    return watch.rested() is not None


def test_only_a_program_that_rests_at_every_look_waits_for_its_input(monkeypatch: pytest.MonkeyPatch) -> None:
    group: Any = Group()
    watch = InputWatch(group)
    assert watch.rested() is None and watch.due > 0, "it is not time to look yet"
    few = InputWatch.LOOKS - 1
    assert [look(watch) for _ in range(few)] == [False] * few
    group.works = True
    assert not look(watch)
    group.works = False
    assert [look(watch) for _ in range(few)] == [False] * few
    group.taken = False
    assert not look(watch)
    group.taken = True
    assert [look(watch) for _ in range(few)] == [False] * few
    group.busy += 2 * InputWatch.MOST_BUSY
    assert not look(watch)
    assert [look(watch) for _ in range(few)] == [False] * few
    group.busy += InputWatch.MOST_BUSY / 2
    assert look(watch)


def test_a_thread_at_work_is_no_rest() -> None:
    thread = "import threading; t = threading.Thread(target=exec, args=('while True: pass',)); t.start(); t.join()"
    for words, rests in (([sys.executable, "-S", "-c", thread], False), (["sh", "-c", "sleep 3600 & wait"], True)):
        group = ProcessGroup(words)
        try:
            # Without a bound of its own: at its start it may be either for a moment.
            while (group.busy_at_rest() is not None) != rests:
                time.sleep(0.01)
        finally:
            group.close()
