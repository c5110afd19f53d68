"""The examples of docs/guide/play.md are what the program does."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from ddzbot.rules import rule_set
from ddzbot.search.limit import Limit
from tests.support import ROOT
from tools.shared.paths import call_of
from tools.tables.play.__main__ import main
from tools.tables.table.bots import bot
from tools.tables.table.table import Table

TEXT = (ROOT / "docs" / "guide" / "play.md").read_text("utf-8")
BLOCKS = dict(re.findall(r"```(\w+)\n(.*?)```", TEXT, re.DOTALL))
COMMANDS = [line.split("   ")[0] for line in re.findall(r"^    python -m tools play(.*)$", TEXT, re.MULTILINE)]
HINT = re.compile(r"^(hint:|  or:|      ranked).*\n", re.MULTILINE)
"""How well a move does is an estimate, which may become better."""


def plain(text: str) -> str:
    """Leaves out blanks at line ends, and what hints say."""
    return HINT.sub("", re.sub(r" +$", "", text, flags=re.MULTILINE))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def test_the_game_in_the_documentation_is_played_like_that(folder: Path) -> None:
    command, _, output = BLOCKS["console"].partition("\n")
    typed = re.findall(r"^your [^>]*> (.*)$", output, re.MULTILINE)
    arguments = [*shlex.split(command)[5:], "--limit", "200p"]
    result = CliRunner().invoke(main, arguments, input="".join(line + "\n" for line in typed))
    assert result.exit_code == 0
    assert plain(result.output.replace(call_of(), "python -m tools")) == plain(output)
    assert "hint: " in result.output


def test_the_commands_in_the_documentation_work(folder: Path) -> None:
    assert len(COMMANDS) == 9
    assert COMMANDS[6] == " --resume games.ddzn"
    for command in COMMANDS:
        result = CliRunner().invoke(main, [*shlex.split(command), "--limit", "10p"], input="")
        assert result.exit_code == 0, result.output


def test_the_table_in_the_documentation_plays_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    names = {"Limit": Limit, "Table": Table, "bot": bot, "rule_set": rule_set}
    exec(BLOCKS["python"], dict(names))
    assert capsys.readouterr().out.startswith("Result(winner='")
