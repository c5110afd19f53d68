"""The wheel for Windows, installed and run by a Windows Python under wine: it decides what is decided here."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support import ROOT, require
from tests.systems.made import unpacked
from tests.systems.signature import committed
from tests.systems.test_arm64 import LEAD, SECONDS, SIGNATURE, here
from tests.systems.typed_game import TYPED, WORDS, shown

pytestmark = [pytest.mark.whole, pytest.mark.systems, pytest.mark.timeout(3600), pytest.mark.usefixtures("with_kernel")]

PLACE = Path(os.environ.get("DDZ_WINDOWS", Path.home() / ".cache" / "ddzbot" / "windows"))
"""What tests/systems/windows.sh makes."""
FROM_ZIP = """
from pathlib import Path
from ddzbot import files, kernel
library = Path(kernel.native().library.path).read_bytes()
again = files._in_temporary_file(library, "ddz_kernel.dll")
from ddzbot.kernel.binding import Kernel
print(again == files._in_temporary_file(library, "ddz_kernel.dll"), Kernel(again).library.build != "")
"""


@pytest.fixture(scope="module")
def folder(wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What pip makes of the wheel."""
    return unpacked(wheels["windows-x86_64"], "windows-x86_64", tmp_path_factory.mktemp("windows"))


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Windows of its own."""
    return tmp_path_factory.mktemp("wine")


def on_windows(folder: Path, prefix: Path, *words: str, said: str = "") -> str:
    """What a Windows Python prints that has the wheel."""
    wine = require(shutil.which("wine"), "wine")
    require((PLACE / "site").is_dir(), "CPython for Windows (tests/systems/windows.sh)")
    settings = {name: value for name, value in os.environ.items() if not name.startswith(("DDZ_", "PYTHON"))}
    settings |= {"WINEPREFIX": str(prefix), "WINEDEBUG": "-all", "PYTHONPATH": f"Z:{folder};Z:{PLACE / 'site'}"}
    command = [wine, str(PLACE / "python.exe"), *words]
    done = subprocess.run(command, cwd=folder, env=settings, input=said, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_bot_answers_with_its_kernel(folder: Path, prefix: Path) -> None:
    words = ("-m", "ddzbot", "--limit", "600s,200p")
    there = json.loads(on_windows(folder, prefix, *words, said=LEAD))
    mine = json.loads(here(*words, said=LEAD))
    assert there["debug"]["player"] == "champion"
    for key in ("playouts", "moves"):
        assert there["debug"][key] == mine["debug"][key], "what the search found, bit for bit"
    assert there["response"] == mine["response"]


def test_a_kernel_loads_from_the_temporary_folder_where_that_of_a_zip_goes(folder: Path, prefix: Path) -> None:
    assert on_windows(folder, prefix, "-c", FROM_ZIP) == "True True\n"


def test_commands_give_the_same_answers(folder: Path, prefix: Path) -> None:
    assert "Play, measure and analyse" in on_windows(folder, prefix, "-m", "ddzbot_tools", "--help")
    words = ("solve", "4667788QK2", "334455QK2")
    there, mine = on_windows(folder, prefix, "-m", "ddzbot_tools", *words), here("-m", "tools", *words)
    assert SECONDS.sub("", there).split() == SECONDS.sub("", mine).split(), "lines are a column shorter there"


def test_the_doctor_says_what_plays_and_what_windows_lacks(folder: Path, prefix: Path) -> None:
    said = on_windows(folder, prefix, "-m", "ddzbot_tools", "doctor")
    assert "no memory limit of the system: bubblewrap needs Linux, and this is Windows;" in said
    assert "champion plays with kernel and network." in said


def test_a_person_plays_the_same_game(folder: Path, prefix: Path) -> None:
    there = on_windows(folder, prefix, "-m", "ddzbot_tools", *WORDS, said=TYPED)
    assert shown(there) == shown(here("-m", "tools", *WORDS, said=TYPED))


def test_every_player_decides_as_is_committed(folder: Path, prefix: Path) -> None:
    # wine cannot name every folder that a checkout may lie in.
    for file in (SIGNATURE, committed("kernel")):
        (folder / file.relative_to(ROOT)).parent.mkdir(parents=True)
        shutil.copy(file, folder / file.relative_to(ROOT))
    program = folder / SIGNATURE.relative_to(ROOT)
    assert on_windows(folder, prefix, f"Z:{program}") == committed("kernel").read_text("ascii")
