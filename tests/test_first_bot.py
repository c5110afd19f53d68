"""The page about a first bot, in both languages: its commands, typed one after another, print what stands there."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.support import ROOT, command_line
from tools.shared.paths import call_of

pytestmark = [pytest.mark.whole, pytest.mark.usefixtures("with_kernel")]

GUIDE = ROOT / "docs" / "guide"
KEEPS_RESULTS = {"--sprt 0 5": "--sprt 0 5 --results s.json"}
QUICK_CHECK = {
    "check ./mybot --game FightTheLandlord": "check ./mybot --game FightTheLandlord --only start,lead,follow,games"
}
"""The steps that the page shows, and the one that says which moves were never seen."""


def sessions(page: Path) -> Iterator[tuple[str, list[str]]]:
    """Yields each command of a page with the lines that it prints."""
    lines = [line[4:] for line in page.read_text("utf-8").splitlines() if line.startswith("    ")]
    starts = [number for number, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        printed = [line for line in lines[start + 1 : end] if not line.startswith("python ")]
        yield lines[start][2:], printed


def words(text: str) -> str:
    return " ".join(text.replace(call_of(), "python -m tools").split())


def type_all(page: Path, folder: Path, locale: str, changes: Mapping[str, str]) -> None:
    """Types the nine commands of a page in a folder, some of them changed."""
    here = command_line(sys.executable)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "160", "LC_ALL": locale, "PYTHONUTF8": "1"}
    typed = 0
    for command, printed in sessions(page):
        line = command.replace("python -m", f"{here} -m").replace("python3 ", f"{here} ")
        for before, after in changes.items():
            line = line.replace(before, after)
        done = subprocess.run(
            ["sh", "-c", line], cwd=folder, env=environment, capture_output=True, encoding="utf-8", timeout=900
        )
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        rest = words(done.stdout + done.stderr)
        for part in filter(None, map(words, "\n".join(printed).split("..."))):
            assert part in rest, (command, part, rest)
            rest = rest.partition(part)[2]
        typed += 1
    assert typed == 9


def test_the_commands_of_the_pages_print_what_they_show(tmp_path: Path) -> None:
    """Only the English matches are played: the Chinese ones find their results, and only translate them."""
    english, chinese = tmp_path / "english", tmp_path / "chinese"
    english.mkdir()
    type_all(GUIDE / "first-bot.md", english, "C.UTF-8", KEEPS_RESULTS)
    chinese.mkdir()
    for name in ("r.json", "r.ddzn.gz", "s.json"):
        shutil.copy(english / name, chinese)
    # The same program, comments too, since results belong to a program.
    new = {"new mybot": "new mybot && rm -r mybot && cp -r ../english/before mybot"}
    type_all(GUIDE / "first-bot.zh.md", chinese, "zh_CN.UTF-8", {**new, **KEEPS_RESULTS, **QUICK_CHECK})
