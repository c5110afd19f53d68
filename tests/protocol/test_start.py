"""The start of the process: what passed before its first step, and an import that takes all of a turn."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ddzbot.protocol import start
from ddzbot.protocol.start import FIRST_TURN, LateImportError, guard_imports, imports_are_done, process_start
from tests.protocol.test_faults import LINE
from tests.support import ROOT, command_line

SAYS = "import time; t = time.monotonic(); from ddzbot.protocol.start import process_start as s; print(t - s(t))"


def test_what_came_before_the_first_step_counts() -> None:
    # exec keeps the process, and its start with it.
    shell = f"sleep 0.5; exec {command_line(sys.executable, '-c', SAYS)}"
    done = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, cwd=ROOT, check=True)
    assert 0.5 <= float(done.stdout) <= start.LONGEST_START or float(done.stdout) == 0.0


def test_the_share_of_a_processor_counts_from_there() -> None:
    noted = time.monotonic()
    assert process_start(noted) in (noted, pytest.approx(noted, abs=start.LONGEST_START))


def record(age: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the system's clock stand where this process is so old."""
    fields = Path("/proc/self/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    began = int(fields[19]) / 100
    monkeypatch.setattr(start.time, "clock_gettime", lambda _clock: began + age)


@pytest.mark.parametrize(("age", "counts"), [(0.25, True), (3.9, True), (5.0, False), (1e6, False), (-3.0, False)])
def test_only_a_start_that_can_be_of_this_turn_counts(
    age: float, counts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted = time.monotonic()
    record(age, monkeypatch)
    monkeypatch.setattr(start.time, "monotonic", lambda: noted)
    assert process_start(noted) == pytest.approx(noted - age if counts else noted)


def test_without_a_record_the_first_step_is_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_given: object) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(start, "open", refuse, raising=False)
    assert process_start(5.0) == 5.0
    monkeypatch.undo()
    monkeypatch.setattr(start.sys, "platform", "win32")
    assert process_start(5.0) == 5.0


def test_an_import_that_takes_the_whole_turn_is_given_up() -> None:
    program = (
        "import runpy, sys, time\n"
        "from ddzbot.protocol import start\n"
        "start.FIRST_TURN = 0.5\n"
        "class Slow:\n"
        "    def find_spec(self, name, *more):\n"
        "        if name == 'ddzbot.protocol.loop': time.sleep(1000)\n"
        "sys.meta_path.insert(0, Slow())\n"
        "runpy.run_path('bot.py', run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", program], input=LINE, capture_output=True, text=True, cwd=ROOT)
    answered = json.loads(done.stdout)
    assert (done.returncode, done.stderr, answered["response"]) == (0, "", [4])
    assert answered["debug"]["error"] == "the bot could not start: LateImportError: loading took the whole turn"


@pytest.fixture
def _alarm() -> Iterator[None]:
    before = signal.getsignal(signal.SIGALRM), signal.setitimer(signal.ITIMER_REAL, 0)
    yield
    signal.signal(signal.SIGALRM, before[0])
    signal.setitimer(signal.ITIMER_REAL, *before[1])


@pytest.mark.usefixtures("_alarm")
@pytest.mark.parametrize(
    ("arguments", "guarded"), [([], True), (["--limit=9s"], False), (["--first-limit", "9s"], False)]
)
def test_only_the_usual_plan_is_guarded(arguments: list[str], guarded: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["bot.py", *arguments])
    guard_imports(time.monotonic() + 1000)
    left = signal.getitimer(signal.ITIMER_REAL)[0]
    assert 900 < left <= 1000 + FIRST_TURN if guarded else left == 0
    imports_are_done()
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


@pytest.mark.usefixtures("_alarm")
def test_a_turn_that_is_over_ends_the_next_import(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["bot.py"])
    with pytest.raises(LateImportError):
        guard_imports(time.monotonic() - 100)
        signal.pause()
