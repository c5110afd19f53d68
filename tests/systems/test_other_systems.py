"""Commands on macOS and Windows, as far as Linux can be taken for them."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ddzbot.kernel.binding import Kernel
from tests.support import ROOT, command_line
from tests.systems import verdicts
from tests.systems.made import python_with_packages
from tests.systems.other_system import VARIABLE
from tests.systems.typed_game import TYPED, WORDS, shown
from tools.arena.check.steps import STEPS
from tools.command import groups

RULE = command_line("python", ROOT / "bot.py", "--player", "rule")
STRANGER = command_line("python", ROOT / "tests" / "bots" / "obedient_one_shot.py")
HERE = ".".join(map(str, sys.version_info[:2]))
OTHERS = [pytest.param(version, marks=pytest.mark.systems) for version in ("3.10", "3.13") if version != HERE]
OPEN = "no memory limit of the system: bubblewrap needs Linux, and this is macOS; programs of others run with your"

Called = Callable[..., "subprocess.CompletedProcess[str]"]


def called(
    system: str,
    *words: object,
    module: str = "tests.systems.other_system",
    python: str = sys.executable,
    said: str = "",
) -> "subprocess.CompletedProcess[str]":
    command = [python, "-m", module, *map(str, words)]
    variables = {**os.environ, VARIABLE: system}
    return subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, input=said)


@pytest.fixture(params=[HERE, *OTHERS])
def on_macos(request: pytest.FixtureRequest, kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> Called:
    """Calls a command as macOS has it, in one Python; it plays with the kernel of Linux."""
    python = sys.executable if request.param == HERE else python_with_packages(request.param)
    monkeypatch.setenv("DDZ_KERNEL", kernel.library.path)
    return lambda *words, **options: called("darwin", *words, python=python, **options)


def here(*words: object, said: str = "") -> str:
    command = [sys.executable, "-m", "tools", *map(str, words)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, input=said).stdout


@pytest.mark.whole
@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_every_command_says_what_it_does(system: str) -> None:
    done = called(system, "all")
    assert (done.returncode, done.stderr) == (0, "")
    number = sum(map(len, groups().values()))
    assert done.stdout.count("\nUsage: ") + done.stdout.startswith("Usage: ") == number
    assert done.stdout.endswith(f"{number} {system} commands\n")


@pytest.mark.whole
def test_a_judge_without_a_call_of_linux_plays_the_same_game(on_macos: Called) -> None:
    words = ["judge", *[RULE] * 3, "--seed", "demo/1", "--json"]
    there = on_macos(*words)
    assert (there.returncode, there.stderr) == (0, "")  # bot.py is ours, and needs no sandbox
    one, other = json.loads(here(*words)), json.loads(there.stdout)
    assert (one["scores"], one["faults"]) == (other["scores"], other["faults"])


@pytest.mark.whole
def test_the_judge_ends_what_does_not_end_here() -> None:
    verdicts.check(called("", module="tests.systems.bad_bots").stdout)


@pytest.mark.whole
def test_the_judge_ends_what_does_not_end(on_macos: Called) -> None:
    done = on_macos(module="tests.systems.bad_bots")
    assert (done.returncode, done.stderr) == (0, "")
    verdicts.check(done.stdout)


@pytest.mark.whole
def test_the_judge_and_the_doctor_say_what_macos_lacks(on_macos: Called, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DDZ_SANDBOX")
    said = on_macos("judge", STRANGER, "rule", "rule", "--json").stderr
    assert said.startswith("Programs run without a sandbox, and the system does not limit their memory: bubblewrap n")
    doctor = on_macos("doctor")
    assert (doctor.returncode, doctor.stderr) == (0, ""), "the champion plays with kernel and network"
    assert OPEN in doctor.stdout


@pytest.mark.whole
def test_a_match_of_programs_is_played_without_a_call_of_linux(on_macos: Called, tmp_path: Path) -> None:
    words = ["match", RULE, command_line("python", ROOT / "bot.py", "--player", "random"), "--sets", "1", "--jobs", "2"]
    done = on_macos(*words, "--results", tmp_path / "games.json")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "games.json").exists()


@pytest.mark.whole
@pytest.mark.systems
def test_a_program_passes_every_step_of_the_check(on_macos: Called) -> None:
    patient = ["--limit", "600s", "--keep-running"]
    done = on_macos(
        "check", RULE, "--keep-running", f"{RULE} {command_line(*patient)}", "--rounds", 1, "--turn-time", 600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(re.findall("^ *[0-9]+ [a-z-]+ +pass ", done.stdout, re.MULTILINE)) == len(STEPS), done.stdout


@pytest.mark.whole
def test_a_person_plays_the_same_game(on_macos: Called) -> None:
    there = on_macos(*WORDS, said=TYPED)
    assert (there.returncode, there.stderr) == (0, "")
    assert shown(there.stdout) == shown(here(*WORDS, said=TYPED))
