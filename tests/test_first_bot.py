"""The page about a first bot, in both languages: its commands, typed one after another, print what stands there."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import ROOT, command_line
from tools.shared.paths import call_of

pytestmark = [pytest.mark.whole, pytest.mark.usefixtures("with_kernel")]

GUIDE = ROOT / "docs" / "guide"
PAGES = {"first-bot.md": "C.UTF-8", "first-bot.zh.md": "zh_CN.UTF-8"}
"""Each with the locale in which it is read."""


def sessions(page: Path) -> Iterator[tuple[str, list[str]]]:
    """Yields each command of a page with the lines that it prints."""
    lines = [line[4:] for line in page.read_text("utf-8").splitlines() if line.startswith("    ")]
    starts = [number for number, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        shown = [line for line in lines[start + 1 : end] if not line.startswith("python ")]
        yield lines[start][2:], shown


def words(text: str) -> str:
    return " ".join(text.replace(call_of(), "python -m tools").split())


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_the_page_print_what_it_shows(page: str, tmp_path: Path) -> None:
    here = command_line(sys.executable)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "160", "LC_ALL": PAGES[page], "PYTHONUTF8": "1"}
    typed = 0
    for command, shown in sessions(GUIDE / page):
        line = command.replace("python -m", f"{here} -m").replace("python3 ", f"{here} ")
        done = subprocess.run(
            ["sh", "-c", line], cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", timeout=900
        )
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        rest = words(done.stdout + done.stderr)
        for part in filter(None, map(words, "\n".join(shown).split("..."))):
            assert part in rest, (command, part, rest)
            rest = rest.partition(part)[2]
        typed += 1
    assert typed == 9
