"""The judge on Windows, and programs there: a copy of the checkout, run by a Windows Python under wine."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support import ROOT, require
from tests.systems import verdicts
from tools.shared import compiling

pytestmark = [pytest.mark.whole, pytest.mark.systems, pytest.mark.timeout(3600)]

PLACE = Path(os.environ.get("DDZ_WINDOWS", Path.home() / ".cache" / "ddzbot" / "windows"))
"""What tests/systems/windows.sh makes."""
COPIED = ("ddzbot", "tools", "weights", "tests/systems")
BOT = "python bot.py --limit 600s,100p"
OWN = [52, 53, *range(0, 36, 2)]
FIRST = {"own": OWN, "history": [[], []], "publiccard": OWN[:3]}
ENVELOPE = json.dumps({"requests": [FIRST], "responses": []})
LATER = json.dumps({"history": [[], []]})
BARE = ("-S", "-E", "-s")
"""Without numpy, as there."""
SHOWN = ("winner", "landlord", "scores", "faults")


class Windows:
    """Runs Python in a copy of the project, for wine cannot name every folder that a checkout may lie in."""

    def __init__(self, folder: Path) -> None:
        self._wine = require(shutil.which("wine"), "wine")
        require((PLACE / "site").is_dir(), "CPython for Windows (tests/systems/windows.sh)")
        require(compiling.has_zig(), "zig (extra zig)")
        self._prefix, self.project = folder / "wine", folder / "project"
        for name in COPIED:
            shutil.copytree(ROOT / name, self.project / name, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
        shutil.copy(ROOT / "bot.py", self.project)
        library = compiling.build_for("windows-x86_64")
        shutil.copy(library, self.project / "ddzbot" / "kernel" / library.name)

    def run(self, *words: str, line: str = "") -> "subprocess.CompletedProcess[str]":
        """Runs Python with these words, and hands it *line*."""
        settings = {name: value for name, value in os.environ.items() if not name.startswith(("DDZ_", "PYTHON"))}
        settings |= {"WINEPREFIX": str(self._prefix), "WINEDEBUG": "-all", "PYTHONPATH": f"Z:{PLACE / 'site'}"}
        command = [self._wine, str(PLACE / "python.exe"), *words]
        return subprocess.run(command, input=line, cwd=self.project, env=settings, capture_output=True, text=True)


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> Windows:
    return Windows(tmp_path_factory.mktemp("windows"))


def here(words: Sequence[str], line: str = "") -> str:
    done = subprocess.run([sys.executable, *words], input=line, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


def ran(system: Windows, *words: str, line: str = "") -> str:
    done = system.run(*words, line=line)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def responses(printed: str) -> list[list[int]]:
    answers = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    assert answers and not any("error" in answer["debug"] for answer in answers)
    return [answer["response"] for answer in answers]


@pytest.mark.parametrize("words", [(), ("--keep-running",)])
def test_the_bot_answers_as_here(system: Windows, words: tuple[str, ...]) -> None:
    bot = ("bot.py", "--limit", "600s,100p", *words)
    lines = f"{ENVELOPE}\n{LATER}\n" if words else f"{ENVELOPE}\n"
    there = ran(system, *bot, line=lines)
    assert "\r" not in there
    assert responses(there) == responses(here([*BARE, *bot], lines))


def test_the_judge_plays_the_same_game(system: Windows) -> None:
    words = ["-m", "tools", "judge", *[BOT] * 3, "--seed", "demo/1", "--turn-time", "600", "--json"]
    there, one = json.loads(ran(system, *words)), json.loads(here(words))
    assert (there["scores"], there["faults"]) == (one["scores"], one["faults"]) != ([], [])


def test_bad_bots_have_the_verdicts_that_they_have_here_and_leave_nothing(system: Windows) -> None:
    verdicts.check(ran(system, "-m", "tests.systems.bad_bots"))


def test_check_passes_its_quick_steps(system: Windows) -> None:
    steps = "start,lead,follow,forced-pass,bid,envelope,hygiene,time,memory"
    printed = ran(
        system,
        "-m",
        "tools",
        "check",
        "python bot.py --player rule --limit 600s",
        "--only",
        steps,
        "--turn-time",
        "600",
    )
    assert "failed" not in printed
    passed = {name for name, _ in re.findall("^ *[0-9]+ ([a-z-]+) +(pass|not asked for) ", printed, re.MULTILINE)}
    assert passed == {*steps.split(",")}, printed


def test_processes_of_a_pool_judge_the_same_games(system: Windows) -> None:
    words = ["-m", "tests.systems.many_games"]
    assert ran(system, *words) == here(words)
