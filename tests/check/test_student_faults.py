"""The check finds the faults that students make, in both languages and both games, within a minute each."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.check.student_faults import FAULTS, IN_PYTHON, program
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


def assert_found(words: list[str], name: str, game: str) -> None:
    """Checks a bot up to its first failure, which is to come by the right step, within a minute of processor time."""
    limit = 8.0 if name == ENDLESS else 120.0
    bench = Bench(words, None, (game,), Terms(Limits(limit, limit, limit), patience=1.0))
    before = sum(os.times()[:4])
    failed = next((step for step in run_steps(bench, range(1, len(STEPS) + 1)) if step.status == "fail"), None)
    assert failed and failed.name in FAULTS[name].steps.split(), failed
    assert sum(os.times()[:4]) - before < MINUTE


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("crashes as the second peasant", GAMES[0]),
        ("plays suits that it does not hold", GAMES[1]),
        ("bids no more than others", GAMES[1]),
        pytest.param("crashes where it plays the rocket", GAMES[0], marks=pytest.mark.whole),
    ],
)
def test_a_fault_of_a_student_is_found_within_a_minute(tmp_path: Path, name: str, game: str) -> None:
    command = [sys.executable, *program(tmp_path, "python", IN_PYTHON[name])[1:]]
    assert_found(command, name, game)


@pytest.mark.whole
@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_found_in_each_game(tmp_path: Path, name: str) -> None:
    require(shutil.which("g++"), "g++")
    command = program(tmp_path, "cpp", FAULTS[name].cpp)
    for game in GAMES[FAULTS[name].auction :]:
        assert_found(command, name, game)
