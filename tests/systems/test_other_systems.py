"""Commands on macOS and Windows, as far as Linux can be taken for them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT, command_line
from tests.systems import verdicts
from tests.systems.other_system import VARIABLE
from tools.command import groups

RULE = command_line("python", ROOT / "bot.py", "--player", "rule")


def called(system: str, *words: str, module: str = "tests.systems.other_system") -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", module, *words]
    variables = {**os.environ, VARIABLE: system}
    return subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_every_command_says_what_it_does(system: str) -> None:
    done = called(system, "all")
    assert (done.returncode, done.stderr) == (0, "")
    number = sum(map(len, groups().values()))
    assert done.stdout.count("\nUsage: ") + done.stdout.startswith("Usage: ") == number
    assert done.stdout.endswith(f"{number} {system} commands\n")


@pytest.mark.whole
def test_a_judge_without_a_call_of_linux_plays_the_same_game() -> None:
    words = ["judge", *[RULE] * 3, "--seed", "demo/1", "--json"]
    here = subprocess.run([sys.executable, "-m", "tools", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    there = called("darwin", *words)
    assert there.returncode == 0, there.stderr
    assert "without a sandbox: bubblewrap needs Linux" not in there.stderr  # bot.py is ours
    one, other = json.loads(here.stdout), json.loads(there.stdout)
    assert (one["scores"], one["faults"]) == (other["scores"], other["faults"])


@pytest.mark.whole
@pytest.mark.parametrize("system", ["", "darwin"])
def test_the_judge_ends_what_does_not_end(system: str) -> None:
    done = called(system, module="tests.systems.bad_bots")
    assert (done.returncode, done.stderr) == (0, "")
    verdicts.check(done.stdout)


@pytest.mark.whole
def test_a_match_of_programs_is_played_without_a_call_of_linux(tmp_path: Path) -> None:
    words = ["match", RULE, command_line("python", ROOT / "bot.py", "--player", "random"), "--sets", "2", "--jobs", "1"]
    done = called("darwin", *words, "--results", str(tmp_path / "games.json"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "games.json").exists()
