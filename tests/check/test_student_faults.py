"""The check finds the faults that students make within a minute each: in one game in Python, in the other in C++."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.check.student_faults import FAULTS, program
from tests.support import require
from tools.arena.check.bench import Bench
from tools.arena.check.run import run_steps
from tools.arena.check.scenes import GAMES
from tools.arena.check.steps import STEPS
from tools.arena.check.watched import Terms
from tools.judge.process_limits import Limits

MINUTE = 60.0
ENDLESS = "never ends on a hand with many moves"
"""The one fault that every second of a limit is waited for; others may take long on a busy machine."""


def check(words: list[str], game: str, limit: float) -> tuple[str, str, float]:
    """Checks a bot up to its first failure: which step, its sentence, and the seconds of processor time."""
    command = [sys.executable, *words[1:]] if words[0] == "python" else words
    bench = Bench(command, None, (game,), Terms(Limits(limit, limit, limit), patience=1.0))
    before = sum(os.times()[:4])
    for finding in run_steps(bench, range(1, len(STEPS) + 1)):
        if finding.status == "fail":
            return finding.name, finding.sentence, sum(os.times()[:4]) - before
    return "", "", sum(os.times()[:4]) - before


AT_ONCE = ("crashes as the second peasant", "plays suits that it does not hold", "bids no more than others")
"""They are found within a second of processor time in Python."""
CASES = [
    pytest.param(language, name, game, marks=() if language == "python" and name in AT_ONCE else pytest.mark.whole)
    for language, usual in (("python", GAMES[0]), ("cpp", GAMES[1]))
    for name, fault in FAULTS.items()
    for game in [GAMES[1] if fault.auction else usual]
]


@pytest.mark.parametrize(("language", "name", "game"), CASES)
def test_a_fault_of_a_student_is_found_within_a_minute(tmp_path: Path, language: str, name: str, game: str) -> None:
    if language == "cpp":
        require(shutil.which("g++"), "g++")
    fault = FAULTS[name]
    step, sentence, seconds = check(
        program(tmp_path, language, fault.python if language == "python" else fault.cpp),
        game,
        8.0 if name == ENDLESS else 120.0,
    )
    sys.stderr.write(f"{step} after {seconds:.1f} s: {sentence}\n")
    assert step in fault.steps.split(), sentence
    assert seconds < MINUTE
