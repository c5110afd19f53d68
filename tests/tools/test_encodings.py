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


KEPT = ("--results", "r.json")


@pytest.mark.parametrize("encoding", [pytest.param("cp1252", marks=pytest.mark.whole), "ascii", "gbk"])
def test_a_character_that_an_encoding_lacks_ends_no_command(encoding: str, here: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": encoding}

    def printed(*words: str) -> str:
        done = subprocess.run([*TOOLS, *words], cwd=here, env=environment, capture_output=True)
        assert done.returncode == 0 and b"Traceback" not in done.stderr, done.stderr.decode(encoding, "replace")
        return done.stdout.decode("utf-8" if encoding == "ascii" and not done.stdout.isascii() else encoding)

    name = "牌é"
    shown = name.encode(encoding, "backslashreplace").decode(encoding)
    played = [
        "match",
        f"{name}=random",
        "rule",
        "--sets",
        "1",
        "--jobs",
        "1",
        "--results",
        "r.json",
        "--save-games",
        "g.ddzn",
    ]
    assert f"{shown} against rule" in printed(*played)
    assert f"{shown} against rule" in printed("report", "r.json")
    # Of ASCII click alone makes UTF-8.
    assert {name, shown} & {word.strip(",") for word in printed("games", "g.ddzn").split()}
    assert shown in printed("show", "g.ddzn")
    assert "[Rules" in printed("games", "g.ddzn", "--out", "-")


def test_the_plainest_locale_shows_every_character_too(here: Path) -> None:
    played = CliRunner().invoke(main, ["match", "牌=random", "rule", "--sets", "1", "--jobs", "1", *KEPT])
    assert played.exit_code == 0, played.output
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run([*TOOLS, "report", "r.json"], cwd=here, env=environment, capture_output=True)
    assert done.returncode == 0 and rb"\u724c against rule" in done.stdout, done.stderr
