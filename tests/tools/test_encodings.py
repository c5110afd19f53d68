"""What the encoding of stdout lacks is written as an escape, and ends no command."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.support import ROOT
from tools.command import main

TOOLS = [sys.executable, "-m", "tools"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path


NAME = "牌é"
EVERY = """
import sys
from tools.command import main
for words in (["report", "r.json"], ["games", "g.ddzn"], ["show", "g.ddzn"], ["games", "g.ddzn", "--out", "-"]):
    try:
        main(words)
    except SystemExit as end:
        assert not end.code, words
    sys.stdout.flush()
    sys.stdout.buffer.write(b"\\0")
"""
"""The commands that print a name, one after another, in one process."""


@pytest.fixture
def played(here: Path) -> Path:
    """A folder with results and games of a contestant whose name few encodings have."""
    words = ["--sets", "1", "--jobs", "1", "--results", "r.json", "--save-games", "g.ddzn"]
    match = CliRunner().invoke(main, ["match", f"{NAME}=random", "rule", *words])
    assert match.exit_code == 0 and f"{NAME} against rule" in match.output, match.output
    return here


@pytest.mark.parametrize("encoding", [pytest.param("cp1252", marks=pytest.mark.whole), "ascii", "gbk"])
def test_a_character_that_an_encoding_lacks_ends_no_command(encoding: str, played: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run([sys.executable, "-c", EVERY], cwd=played, env=environment, capture_output=True)
    assert done.returncode == 0 and b"Traceback" not in done.stderr, done.stderr.decode(encoding, "replace")
    # Of ASCII click alone makes UTF-8.
    said = [
        part.decode("utf-8" if encoding == "ascii" and not part.isascii() else encoding)
        for part in done.stdout.split(b"\0")
    ]
    report, games, game, record, _ = said
    shown = NAME.encode(encoding, "backslashreplace").decode(encoding)
    assert f"{shown} against rule" in report
    assert {NAME, shown} & {word.strip(",") for word in games.split()}
    assert shown in game
    assert "[Rules" in record


@pytest.mark.whole
def test_the_plainest_locale_shows_every_character_too(played: Path) -> None:
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run([*TOOLS, "report", "r.json"], cwd=played, env=environment, capture_output=True)
    assert done.returncode == 0 and rb"\u724c\xe9 against rule" in done.stdout, done.stderr
