"""The wheel for arm64 Linux, installed and run by an arm64 Python under qemu: it decides what is decided here."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT
from tests.systems.debian import ARM64
from tests.systems.made import packages_for_arm64, unpacked
from tests.systems.signature import committed
from tests.systems.typed_game import TYPED, WORDS, shown

pytestmark = [pytest.mark.whole, pytest.mark.systems, pytest.mark.timeout(3600), pytest.mark.usefixtures("with_kernel")]

OWN = [0, 4, 5, 9, 13, 16, 17, 20, 24, 29, 30, 33, 36, 40, 41, 44, 46, 48, 50, 52]
LEAD = json.dumps({"requests": [{"own": OWN, "history": [[], []], "publiccard": [0, 4, 5]}]})
POSITION = "botzone 0 99TTQKKA 345 -@0 334455,-,-,8,9,A,2,-,-,6777,-,4JJJ,-,-,88"
SIGNATURE = Path(__file__).with_name("signature.py")
SECONDS = re.compile(r"[\d.]+ s\b")


@pytest.fixture(scope="module")
def folder(wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What pip makes of the wheel."""
    return unpacked(wheels["linux-arm64"], "linux-arm64", tmp_path_factory.mktemp("arm64"))


def on_arm64(folder: Path, *words: str, said: str = "") -> str:
    """What an arm64 Python prints that has the wheel."""
    python = ARM64.python()
    settings = ARM64.environment(PYTHONPATH=f"{folder}{os.pathsep}{packages_for_arm64()}")
    return ended([*python, *words], folder, settings, said)


def here(*words: str, said: str = "") -> str:
    """What this Python prints from the checkout."""
    return ended([sys.executable, *words], ROOT, {**os.environ}, said)


def ended(command: list[str], folder: Path, settings: dict[str, str], said: str) -> str:
    done = subprocess.run(command, cwd=folder, env=settings, input=said, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    return done.stdout


def test_the_bot_answers_with_its_kernel(folder: Path) -> None:
    words = ("-m", "ddzbot", "--limit", "600s,200p")
    there = json.loads(on_arm64(folder, *words, said=LEAD))
    mine = json.loads(here(*words, said=LEAD))
    assert there["debug"]["player"] == "champion"
    for key in ("playouts", "moves"):
        assert there["debug"][key] == mine["debug"][key], "what the search found, bit for bit"
    assert there["response"] == mine["response"]


def test_commands_give_the_same_answers(folder: Path) -> None:
    assert "Play, measure and analyse" in on_arm64(folder, "-m", "ddzbot_tools", "--help")
    for words in (("solve", "4667788QK2", "334455QK2"), ("analyse", "--limit", "50p", "--human", POSITION)):
        there, mine = on_arm64(folder, "-m", "ddzbot_tools", *words), here("-m", "tools", *words)
        assert SECONDS.sub("", there) == SECONDS.sub("", mine)


def test_a_person_plays_the_same_game(folder: Path) -> None:
    there = on_arm64(folder, "-m", "ddzbot_tools", *WORDS, said=TYPED)
    assert shown(there) == shown(here("-m", "tools", *WORDS, said=TYPED))


def test_every_player_decides_as_is_committed(folder: Path) -> None:
    assert on_arm64(folder, str(SIGNATURE)) == committed("kernel").read_text("ascii")
